import { describe, expect, it } from "vitest";
import { describeDecision, groupOf } from "../../src/pages/analysis/describe";
import { addMove, endOf, movesTo, removeMove, rootNode, rootOf, segmentsOf } from "../../src/pages/analysis/moveTree";
import {
  cellOf,
  emptied,
  listOf,
  marked,
  markOf,
  namedCards,
  parseFields,
  printFields,
  printPosition,
  withCell,
  withField,
  withoutDecks,
  withTokens,
} from "../../src/pages/analysis/positionFields";
import type { AnyViewData } from "../../src/lib/messages";

const DUEL =
  "duel/view:0/seat:1/J1:27,13,01,30,04/J2:23,05,02,01/J3:11,08,-/board:ugrk.,wpgyw,uyrpr,gkukw,ukrwy" +
  "/cards0:J1-02,J1-28k/reserved1:J2-03,??1";
const STATE = "splendor-2/seat:0/D1:16,01/N:01,05/reserved0:D2-01?,D2-02/deck1:05,17/known0:D1-05";

describe("the tree of moves", () => {
  const texts = (root: ReturnType<typeof rootNode>) =>
    segmentsOf(root).map(({ depth, nodes }) => [depth, nodes.map((node) => node.text).join(" ")]);

  it("adds a position once", () => {
    const root = rootNode("a");
    expect(addMove(root, "b", null)).toBe(addMove(root, "b", null));
    expect(root.children).toHaveLength(1);
  });

  it("shows each variation after the move that it replaces", () => {
    const root = rootNode("a");
    const b = addMove(root, "b", null);
    const c = addMove(b, "c", null);
    addMove(c, "d", null);
    addMove(addMove(b, "c2", null), "d2", null);
    addMove(root, "b2", null);
    expect(texts(root)).toEqual([
      [0, "b"],
      [1, "b2"],
      [0, "c"],
      [1, "c2 d2"],
      [0, "d"],
    ]);
    expect(endOf(root).text).toBe("d");
    expect(rootOf(c)).toBe(root);
    expect(movesTo(c).map((node) => node.text)).toEqual(["b", "c"]);
  });

  it("removes a move with all that follows", () => {
    const root = rootNode("a");
    const b = addMove(root, "b", null);
    addMove(b, "c", null);
    expect(removeMove(b)).toBe(root);
    expect(texts(root)).toEqual([]);
    expect(removeMove(root)).toBe(root);
  });
});

describe("the fields of a position", () => {
  it("reads what it prints", () => {
    expect(printFields(parseFields(DUEL))).toBe(DUEL);
  });

  it("changes fields without changing the original", () => {
    const fields = parseFields(DUEL);
    expect(printFields(withField(fields, "seat", "0"))).toContain("/seat:0/");
    expect(printFields(withField(fields, "reserved1", ""))).not.toContain("reserved1");
    expect(printFields(fields)).toBe(DUEL);
  });

  it("opens all reserves of a state whose decks are dropped", () => {
    expect(printFields(withoutDecks(parseFields(STATE)))).toBe(
      "splendor-2/seat:0/D1:16,01/N:01,05/reserved0:D2-01,D2-02",
    );
  });

  it("empties a table", () => {
    expect(printFields(emptied(parseFields(DUEL)))).toBe(
      "duel/J1:-,-,-,-,-/J2:-,-,-,-/J3:-,-,-/board:.....,.....,.....,.....,.....",
    );
    expect(printPosition(emptied(parseFields(STATE)))).toBe("splendor-2/D1:-,-/N:none");
  });

  it("places tokens", () => {
    expect(withTokens("wwu", "w", -1)).toBe("wu");
    expect(withTokens("wu", "g", 2)).toBe("wugg");
    const board = parseFields(DUEL).fields.get("board") ?? "";
    expect(cellOf(board, "a2")).toBe("w");
    expect(cellOf(withCell(board, "e1", "p"), "e1")).toBe("p");
  });

  it("hides a reserved card", () => {
    expect(marked("J2-03", "hidden")).toBe("??2");
    expect(marked("J2-03", "own")).toBe("J2-03?");
    expect(marked("J2-03?", "shown")).toBe("J2-03");
    expect(["J2-03", "J2-03?", "??2"].map(markOf)).toEqual(["shown", "own", "hidden"]);
  });

  it("lists the cards that are named", () => {
    const named = namedCards(parseFields(DUEL));
    expect(named.has("J1-28")).toBe(true);
    expect(named.has("J3-08")).toBe(true);
    expect(named.size).toBe(14);
    expect(listOf(parseFields("duel/R:none"), "R")).toEqual([]);
  });
});

describe("decisions in words", () => {
  const table = { kind: "duel", board: { a1: "w", b1: "w", c1: "g" } } as unknown as AnyViewData;

  it("names what is taken, bought and reserved", () => {
    expect(describeDecision("take a1 b1 c1", table)).toContain("(a1 b1 c1)");
    expect(describeDecision("buy J1-05", table)).toBe("Buy J1-05");
    expect(describeDecision("discard w", table)).toBe("Return white");
    expect(["take a1", "buy J1-05", "gold c3", "pass"].map(groupOf)).toEqual(["take", "buy", "reserve", "other"]);
  });
});
