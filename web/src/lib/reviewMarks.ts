/** Which pieces on the table a decision is about, to mark what was played and what was better. */

import { cardOf, cellsOf, gemsOf, kindOf, parseDecision } from "./decisions";
import type { DecisionPreview, ReviewedTurn } from "./messages";

export interface TableMarks {
  seat: number;
  played: string[]; // names of pieces
  better: string[]; // the same; empty if the best was played
  kind: ReviewedTurn["kind"];
}

/** Return the names of the pieces that a decision of a seat is about. */
export function piecesOf(decision: string, seat: number): string[] {
  const choice = { decision: decision.split(" > ")[0] ?? "" } as DecisionPreview;
  const { verb } = parseDecision(choice.decision);
  const cells = cellsOf(choice);
  if (cells.length) return cells.map((cell) => `cell:${cell}`);
  const gems = gemsOf(choice);
  if (gems.length) return [...new Set(gems)].map((kind) => `supply:${kind}`);
  const card = cardOf(choice);
  if (card) return [card.startsWith("deck") ? `deck:${card.slice(4)}` : `card:${card}`];
  if (verb === "replenish") return ["bag"];
  const kind = kindOf(choice);
  return kind ? [`purse:${seat}:${kind}`] : [];
}

/** Return what to mark at a step of a reviewed turn: the decision that follows, and a better one. */
export function marksAt(turn: ReviewedTurn, step: number): TableMarks {
  const played = turn.decisions[step - turn.start] ?? "";
  const isMoment = Boolean(turn.kind) && turn.step === step && !isSame(turn.best, played);
  return {
    seat: turn.seat,
    played: piecesOf(played, turn.seat),
    better: isMoment ? piecesOf(turn.best, turn.seat) : [],
    kind: isMoment ? turn.kind : "",
  };
}

function isSame(one: string, other: string): boolean {
  return one.split(" > ")[0] === other.split(" > ")[0];
}
