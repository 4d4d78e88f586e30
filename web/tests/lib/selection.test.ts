import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Selection } from "../../src/lib/selection.svelte";
import { settings } from "../../src/lib/storage.svelte";
import type { Snapshot } from "../../src/lib/messages";
import { bot, choices, connectedClient, duel, FakeSocket, player, seated, snapshot, splendor, turn } from "../fixtures";

beforeEach(() => {
  settings.confirmRisky = false;
  settings.pauseAtTurnEnd = "people";
});
afterEach(() => vi.unstubAllGlobals());

function select(fields: Partial<Snapshot>): Selection {
  const client = connectedClient(snapshot(fields));
  return new Selection(() => client);
}

const sent = () =>
  FakeSocket.last.sent.slice(1).map(({ type, decisions, end_turn }) => ({ type, decisions, end_turn }));

describe("cells of the board", () => {
  const table = { choices: choices("take a1", "take b1", "take a1 b1", "take c3", "gold e5", "privilege d4") };

  it("are selectable if a choice names them", () => {
    expect([...select(table).selectableCells].sort()).toEqual(["a1", "b1", "c3", "e5"]);
  });

  it("stay selectable while they extend the selection to a legal choice", () => {
    const selection = select(table);
    selection.toggleCell("a1");
    expect([...selection.selectableCells].sort()).toEqual(["a1", "b1"]);
    expect(selection.cellChoice?.decision).toBe("take a1");
    selection.toggleCell("b1");
    expect(selection.cellChoice?.decision).toBe("take a1 b1");
    selection.toggleCell("a1");
    expect(selection.cells).toEqual(["b1"]);
  });

  it("start a new selection if they do not fit", () => {
    const selection = select(table);
    selection.toggleCell("a1");
    selection.toggleCell("c3");
    expect(selection.cells).toEqual(["c3"]);
    selection.toggleCell("d4"); // no choice outside privilege mode
    expect(selection.cells).toEqual(["c3"]);
  });

  it("are added by dragging, never removed", () => {
    const selection = select(table);
    selection.toggleCell("a1");
    selection.dragTo("b1");
    selection.dragTo("a1");
    selection.dragTo("c3");
    expect(selection.cells).toEqual(["a1", "b1"]);
  });

  it("have no choice until the selection is complete", () => {
    const selection = select({ choices: choices("collect a1 b1") });
    selection.toggleCell("a1");
    expect(selection.cellChoice).toBeUndefined();
  });

  it("are those of privileges in privilege mode", () => {
    const selection = select(table);
    expect(selection.canUsePrivilege).toBe(true);
    selection.toggleCell("a1");
    selection.togglePrivilege();
    expect([selection.cells, [...selection.selectableCells]]).toEqual([[], ["d4"]]);
    selection.togglePrivilege();
    expect(selection.isPrivilegeMode).toBe(false);
  });

  it("are not selectable while a command is under way", () => {
    const client = connectedClient(snapshot(table));
    const selection = new Selection(() => client);
    client.send({ type: "hint" });
    expect(selection.selectableCells.size).toBe(0);
  });
});

describe("gems of the supply", () => {
  const table = { table: splendor(), choices: choices("take wug", "take wur", "take rr", "take r") };

  it("are selectable as far as a choice goes", () => {
    const selection = select(table);
    expect([...selection.selectableGems].sort()).toEqual(["g", "r", "u", "w"]);
    selection.toggleGem("w");
    expect([...selection.selectableGems].sort()).toEqual(["g", "r", "u"]);
    selection.toggleGem("u");
    selection.toggleGem("g");
    expect(selection.gemChoice?.decision).toBe("take wug");
  });

  it("can be taken twice, and a third press removes them", () => {
    const selection = select(table);
    selection.toggleGem("r");
    expect(selection.gemChoice?.decision).toBe("take r");
    selection.toggleGem("r");
    expect(selection.gemChoice?.decision).toBe("take rr");
    selection.toggleGem("r");
    expect(selection.gems).toEqual([]);
  });
});

describe("cards", () => {
  const table = {
    choices: choices("buy J1-01", "reserve J1-01", "reserve deck2", "replenish", "take a1"),
    unavailable: [{ what: "J3-01", code: "tokens", message: "", missing: { w: 2 } }],
  };

  it("have their choices", () => {
    const selection = select(table);
    selection.selectCard("J1-01");
    expect(selection.cardChoices.map((choice) => choice.decision)).toEqual(["buy J1-01", "reserve J1-01"]);
    expect([...selection.choicesByCard.keys()]).toEqual(["J1-01", "deck2"]);
  });

  it("are deselected by a second press, and by cells", () => {
    const selection = select(table);
    selection.selectCard("J1-01");
    selection.selectCard("J1-01");
    expect(selection.card).toBeNull();
    selection.selectCard("J1-01");
    selection.toggleCell("a1");
    expect([selection.card, selection.cells]).toEqual([null, ["a1"]]);
  });

  it("say why they are not available", () => {
    expect(select(table).unavailable.get("J3-01")?.missing).toEqual({ w: 2 });
  });

  it("are among the other choices, cells are not", () => {
    const decisions = select(table).otherChoices.map((choice) => choice.decision);
    expect(decisions).toEqual(["buy J1-01", "reserve J1-01", "reserve deck2", "replenish"]);
  });
});

describe("reserving as one act", () => {
  const table = {
    choices: choices("gold a1", "gold b2", "take c3"),
    reserves: [
      {
        card: "J1-01",
        takes_gold: true,
        ways: [
          ["gold b2", "reserve J1-01"],
          ["gold a1", "reserve J1-01"],
        ],
      },
      { card: "deck2", takes_gold: true, over_limit: 1, ways: [["gold b2", "reserve deck2"]] },
    ],
  };

  it("takes the suggested gold", () => {
    const selection = select(table);
    selection.selectCard("J1-01");
    expect([selection.goldCell, selection.goldCells]).toEqual(["b2", ["b2", "a1"]]);
    selection.submitReserve();
    expect(sent()[0]?.decisions).toEqual(["gold b2", "reserve J1-01"]);
  });

  it("takes another gold that is pressed on the board", () => {
    const selection = select(table);
    selection.selectCard("J1-01");
    selection.toggleCell("a1");
    expect([selection.card, selection.goldCell]).toEqual(["J1-01", "a1"]);
    selection.submitReserve();
    expect(sent()[0]?.decisions).toEqual(["gold a1", "reserve J1-01"]);
  });

  it("is not possible for other cards", () => {
    const selection = select(table);
    selection.selectCard("J1-02");
    selection.submitReserve();
    expect([selection.reserve, sent()]).toEqual([undefined, []]);
  });

  it("asks before the token limit is exceeded, if the player wishes", () => {
    settings.confirmRisky = true;
    const selection = select(table);
    selection.selectCard("deck2");
    selection.submitReserve();
    expect(sent()).toEqual([]);
    selection.submitReserve();
    expect(sent()).toHaveLength(1);
  });
});

describe("returning tokens", () => {
  const own = player(0, { tokens: { w: 2, u: 10 }, token_count: 12 });
  const table = {
    table: duel({ phase: "discard", players: [own, player(1)] }),
    choices: choices("discard w", "discard u"),
  };

  it("chooses them in the purse and sends them together", () => {
    const selection = select(table);
    expect(selection.returnCount).toBe(2);
    selection.toggleReturn("w");
    selection.submitReturn();
    expect(sent()).toEqual([]); // one more
    selection.toggleReturn("u");
    expect(selection.canReturn("u")).toBe(false);
    selection.submitReturn();
    expect(sent()[0]?.decisions).toEqual(["discard w", "discard u"]);
    expect(selection.returned).toEqual([]);
  });

  it("takes a kind back when no more can be chosen", () => {
    const selection = select(table);
    selection.toggleReturn("w");
    selection.toggleReturn("w");
    selection.toggleReturn("w");
    expect(selection.returned).toEqual([]);
    selection.toggleReturn("k"); // there is none
    expect(selection.returned).toEqual([]);
  });
});

describe("a hint", () => {
  it("disappears with what it selected", () => {
    const client = connectedClient(snapshot({ choices: choices("take a1", "buy J1-01") }));
    const selection = new Selection(() => client);
    const hint = { type: "hint" as const, id: "x", version: 1, decision: "take a1", gains: [], candidates: [] };
    client.hint = hint;
    selection.selectDecision("take a1");
    expect(client.hint).toBe(hint);
    selection.selectCard("J1-01");
    expect(client.hint).toBeNull();
    client.hint = hint;
    selection.toggleCell("a1");
    expect(client.hint).toBeNull();
  });
});

describe("selectDecision", () => {
  it.each([
    ["take a1 b1", { cells: ["a1", "b1"], card: null, isPrivilegeMode: false }],
    ["privilege d4", { cells: ["d4"], card: null, isPrivilegeMode: true }],
    ["buy J1-01", { cells: [], card: "J1-01", isPrivilegeMode: false }],
    ["take unknown", { cells: [], card: null, isPrivilegeMode: false }],
  ])("%s", (decision, expected) => {
    const selection = select({ choices: choices("take a1 b1", "privilege d4", "buy J1-01") });
    selection.selectDecision(decision);
    const { cells, card, isPrivilegeMode } = selection;
    expect({ cells, card, isPrivilegeMode }).toEqual(expected);
  });
});

describe("submit", () => {
  it("sends the decision and clears the selection", () => {
    const selection = select({ choices: choices("take a1") });
    selection.toggleCell("a1");
    selection.submit({ decision: "take a1" });
    expect(sent()).toEqual([{ type: "decide", decisions: ["take a1"], end_turn: true }]);
    expect(selection.cells).toEqual([]);
  });

  it("sends all decisions of a payment", () => {
    const selection = select({ choices: choices("buy J1-01") });
    selection.submit({ decision: "buy J1-01" }, ["buy J1-01", "gold-for w", "pay"]);
    expect(sent()[0]?.decisions).toEqual(["buy J1-01", "gold-for w", "pay"]);
  });

  it.each([{ gives_privilege: true }, { over_limit: 1 }])("asks before %j, if the player wishes", (risk) => {
    settings.confirmRisky = true;
    const selection = select({ choices: choices("replenish") });
    const choice = { decision: "replenish", ...risk };
    selection.submit(choice);
    expect(sent()).toEqual([]);
    expect(selection.isAwaitingConfirmation(choice)).toBe(true);
    expect(selection.isAwaitingConfirmation({ decision: "take a1" })).toBe(false);
    selection.submit(choice);
    expect(sent()).toHaveLength(1);
  });

  it("does not ask before a harmless choice", () => {
    settings.confirmRisky = true;
    select({ choices: choices("take a1") }).submit({ decision: "take a1" });
    expect(sent()).toHaveLength(1);
  });
});

describe("the end of a turn", () => {
  const people = [seated(0), seated(1)];
  it.each([
    ["people", people, false],
    ["people", [seated(0), bot(1, "greedy")], true],
    ["never", people, true],
    ["always", [seated(0), bot(1, "greedy")], false],
  ] as const)("pausing: %s", (pause, players, isAutomatic) => {
    settings.pauseAtTurnEnd = pause;
    expect(select({ players: [...players] }).endsTurnAutomatically).toBe(isAutomatic);
  });

  it("is sent only for a complete turn", () => {
    select({}).endTurn();
    expect(sent()).toEqual([]);
    select({ turn: turn({ is_complete: true }) }).endTurn();
    expect(sent()).toMatchObject([{ type: "end_turn" }]);
  });

  it("can be undone or taken back if the server says so", () => {
    const selection = select({});
    selection.undo();
    selection.takeBack();
    expect(sent()).toEqual([]);
    select({ turn: turn({ can_undo: true }) }).undo();
    expect(sent()).toMatchObject([{ type: "undo" }]);
    select({ turn: turn({ can_take_back: true }) }).takeBack();
    expect(sent()).toMatchObject([{ type: "take_back" }]);
  });
});

it("is empty without a client", () => {
  const selection = new Selection(() => null);
  expect([selection.phase, selection.isOwnTurn, selection.choices]).toEqual(["", false, []]);
  expect(select({ table: duel({ phase: "pay" }) }).phase).toBe("pay");
});
