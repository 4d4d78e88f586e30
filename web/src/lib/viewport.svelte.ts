/** Which arrangement of the table suits the window. The lengths themselves are in table/sizes.css. */

/** From wide screens to phones: 16:9 or 16:10, 4:3, upright tablet, upright phone, phone on its side. */
export type Mode = "wide" | "classic" | "tablet" | "phone" | "short";

const MIN_ASPECT = 1.2; // below it the window is upright
const CLASSIC_ASPECT = 1.5;
const PHONE_WIDTH = 600;
const SHORT_HEIGHT = 560;

export function modeFor(width: number, height: number): Mode {
  const aspect = width / height;
  if (aspect < MIN_ASPECT) return width < PHONE_WIDTH ? "phone" : "tablet";
  if (height < SHORT_HEIGHT) return "short";
  return aspect < CLASSIC_ASPECT ? "classic" : "wide";
}

/** The narrowest window, as width / height, in which the opponents of a game stand beside the cards. */
const SIDE_ASPECT = { splendor: MIN_ASPECT, "duel+counterfeiters": CLASSIC_ASPECT, duel: 1.7 };

/** Return whether the opponents and the log have a column of their own. */
export function hasSideColumn(game: keyof typeof SIDE_ASPECT, width: number, height: number): boolean {
  const mode = modeFor(width, height);
  return (mode === "wide" || mode === "classic") && width / height >= SIDE_ASPECT[game];
}

export const viewport = $state({ width: globalThis.innerWidth ?? 1366, height: globalThis.innerHeight ?? 768 });

globalThis.addEventListener?.("resize", () => {
  viewport.width = globalThis.innerWidth;
  viewport.height = globalThis.innerHeight;
});
