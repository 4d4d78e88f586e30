import { describe, expect, it, vi } from "vitest";
import type { ReviewedTurn, ReviewProgress } from "../../src/lib/messages";
import { curveOf, joinTurns, momentsOf, ReviewReader, signedPoints, turnAt } from "../../src/lib/review.svelte";
import { marksAt, piecesOf } from "../../src/lib/reviewMarks";

function turn(start: number, decisions: string[], more: Partial<ReviewedTurn> = {}): ReviewedTurn {
  return {
    turn: start,
    seat: 0,
    start,
    decisions,
    before: 0.5,
    after: 0.5,
    loss: 0,
    kind: "",
    best: decisions[0] ?? "",
    step: start,
    line: [],
    reasons: [],
    reason: "",
    luck: 0,
    values: [0.6, 0.4],
    lucks: [0, 0],
    luck_error: 0,
    is_forced: false,
    words: {},
    ...more,
  };
}

const progress = (more: Partial<ReviewProgress>): ReviewProgress => ({
  status: "running",
  reviewed: 0,
  decisions: 4,
  start: 0,
  turns: [],
  values: [],
  seats: [],
  story: {},
  ...more,
});

describe("a review", () => {
  const turns = [turn(0, ["take wug"]), turn(1, ["take urk", "discard w"], { kind: "mistake", best: "buy D1-02" })];

  it("joins what comes in parts", () => {
    expect(joinTurns(turns.slice(0, 1), progress({ start: 1, turns: turns.slice(1) }))).toEqual(turns);
    expect(joinTurns(turns, progress({ start: 0, turns: turns.slice(0, 1) }))).toEqual(turns.slice(0, 1));
  });

  it("finds turns and moments", () => {
    expect(turnAt(turns, 2)).toBe(turns[1]);
    expect(turnAt(turns, 3)).toBeUndefined();
    expect(momentsOf(turns)).toEqual([turns[1]]);
  });

  it("draws a point before each turn and one after the last", () => {
    const points = curveOf(turns, [1, 0], 0, 3);
    expect(points.map(({ x, value }) => [Math.round(3 * x), value])).toEqual([
      [0, 0.6],
      [1, 0.6],
      [3, 1],
    ]);
    expect(curveOf([], [], 0, 0)).toEqual([]);
  });

  it("gives points their sign", () => {
    expect([0.114, -0.2, 0.001].map(signedPoints)).toEqual(["+11", "−20", "0"]);
  });

  it("is read until it is done, also after an error that passes", async () => {
    vi.useFakeTimers();
    const answers = [
      new Response(JSON.stringify({ error: { code: "rate", message: "" } }), { status: 429 }),
      new Response(JSON.stringify(progress({ turns: turns.slice(0, 1) }))),
      new Response(JSON.stringify(progress({ status: "done", start: 1, turns: turns.slice(1) }))),
    ];
    const asked: string[] = [];
    vi.stubGlobal("fetch", (address: string) => {
      asked.push(address);
      return Promise.resolve(answers.shift());
    });
    const reader = new ReviewReader("m", "");
    await reader.read();
    await vi.runAllTimersAsync();
    expect(asked.map((address) => address.split("?")[1])).toEqual(["from=0", "from=0", "from=1"]);
    expect(reader.isDone).toBe(true);
    expect(reader.turns).toEqual(turns);
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
});

describe("marks on the table", () => {
  it("name the pieces of a decision", () => {
    expect(piecesOf("take a1 b1 c1 > w", 0)).toEqual(["cell:a1", "cell:b1", "cell:c1"]);
    expect(piecesOf("take ww", 0)).toEqual(["supply:w"]);
    expect(piecesOf("buy J2-05", 0)).toEqual(["card:J2-05"]);
    expect(piecesOf("reserve deck2", 0)).toEqual(["deck:2"]);
    expect(piecesOf("discard w", 1)).toEqual(["purse:1:w"]);
    expect(piecesOf("replenish", 1)).toEqual(["bag"]);
  });

  it("show what was better only where most was lost", () => {
    const moment = turn(4, ["take wug", "discard w"], { kind: "blunder", best: "buy D1-02", step: 4 });
    expect(marksAt(moment, 4)).toMatchObject({ better: ["card:D1-02"], kind: "blunder" });
    expect(marksAt(moment, 5)).toMatchObject({ played: ["purse:0:w"], better: [], kind: "" });
    expect(marksAt(turn(4, ["take wug"]), 4)).toMatchObject({
      played: ["supply:w", "supply:u", "supply:g"],
      better: [],
    });
  });
});
