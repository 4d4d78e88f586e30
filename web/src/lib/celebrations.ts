/** Small celebrations: sparks around a royal or a noble, and over the winner's panel. */

import { scaled, type Box } from "./motion";

const SPARKS = 16;
const WIN_SPARKS = 48;
const SPARK_TIME = 700; // milliseconds at normal speed
const WIN_TIME = 1400;
const COLORS = ["y", "w", "u", "g", "r", "p"]; // of tokens; the first is gold

type Run = (animation: Animation, atEnd?: () => void) => void;

/** Where a spark flies: an offset in pixels from its start, and how far it has turned. */
export interface SparkPath {
  x: number;
  y: number;
  turn: number;
}

/** Return the paths of sparks that fly outwards evenly, alternately near and far. */
export function sparkPaths(count: number, radius: number): SparkPath[] {
  return Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI * i) / count;
    const reach = radius * (i % 2 ? 1 : 0.62);
    return { x: Math.cos(angle) * reach, y: Math.sin(angle) * reach, turn: (i % 2 ? 1 : -1) * 180 };
  });
}

/** Show golden sparks around a box after a delay. */
export function sparkle(box: Box, delay: number, run: Run): void {
  const paths = sparkPaths(SPARKS, Math.max(box.width, box.height) * 0.9);
  for (const path of paths) {
    const start = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
    launch(start, path, 0, COLORS[0] as string, { delay, duration: scaled(SPARK_TIME) }, run);
  }
}

/** Let sparks of all colors rise along a box and fall; return the milliseconds it takes. */
export function celebrateWin(box: Box, run: Run): number {
  const duration = scaled(WIN_TIME * 0.75);
  for (let i = 0; i < WIN_SPARKS; i++) {
    const at = (i + 0.5) / WIN_SPARKS;
    const start = { x: box.left + box.width * at, y: box.top + box.height / 2 };
    const wave = Math.sin(i * 2.4); // spreads neighbours
    const path = { x: wave * 60, y: -120 - 70 * Math.cos(i * 1.7), turn: wave * 360 };
    const delay = scaled((WIN_TIME / 4) * ((i * 7) % WIN_SPARKS)) / WIN_SPARKS;
    launch(start, path, 160, COLORS[i % COLORS.length] as string, { delay, duration }, run);
  }
  return scaled(WIN_TIME);
}

interface Timing {
  delay: number;
  duration: number;
}

/** Show one spark that flies along a path, and then falls by some pixels. */
function launch(start: { x: number; y: number }, path: SparkPath, fall: number, color: string, at: Timing, run: Run) {
  const spark = document.createElement("div");
  spark.className = "spark";
  Object.assign(spark.style, { left: `${start.x}px`, top: `${start.y}px`, color: `var(--token-${color}-rim)` });
  document.body.append(spark);
  const { x, y, turn } = path;
  const keyframes: Keyframe[] = [
    { transform: "scale(0.2)", opacity: 0 },
    { transform: `translate(${x * 0.7}px, ${y * 0.8}px) rotate(${turn * 0.6}deg)`, opacity: 1, offset: 0.3 },
    { transform: `translate(${x}px, ${y + fall}px) rotate(${turn}deg) scale(0.4)`, opacity: 0 },
  ];
  run(spark.animate(keyframes, { ...at, easing: "cubic-bezier(0.2, 0.6, 0.4, 1)", fill: "both" }), () =>
    spark.remove(),
  );
}
