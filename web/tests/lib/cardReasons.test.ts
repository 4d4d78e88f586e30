import { afterEach, describe, expect, it, vi } from "vitest";
import { cardReasons } from "../../src/lib/cardReasons";
import { Selection } from "../../src/lib/selection.svelte";
import type { Snapshot } from "../../src/lib/messages";
import { choices, connectedClient, snapshot, turn } from "../fixtures";

afterEach(() => vi.unstubAllGlobals());

function reasons(card: string, fields: Partial<Snapshot>, gold = 0): string[] {
  const client = connectedClient(snapshot(fields));
  const selection = new Selection(() => client);
  selection.selectCard(card);
  return cardReasons(selection, gold, true);
}

const missing = { what: "J3-01", code: "tokens" as const, message: "", missing: { w: 2 } };
const full = { what: "reserve", code: "full" as const, message: "" };

describe("why nothing can be done with a card", () => {
  it("names what is missing and why it cannot be reserved", () => {
    expect(reasons("J3-01", { unavailable: [missing, full] })).toEqual([
      "2 white missing",
      "cannot be reserved: your reserve is full",
    ]);
    expect(reasons("J3-01", { unavailable: [missing] }, 1)).toEqual(["2 white missing (you have 1 gold)"]);
  });

  it("is empty for a card that can be bought", () => {
    expect(reasons("J1-01", { choices: choices("buy J1-01") })).toEqual([]);
  });

  it("is said of what the server says nothing about", () => {
    expect(reasons("R1", {})).toEqual(["a royal comes with the 3rd and the 6th crown"]);
    expect(reasons("deck1", {})).toEqual(["no card is left to reserve"]);
    expect(reasons("deck1", { turn: turn({ is_yours: false }) })).toEqual(["not your turn"]);
  });

  it("is empty without a card", () => {
    const client = connectedClient(snapshot({}));
    expect(cardReasons(new Selection(() => client), 0, true)).toEqual([]);
  });
});
