/** How a game ended for the player at this browser. */

import type { GameName, Outcome } from "./messages";

export interface FinishedGame {
  match: string;
  game: GameName;
  when: number; // milliseconds
  seat: number; // the own one
  players: string[]; // names of people and bots, as in a summary
  outcome: Outcome;
  turns: number;
}

export type Result = "won" | "shared" | "drawn" | "lost";

export function resultOf(seat: number, winners: number[]): Result {
  if (!winners.length) return "drawn";
  if (!winners.includes(seat)) return "lost";
  return winners.length > 1 ? "shared" : "won";
}
