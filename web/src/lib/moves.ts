/** What the lines of the log say about recent moves: which they are, and what they left behind. */

import { total } from "./kinds";
import { parseDecision } from "./decisions";
import type { Counts, GameEvent, LogTail } from "./messages";

/**
 * Return the moves to show to a seat: those of the others since its own last turn.
 *
 * Once the own turn is handed over, and until somebody else moves, they are those of that turn. A
 * watcher (null) is shown the last turn.
 */
export function recentMoves(log: GameEvent[], seat: number | null): GameEvent[] {
  const last = log.at(-1);
  if (!last) return [];
  const isOwnTurn = last.seat === seat && !last.ends_turn;
  const before = isOwnTurn ? log.filter((line) => line.turn < last.turn) : log;
  const end = before.at(-1);
  if (!end) return log;
  if (seat === null || end.seat === seat) return before.filter((line) => line.turn === end.turn);
  return before.slice(before.findLastIndex((line) => line.seat === seat) + 1);
}

/** Return the moves turn by turn. */
export function movesByTurn(lines: GameEvent[]): GameEvent[][] {
  const turns = new Map<number, GameEvent[]>();
  for (const line of lines) turns.set(line.turn, [...(turns.get(line.turn) ?? []), line]);
  return [...turns.values()];
}

/**
 * Return what an update adds to a log.
 *
 * A line that was known while its turn could still be undone comes again when the turn is handed
 * over, with the cards that refill the rows: of such a line only those are new.
 */
export function newEvents(log: GameEvent[], logStart: number, tail: LogTail): GameEvent[] {
  return tail.lines.flatMap((line, i) => {
    const known = log[tail.start + i - logStart];
    if (!known || known.number !== line.number) return tail.start + i < logStart ? [] : [line];
    if (!line.arrivals?.length || known.arrivals?.length) return [];
    const { number, turn, seat, arrivals } = line;
    return [{ number, turn, seat, decision: "done", arrivals }];
  });
}

/** Return the tokens that a seat gained, or below 0 lost, in some moves. */
export function tokenChanges(lines: GameEvent[], seat: number): Counts {
  const changes: Counts = {};
  for (const line of lines)
    for (const [kind, n] of Object.entries(line.tokens?.[seat] ?? {})) changes[kind] = (changes[kind] ?? 0) + n;
  return Object.fromEntries(Object.entries(changes).filter(([, n]) => n !== 0));
}

/** Return the points that a seat gained in some moves. */
export function pointsGained(lines: GameEvent[], seat: number): number {
  return lines.reduce((sum, line) => sum + (line.points?.[seat] ?? 0), 0);
}

/** Return the kinds of which tokens were taken from Splendor's supply. */
export function takenPiles(lines: GameEvent[]): Set<string> {
  const gains = lines.filter((line) => !line.taken).flatMap((line) => Object.values(line.tokens ?? {}));
  return new Set(gains.flatMap((change) => Object.keys(change).filter((kind) => (change[kind] ?? 0) > 0)));
}

export type MoveSound = "take" | "buy" | "reveal";

/** Return the sound of a move, null if it has none. */
export function soundOf(lines: GameEvent[]): MoveSound | null {
  if (lines.some((line) => line.gained?.length || parseDecision(line.decision).verb === "reserve")) return "buy";
  if (lines.some((line) => Object.values(line.tokens ?? {}).some((change) => total(change) > 0))) return "take";
  return lines.some((line) => line.laid || line.arrivals?.length) ? "reveal" : null;
}
