/** Which scene a card shows, and in what light: chosen by the card's id. */

import type { CardInfo } from "../lib/messages";

const SCENES: Record<number, readonly string[]> = {
  0: ["cellar", "alley", "press"],
  1: ["mine", "river", "caravan", "quarry", "boat", "camp", "cave", "volcano"],
  2: ["workshop", "port", "street", "market", "bridge", "studio"],
  3: ["palace", "ball", "cathedral", "garden", "opera", "throne"],
};
export const TIMES = ["day", "dusk", "night"] as const;
export type Time = (typeof TIMES)[number];

export interface SceneChoice {
  name: string;
  time: Time;
  isMirrored: boolean;
}

/**
 * Return the scene of a card that is no person; level 0 are the Counterfeiters.
 *
 * The cards of a level and color have consecutive numbers, and there are at least as many scenes as
 * such cards: in one game, no two cards share level, color and scene.
 */
export function sceneOf({ id, level }: Pick<CardInfo, "id" | "level">): SceneChoice | undefined {
  const scenes = SCENES[level];
  const n = Number(/\d+$/.exec(id)?.[0]) - 1;
  if (!scenes || !(n >= 0)) return undefined;
  const round = Math.floor(n / scenes.length);
  return {
    name: scenes[n % scenes.length] as string,
    time: TIMES[(n + round) % TIMES.length] as Time,
    isMirrored: (n + round) % 2 === 1,
  };
}

/** Return the name of the palette in theme.css that a card is drawn with. */
export function toneOf({ kind, color }: Pick<CardInfo, "kind" | "color">, jokerColor?: string): string {
  if (kind === "counterfeiter") return "v";
  if (color === "joker") return jokerColor ?? "joker";
  return "wugrk".includes(color || "-") ? color : "plain";
}
