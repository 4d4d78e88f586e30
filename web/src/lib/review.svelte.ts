/** The review of a finished game: read while the server computes it. */

import { reviewOfMatch, ServerError } from "./api";
import type { ReviewedTurn, ReviewProgress } from "./messages";

const INTERVAL = 1000; // milliseconds between two requests
const RETRY_INTERVAL = 4000; // after a request that failed but may succeed later
const PASSING_ERRORS = new Set(["network", "rate", "unavailable"]);

/** What the log of a replay needs to jump. */
export interface LogJumps {
  readonly step: number;
  goTo: (step: number) => void;
}

export class ReviewReader {
  turns = $state.raw<ReviewedTurn[]>([]);
  progress = $state.raw<ReviewProgress | null>(null);
  error = $state(""); // the code of an error that lasts
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(
    readonly match: string,
    readonly key: string,
  ) {}

  get isDone(): boolean {
    return this.progress?.status === "done";
  }

  /** Ask the server until the review is done or this reader is closed. */
  async read(): Promise<void> {
    let delay = INTERVAL;
    try {
      const progress = await reviewOfMatch(this.match, this.key, this.turns.length);
      if (this.#isClosed) return;
      this.turns = joinTurns(this.turns, progress);
      this.progress = progress;
      if (progress.status === "done") return;
    } catch (reason) {
      const code = reason instanceof ServerError ? reason.code : "other";
      if (!PASSING_ERRORS.has(code)) {
        this.error = code;
        return;
      }
      delay = RETRY_INTERVAL;
    }
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.read(), delay);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}

/** Return all turns, given those that are known and the following ones. */
export function joinTurns(known: ReviewedTurn[], progress: ReviewProgress): ReviewedTurn[] {
  return [...known.slice(0, progress.start), ...progress.turns];
}

/** Return the reviewed turn to which the next decision after a step belongs. */
export function turnAt(turns: ReviewedTurn[], step: number): ReviewedTurn | undefined {
  return turns.find((turn) => step >= turn.start && step < turn.start + turn.decisions.length);
}

/** Return the turns in which something was given away. */
export function momentsOf(turns: ReviewedTurn[]): ReviewedTurn[] {
  return turns.filter((turn) => turn.kind);
}

export interface CurvePoint {
  x: number; // share of the game, 0 to 1
  value: number; // the chance to win, 0 to 1
  turn: ReviewedTurn | null; // null after the last turn
}

/** Return the chance of a seat before each turn, and after the last one. */
export function curveOf(turns: ReviewedTurn[], last: number[], seat: number, end: number): CurvePoint[] {
  const points: CurvePoint[] = turns.map((turn) => ({
    x: turn.start / Math.max(1, end),
    value: turn.values[seat] ?? 0,
    turn,
  }));
  const final = turns.at(-1);
  if (final && last[seat] !== undefined)
    points.push({ x: (final.start + final.decisions.length) / Math.max(1, end), value: last[seat], turn: null });
  return points;
}

/** Return a fraction in points of a hundred with its sign. */
export function signedPoints(fraction: number): string {
  const points = Math.round(100 * fraction);
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

export const KIND_SIGNS: Record<string, string> = { inaccuracy: "?!", mistake: "?", blunder: "??" };
