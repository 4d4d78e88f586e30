import { describe, expect, it } from "vitest";
import {
  movesByTurn,
  newEvents,
  pointsGained,
  recentMoves,
  soundOf,
  takenPiles,
  tokenChanges,
} from "../../src/lib/moves";
import { logLine } from "../fixtures";

/** Return a log: `seats[turn]` is a list of decisions of the seat that its first character names. */
function logOf(...turns: string[]) {
  let number = 0;
  return turns.flatMap((text, turn) => {
    const isOpen = text.endsWith("…"); // the turn goes on
    const decisions = text.slice(1).replace("…", "").split(",");
    return decisions.map((decision, i) =>
      logLine(decision, {
        number: number++,
        turn,
        seat: Number(text[0]),
        ...(i === decisions.length - 1 && !isOpen && { ends_turn: true }),
      }),
    );
  });
}

const decisions = (lines: { decision: string }[]) => lines.map((line) => line.decision);

describe("recentMoves", () => {
  it("are those of all others since the own last turn", () => {
    const log = logOf("0a", "1b", "2c,d", "3e");
    expect(decisions(recentMoves(log, 0))).toEqual(["b", "c", "d", "e"]);
  });

  it("stay the same during the own turn", () => {
    const log = logOf("0a", "1b", "2c", "0d,e…");
    expect(decisions(recentMoves(log, 0))).toEqual(["b", "c"]);
  });

  it("are the own turn until somebody else moves", () => {
    expect(decisions(recentMoves(logOf("1a", "0b,c"), 0))).toEqual(["b", "c"]);
  });

  it("have both turns of an opponent who plays twice", () => {
    expect(decisions(recentMoves(logOf("0a", "1b", "1c"), 0))).toEqual(["b", "c"]);
  });

  it("are those of a turn in progress too", () => {
    expect(decisions(recentMoves(logOf("0a", "1b…"), 0))).toEqual(["b"]);
  });

  it("are the last turn for a watcher", () => {
    expect(decisions(recentMoves(logOf("0a", "1b,c"), null))).toEqual(["b", "c"]);
  });

  it("are the first own decisions, and nothing before", () => {
    expect(decisions(recentMoves(logOf("0a…"), 0))).toEqual(["a"]);
    expect(recentMoves([], 0)).toEqual([]);
  });

  it("can be grouped by turn", () => {
    expect(movesByTurn(logOf("1a", "2b,c")).map(decisions)).toEqual([["a"], ["b", "c"]]);
  });
});

describe("newEvents", () => {
  const known = logOf("0a", "1b…");

  it("are the lines after those that are known", () => {
    const tail = { start: 1, lines: logOf("0a", "1b,c").slice(1) };
    expect(decisions(newEvents(known, 0, tail))).toEqual(["c"]);
  });

  it("are none after an undo", () => {
    expect(newEvents(known, 0, { start: 1, lines: [] })).toEqual([]);
    expect(newEvents(known, 0, { start: 1, lines: known.slice(1) })).toEqual([]);
  });

  it("of a turn that is handed over are the cards that fill the gaps only", () => {
    const arrivals = [{ level: 1, slot: 2, card: "J1-09" }];
    const again = { ...(known[1] as (typeof known)[0]), arrivals, tokens: { 1: { w: -1 } }, ends_turn: true };
    const events = newEvents(known, 0, { start: 1, lines: [again] });
    expect(events).toMatchObject([{ decision: "done", arrivals }]);
    expect(events[0]?.tokens).toBeUndefined();
    expect(newEvents([...known.slice(0, 1), again], 0, { start: 1, lines: [again] })).toEqual([]);
  });

  it("leave out lines before the known part of a long log", () => {
    expect(decisions(newEvents(known.slice(1), 1, { start: 0, lines: logOf("0a", "1b,c") }))).toEqual(["c"]);
  });
});

describe("changes", () => {
  const lines = [
    logLine("take wu", { seat: 1, tokens: { 1: { w: 1, u: 1 } } }),
    logLine("buy D1-01", { seat: 1, tokens: { 1: { w: -1, g: -2 } }, points: { 1: 3 } }),
    logLine("steal r", { seat: 1, tokens: { 1: { r: 1 }, 0: { r: -1 } } }),
  ];

  it("of tokens are summed, and what cancels out is left out", () => {
    expect(tokenChanges(lines, 1)).toEqual({ u: 1, g: -2, r: 1 });
    expect(tokenChanges(lines, 0)).toEqual({ r: -1 });
    expect(tokenChanges([], 0)).toEqual({});
  });

  it("of points are summed", () => expect([0, 1].map((seat) => pointsGained(lines, seat))).toEqual([0, 3]));

  it("of the supply are the kinds that were taken", () => {
    expect([...takenPiles(lines.slice(0, 2))]).toEqual(["w", "u"]);
    expect([...takenPiles([logLine("take a1", { taken: { a1: "w" }, tokens: { 0: { w: 1 } } })])]).toEqual([]);
  });
});

it("a move has the sound of what matters most in it", () => {
  const take = logLine("take wu", { tokens: { 0: { w: 1 } } });
  const buy = logLine("buy J1-01", { gained: ["J1-01"], tokens: { 0: { w: -1 } } });
  const deal = logLine("done", { arrivals: [{ level: 1, slot: 0, card: "J1-02" }] });
  const moves = [[take], [take, buy], [logLine("reserve J1-01")], [deal], [logLine("discard w")], []];
  expect(moves.map(soundOf)).toEqual(["take", "buy", "buy", "reveal", null, null]);
});
