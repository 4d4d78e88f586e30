import { describe, expect, it } from "vitest";
import { cardOf, cellsOf, gemsOf, includesAll, kindOf, parseDecision } from "../../src/lib/decisions";

describe("parseDecision", () => {
  it("splits verb and arguments", () => {
    expect(parseDecision("take a1 b1 c1")).toEqual({ verb: "take", args: ["a1", "b1", "c1"] });
    expect(parseDecision("pass")).toEqual({ verb: "pass", args: [] });
  });

  it("leaves out the outcome of chance", () => {
    expect(parseDecision("reserve deck1 > J1-05")).toEqual({ verb: "reserve", args: ["deck1"] });
  });
});

describe("what a choice names", () => {
  it.each([
    ["take a1 b2", ["a1", "b2"]],
    ["gold c3", ["c3"]],
    ["privilege e5", ["e5"]],
    ["collect d4", ["d4"]],
    ["take wug", []],
    ["buy J1-01", []],
  ])("cells of %s", (decision, cells) => {
    expect(cellsOf({ decision })).toEqual(cells);
  });

  it.each([
    ["buy J1-01", "J1-01"],
    ["reserve D2-03", "D2-03"],
    ["reserve deck2", "deck2"],
    ["royal R3", "R3"],
    ["noble N4", "N4"],
    ["use C07", "C07"],
    ["counterfeiter deck", "deck0"],
    ["deck 3", "deck3"],
    ["discount C07 w", null],
    ["take a1", null],
    ["replenish", null],
  ])("card of %s", (decision, card) => {
    expect(cardOf({ decision })).toBe(card);
  });

  it.each([
    ["steal w", "w"],
    ["discard y", "y"],
    ["gold-for p", "p"],
    ["discount C07 v", "v"],
    ["take wug", null],
    ["draw 2", null],
  ])("kind of %s", (decision, kind) => {
    expect(kindOf({ decision })).toBe(kind);
  });

  it.each([
    ["take wug", ["w", "u", "g"]],
    ["take rr", ["r", "r"]],
    ["take a1 b1", []],
    ["discard w", []],
  ])("gems of %s", (decision, gems) => {
    expect(gemsOf({ decision })).toEqual(gems);
  });
});

describe("includesAll", () => {
  it("counts repeated items", () => {
    expect(includesAll(["r", "r"], ["r", "r"])).toBe(true);
    expect(includesAll(["r", "w"], ["r", "r"])).toBe(false);
  });

  it("ignores the order", () => expect(includesAll(["a1", "b1", "c1"], ["c1", "a1"])).toBe(true));

  it("holds for nothing", () => expect(includesAll([], [])).toBe(true));
});
