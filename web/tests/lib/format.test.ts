import { beforeEach, describe, expect, it } from "vitest";
import {
  botLevel,
  botLine,
  botName,
  botTitle,
  condenseLog,
  defaultBot,
  fillNames,
  formatAbility,
  formatCard,
  formatConsequences,
  formatDate,
  formatDecision,
  splitAtCards,
  formatLogLine,
  formatPastDecision,
  formatPrivilege,
  formatResult,
  formatTokens,
  formatUnavailable,
  isBot,
  playerName,
  playerNames,
} from "../../src/lib/format";
import { settings } from "../../src/lib/storage.svelte";
import { bot, card, duel, logLine, seated } from "../fixtures";

beforeEach(() => (settings.language = "en"));

describe("texts of the server", () => {
  it("get the names of the players", () => {
    expect(fillNames("{0} beats {1}.", ["Ann", "Bob"])).toBe("Ann beats Bob.");
  });
});

describe("bots", () => {
  it("are recognized by their names in records", () => {
    expect(["random", "greedy", "level:3", "mcts:1s"].map(isBot)).toEqual([true, true, true, true]);
    expect(["Ann", "", "greedy Bob", "level"].map(isBot)).toEqual([false, false, false, false]);
  });

  it("have names, and those with a level one that is the same in all languages", () => {
    expect(["level:3", "greedy", "mcts:1s"].map(botName)).toEqual(["Amara", "Greedy", "mcts:1s"]);
    settings.language = "fr";
    expect(["level:3", "greedy"].map(botName)).toEqual(["Amara", "Glouton"]);
  });

  it("of eight levels have eight names and say how they play", () => {
    const levels = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `level:${n}`);
    expect(new Set(levels.map(botName)).size).toBe(8);
    expect(new Set(levels.map(botLine)).size).toBe(8);
    expect(levels.map(botLevel)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(["level:0", "level:9", "greedy", "mcts:1s"].map(botLevel)).toEqual([null, null, null, null]);
  });

  it("are described in lists", () => {
    expect(["level:2", "greedy"].map(botTitle)).toEqual(["Tomás, level 2", "Greedy"]);
    expect(botLine("greedy")).toMatch(/looks best/);
    expect(botLine("mcts:1s")).toBe("");
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
    expect(players.map((_, seat) => playerName(players, seat))).toEqual(["Greedy 1", "Random", "Greedy 2"]);
  });

  it("is You for the own seat", () => {
    const players = [seated(0, { name: "Ann" }), bot(1, "level:1")];
    expect([0, 1].map((seat) => playerName(players, seat, 0))).toEqual(["You", "Pip"]);
    expect(playerName(players, 0, null)).toBe("Ann");
  });

  it("is known from a summary too", () => {
    expect(playerNames(["Ann", "level:1", ""], 0)).toEqual(["You", "Pip", "Player 3"]);
    expect(playerNames(["Ann"])).toEqual(["Ann"]);
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
    const ruby = card("J2-07", { level: 2, points: 2, color: "r", crowns: 1, ability: "again", cost: { w: 3, p: 1 } });
    expect(formatCard(ruby)).toBe(
      "Jewel card of level 2: 2 points, bonus 1 red, 1 crown, costs 3 white, 1 pearl. Take another turn",
    );
  });

  it("may have no bonus and no cost", () => {
    const royal = card("R1", { kind: "royal", points: 3, bonus: 0, color: "" });
    expect(formatCard(royal)).toBe("Royal: 3 points");
  });

  it("that are nobles say for which bonuses they come", () => {
    const noble = card("N01", { kind: "noble", points: 3, bonus: 0, color: "", cost: { w: 4, u: 4 } });
    expect(formatCard(noble)).toBe("Noble: 3 points, comes for bonuses of 4 white, 4 blue");
  });

  it("are never called by their ids", () => {
    for (const language of ["en", "fr", "es"] as const) {
      settings.language = language;
      expect(formatCard(card("J2-07", { cost: { w: 1 } }))).not.toMatch(/J2|nothing|rien|nada/);
    }
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
    expect(formatUnavailable(reason)).toBe("2 white missing");
    expect(formatUnavailable(reason, 1)).toBe("2 white missing (you have 1 gold)");
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

describe("splitAtCards", () => {
  it("replaces ids by cards, and leaves what is no card", () => {
    const jewel = card("J1-01");
    const book = new Map([["J1-01", jewel]]);
    expect(splitAtCards("buys J1-01: 1 point", book)).toEqual(["buys ", jewel, ": 1 point"]);
    expect(splitAtCards("takes R99", book).join("")).toBe("takes R99");
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
    ["discount C07 w", "Discount: Counterfeiter", "uses the discount of"],
    ["draw 2", "Draw 2", "draws from the bag"],
  ])("%s", (decision, label, past) => {
    expect(formatDecision(decision)).toBe(label);
    expect(formatPastDecision(decision)).toBe(past);
  });

  it("are told to the player who made them", () => {
    expect(formatPastDecision("take a1", true)).toBe("take");
    settings.language = "fr";
    expect(formatPastDecision("take a1", true)).toBe("prenez");
    expect(formatPastDecision("take a1")).toBe("prend");
  });

  it("name a Counterfeiter by what it does", () => {
    const book = new Map([["C07", card("C07", { kind: "counterfeiter", ability: "discount-pearl" })]]);
    expect(formatDecision("discount C07", book)).toBe("Discount: Paying: 1 glassware takes 1 off the pearls");
    expect(formatDecision("use C07")).toBe("Use: Counterfeiter");
  });
});

describe("formatLogLine", () => {
  const players = [seated(0, { name: "Ann" }), seated(1, { name: "Bob" })];
  const book = new Map([["J1-01", card("J1-01", { points: 1 })]]);

  it("tells who did what with which card and tokens", () => {
    const line = logLine("buy J1-01", { card: "J1-01", tokens: { 0: { w: -2 } } });
    expect(formatLogLine(line, players, book)).toBe(
      "Ann buys Jewel card of level 1: 1 point, bonus 1 blue, for 2 white.",
    );
    const reserved = logLine("reserve J1-01", { card: "J1-01", tokens: { 0: { y: 1 } } });
    expect(formatLogLine(reserved, players, book)).toMatch(/bonus 1 blue, with 1 gold\.$/);
    expect(formatLogLine(logLine("take a1", { tokens: { 0: { w: 1 } } }), players, book)).toBe("Ann takes 1 white.");
  });

  it("calls the own player You", () => {
    const line = logLine("take a1", { tokens: { 0: { w: 1 } }, privileges: { 1: 1 } });
    expect(formatLogLine(line, players, book, 0)).toBe("You take 1 white. Bob gets a privilege.");
    expect(formatPrivilege(players, 1, 1)).toBe("You get a privilege");
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

describe("results", () => {
  const players = ["Ann", "level:1"];

  it("say how a game ended for oneself", () => {
    expect(formatResult({ winners: [0], reason: "crowns" }, 0, players, 30)).toBe("Won by crowns");
    expect(formatResult({ winners: [1], reason: "points" }, 0, players, 30)).toBe("Lost by prestige points");
    expect(formatResult({ winners: [], reason: "limit" }, 0, players, 1)).toBe("Draw after 1 turn");
    expect(formatResult({ winners: [0, 1], reason: "points" }, 0, players, 30)).toMatch(/^Shared victory/);
  });

  it("say who won if several people sat at the screen", () => {
    expect(formatResult({ winners: [0], reason: "crowns" }, null, players, 30)).toBe("Ann wins by crowns");
    expect(formatResult({ winners: [], reason: "stalemate" }, null, players, 30)).toMatch(/^A draw/);
  });

  it("have a date in the selected language", () => {
    const date = new Date(2026, 10, 18).getTime();
    expect(formatDate(date)).toMatch(/Nov/);
    settings.language = "fr";
    expect(formatDate(date)).toMatch(/18 nov/);
  });
});
