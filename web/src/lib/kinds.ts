/** The kinds of token and the cells of the board, in their order. */

import type { Counts, GameName } from "./messages";

export const GEMS = ["w", "u", "g", "r", "k"] as const;
export const KINDS = [...GEMS, "p", "v", "y"] as const;
export type Kind = (typeof KINDS)[number];

/** Return the kinds of token that a game is played with. */
export function kindsOf(game: GameName): Kind[] {
  const isAbsent = { p: game === "splendor", v: game !== "duel+counterfeiters" };
  return KINDS.filter((kind) => !((kind === "p" || kind === "v") && isAbsent[kind]));
}

/** Return the kinds whose count is not zero, with their counts, in the order of `KINDS`. */
export function countsInOrder(counts: Counts | undefined): [Kind, number][] {
  return KINDS.flatMap((kind) => (counts?.[kind] ? [[kind, counts[kind]] as [Kind, number]] : []));
}

export function total(counts: Counts | undefined): number {
  return Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);
}

/** Count kinds: `["w", "w", "k"]` is two white and one black. */
export function countKinds(kinds: string[]): Counts {
  const counts: Counts = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

export const COLUMNS = ["a", "b", "c", "d", "e"];
export const CELLS = [1, 2, 3, 4, 5].flatMap((row) => COLUMNS.map((column) => `${column}${row}`));

/** The cells in the order in which tokens are laid; used to draw the spiral only. */
export const SPIRAL = "c3 c4 b4 b3 b2 c2 d2 d3 d4 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5".split(" ");
