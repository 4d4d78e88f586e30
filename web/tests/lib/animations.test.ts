import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { animateLog, cancelAnimations, planAnimations } from "../../src/lib/animations";
import { settings } from "../../src/lib/storage.svelte";
import { logLine } from "../fixtures";

describe("planAnimations", () => {
  it("moves tokens from the board to the player", () => {
    const line = logLine("take a1 b1", { seat: 1, taken: { a1: "w", b1: "u" }, tokens: { 1: { w: 1, u: 1 } } });
    expect(planAnimations([line]).moves).toEqual([
      { from: "cell:a1", to: ["purse:1:w"] },
      { from: "cell:b1", to: ["purse:1:u"] },
    ]);
  });

  it("moves gems from Splendor's supply", () => {
    const line = logLine("take wu", { tokens: { 0: { w: 1, u: 1 } } });
    expect(planAnimations([line]).moves).toEqual([
      { from: "supply:w", to: ["purse:0:w"] },
      { from: "supply:u", to: ["purse:0:u"] },
    ]);
  });

  it("moves a bought card to the tableau, its price to the bag or the supply, and deals a new card", () => {
    const line = logLine("buy J1-01", {
      gained: ["J1-01"],
      tokens: { 0: { r: -2 } },
      arrivals: [{ level: 1, slot: 0, card: "J1-09" }],
    });
    expect(planAnimations([line])).toEqual({
      moves: [
        { from: "card:J1-01", to: ["tableau:0"] },
        { from: "purse:0:r", to: ["bag", "supply:r"] },
      ],
      deals: [{ deck: "deck:1", card: "card:J1-09" }],
    });
  });

  it("moves a reserved card from its slot or its deck", () => {
    expect(planAnimations([logLine("reserve J2-05")]).moves).toEqual([{ from: "card:J2-05", to: ["reserve:0"] }]);
    expect(planAnimations([logLine("reserve deck3", { seat: 1 })]).moves).toEqual([
      { from: "deck:3", to: ["reserve:1"] },
    ]);
  });
});

describe("animateLog", () => {
  const line = logLine("take a1", { taken: { a1: "w" } });

  beforeEach(() => {
    settings.motion = true;
    document.body.innerHTML = `<b data-piece="cell:a1"><svg></svg></b><b data-piece="purse:0:w"></b>`;
    for (const element of document.querySelectorAll("b, svg"))
      element.getBoundingClientRect = () => new DOMRect(0, 0, 40, 40);
    Element.prototype.animate = vi.fn(() => ({}) as Animation);
  });
  afterEach(cancelAnimations);

  const copies = () => document.querySelectorAll(".flying").length;

  it("moves a copy of the piece", async () => {
    await animateLog([line]);
    expect(copies()).toBe(1);
    expect(Element.prototype.animate).toHaveBeenCalledOnce();
  });

  it("ends what still moves before it starts again", async () => {
    await animateLog([line]);
    await animateLog([line]);
    expect(copies()).toBe(1);
    cancelAnimations();
    expect(copies()).toBe(0);
  });

  it("does nothing if motion is off, nor for many lines at once", async () => {
    await animateLog(Array(7).fill(line));
    settings.motion = false;
    await animateLog([line]);
    expect(copies()).toBe(0);
  });
});
