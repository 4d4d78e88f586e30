import { beforeEach, describe, expect, it } from "vitest";
import {
  botName,
  botOption,
  condenseLog,
  defaultBot,
  formatAbility,
  formatCard,
  formatConsequences,
  formatDecision,
  formatGains,
  formatLogLine,
  formatPastDecision,
  formatTokens,
  formatUnavailable,
  isBot,
  playerName,
} from "../../src/lib/format";
import { settings } from "../../src/lib/storage.svelte";
import { bot, card, duel, logLine, seated } from "../fixtures";

beforeEach(() => (settings.language = "en"));

describe("bots", () => {
  it("are recognized by their names in records", () => {
    expect(["random", "greedy", "level:3", "mcts:1s"].map(isBot)).toEqual([true, true, true, true]);
    expect(["Ann", "", "greedy Bob", "level"].map(isBot)).toEqual([false, false, false, false]);
  });

  it("have names", () => {
    expect(["level:3", "greedy", "mcts:1s"].map(botName)).toEqual(["Level 3", "Greedy", "mcts:1s"]);
    settings.language = "fr";
    expect(botName("greedy")).toBe("Glouton");
  });

  it("have a description in lists", () => {
    expect(botOption("greedy")).toBe("Greedy: what looks best now");
    expect(botOption("level:2")).toBe("Level 2");
  });

  it("are preselected by strength, if the server offers them", () => {
    const offered = (...names: string[]) => defaultBot(names.map((name) => ({ bot: name })));
    expect(offered("random", "greedy", "level:2")).toBe("level:2");
    expect(offered("random", "greedy")).toBe("greedy");
    expect(offered()).toBe("random");
  });
});

describe("playerName", () => {
  it("is the person's, or the number of the seat", () => {
    expect(playerName([seated(0, { name: "Ann" }), seated(1)], 0)).toBe("Ann");
    expect(playerName([seated(0), seated(1)], 1)).toBe("Player 2");
    expect(playerName([], 0)).toBe("");
  });

  it("numbers bots of one kind", () => {
    const players = [bot(0, "greedy"), bot(1, "random"), bot(2, "greedy")];
    expect(players.map((_, seat) => playerName(players, seat))).toEqual([
      "Greedy (bot) 1",
      "Random (bot)",
      "Greedy (bot) 2",
    ]);
  });
});

describe("formatTokens", () => {
  it("lists counts in order, with plurals and without signs", () => {
    expect(formatTokens({ p: 2, w: -1 })).toBe("1 white, 2 pearls");
    expect(formatTokens({ p: 1 })).toBe("1 pearl");
    expect(formatTokens(undefined)).toBe("");
  });
});

describe("cards", () => {
  it("are described by points, bonus, cost, crowns and ability", () => {
    const ruby = card("J2-07", { points: 2, color: "r", crowns: 1, ability: "again", cost: { w: 3, p: 1 } });
    expect(formatCard(ruby)).toBe(
      "Jewel card J2-07: 2 points, bonus 1 red, costs 3 white, 1 pearl. Crowns 1. Take another turn",
    );
  });

  it("may have no bonus and no cost", () => {
    const royal = card("R1", { kind: "royal", points: 3, bonus: 0, color: "" });
    expect(formatCard(royal)).toBe("Royal R1: 3 points, bonus nothing, costs nothing");
  });

  it("show the color that a joker took", () => {
    expect(formatCard(card("J1-26", { color: "joker", points: 1 }), "g")).toContain("1 point, bonus 1 green");
  });

  it("have several abilities", () => {
    expect(formatAbility(card("x", { ability: "again+privilege" }))).toBe("Take another turn. Take a privilege");
    expect(formatAbility(card("x", { color: "joker" }))).toBe("Takes the color of one of your bonuses");
    expect(formatAbility(card("x"))).toBe("");
  });

  it("of Counterfeiters say what an ability costs", () => {
    expect(formatAbility(card("C01", { kind: "counterfeiter", ability: "steal" }))).toMatch(/^Spend 1 glassware/);
    expect(formatAbility(card("J1", { ability: "steal" }))).not.toMatch(/glassware/);
  });
});

describe("formatUnavailable", () => {
  it("lists missing tokens, and the gold that does not suffice", () => {
    const reason = { what: "J1-01", code: "tokens", message: "", missing: { w: 2 } };
    expect(formatUnavailable(reason)).toBe("needs 2 white more");
    expect(formatUnavailable(reason, 1)).toBe("needs 2 white more (you have 1 gold)");
  });

  it("gives any other reason", () => {
    expect(formatUnavailable({ what: "reserve", code: "full", message: "" })).toBe("your reserve is full");
  });
});

describe("formatConsequences", () => {
  it("lists what a player should know", () => {
    const choice = { decision: "take a1", wins: true, gives_privilege: true, over_limit: 2, gives_extra_turn: true };
    expect(formatConsequences(choice, duel())).toEqual([
      "wins the game",
      "gives your opponent a privilege",
      "12 tokens: you will return 2",
      "another turn",
    ]);
    expect(formatConsequences({ decision: "take a1" }, duel())).toEqual([]);
  });
});

describe("formatGains", () => {
  it("names features once, without their thresholds", () => {
    expect(formatGains(["points", "points past 15", "the nearest noble", "C07 glass"])).toBe(
      "points, a noble comes nearer, Counterfeiters",
    );
  });
});

describe("decisions", () => {
  it.each([
    ["take a1 b1", "Take", "takes"],
    ["reserve J1-01", "Reserve", "reserves"],
    ["reserve deck2", "Reserve from deck 2", "reserves"],
    ["counterfeiter deck", "Top of the deck", "takes"],
    ["gold-for w", "Gold instead of", "lays gold instead of"],
    ["deck 3", "Deck 3", "looks at deck 3"],
    ["discount C07 w", "Discount of C07", "uses the discount of"],
    ["draw 2", "Draw 2", "draws from the bag"],
  ])("%s", (decision, label, past) => {
    expect(formatDecision(decision)).toBe(label);
    expect(formatPastDecision(decision)).toBe(past);
  });
});

describe("formatLogLine", () => {
  const players = [seated(0, { name: "Ann" }), seated(1, { name: "Bob" })];
  const book = new Map([["J1-01", card("J1-01", { points: 1 })]]);

  it("tells who did what with which card and tokens", () => {
    const line = logLine("buy J1-01", { card: "J1-01", tokens: { 0: { w: -2 } } });
    expect(formatLogLine(line, players, book)).toBe(
      "Ann buys Jewel card J1-01: 1 point, bonus 1 blue, costs nothing 2 white.",
    );
  });

  it("does not name a hidden card", () => {
    expect(formatLogLine(logLine("reserve deck2", { card: "??2" }), players, book)).toBe(
      "Ann reserves a hidden card of level 2.",
    );
    expect(formatLogLine(logLine("reserve deck3"), players, book)).toBe("Ann reserves a hidden card of level 3.");
  });

  it("tells who gets a privilege", () => {
    const line = logLine("replenish", { seat: 1, privileges: { 0: 1, 1: -1 } });
    expect(formatLogLine(line, players, book)).toBe("Bob replenishes the board. Ann gets a privilege.");
  });
});

describe("condenseLog", () => {
  it("leaves out what only goes on", () => {
    const lines = ["buy J1-01", "pay", "done", "royal R1"].map((decision) => logLine(decision));
    expect(condenseLog(lines).map((line) => line.decision)).toEqual(["buy J1-01", "royal R1"]);
  });

  it("merges tokens that were returned one by one", () => {
    const discard = (kind: string) => logLine(`discard ${kind}`, { tokens: { 0: { [kind]: -1 } } });
    const lines = [discard("w"), discard("w"), discard("r"), logLine("take a1")];
    const [first, second] = condenseLog(lines);
    expect(first?.tokens).toEqual({ 0: { w: -2, r: -1 } });
    expect(second?.decision).toBe("take a1");
    expect(lines[0]?.tokens).toEqual({ 0: { w: -1 } }); // the log itself is unchanged
  });
});
