import { beforeEach, describe, expect, it, vi } from "vitest";
import type { MatchCreated } from "../../src/lib/messages";

/** Load the module as a page does that finds these values in the browser's storage. */
async function load(stored: { settings?: object; games?: object[]; results?: object[]; choice?: object } = {}) {
  localStorage.clear();
  for (const [name, value] of Object.entries(stored)) localStorage.setItem(`parure.${name}`, JSON.stringify(value));
  vi.resetModules();
  return import("../../src/lib/storage.svelte");
}

const stored = (name: string) => JSON.parse(localStorage.getItem(`parure.${name}`) ?? "null");

beforeEach(() => vi.restoreAllMocks());

describe("settings", () => {
  it("have defaults", async () => {
    const { settings } = await load();
    expect(settings).toMatchObject({ name: "", theme: "dark", speed: "normal", pauseAtTurnEnd: "people" });
  });

  it("are read and written", async () => {
    const { settings, saveSettings } = await load({ settings: { name: "Ann", theme: "light" } });
    expect(settings).toMatchObject({ name: "Ann", theme: "light", speed: "normal" });
    settings.speed = "fast";
    saveSettings();
    expect(stored("settings")).toMatchObject({ name: "Ann", theme: "light", speed: "fast" });
  });

  it("of version 0.1 are understood and stored under their new names", async () => {
    const { settings, saveSettings } = await load({ settings: { asks: true, holds: "always", motion: false } });
    expect(settings).toMatchObject({ confirmRisky: true, pauseAtTurnEnd: "always", speed: "off" });
    saveSettings();
    expect(stored("settings")).toMatchObject({ confirmRisky: true, pauseAtTurnEnd: "always", speed: "off" });
    expect(stored("settings")).not.toHaveProperty("asks");
  });

  it("survive a storage that is broken or forbidden", async () => {
    vi.spyOn(Storage.prototype, "getItem").mockReturnValue("{not json");
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
      throw new DOMException("no storage", "QuotaExceededError");
    });
    const { settings, saveSettings, games } = await load();
    expect(settings.theme).toBe("dark");
    expect(games.own).toEqual([]);
    expect(saveSettings).not.toThrow();
  });
});

describe("matchLanguage", () => {
  it.each([
    [["fr-CA", "en"], "fr"],
    [["de-DE", "es-MX"], "es"],
    [["de", "it"], "en"],
    [["EN-us"], "en"],
    [[], "en"],
  ])("%j is %s", async (tags, language) => {
    const { matchLanguage } = await load();
    expect(matchLanguage(tags)).toBe(language);
  });
});

describe("games", () => {
  const created: MatchCreated = {
    match: "m1",
    game: "duel",
    seat: 0,
    seats: [
      { seat: 0, name: "Ann", bot: null, key: "k0", link: "l0" },
      { seat: 1, name: "Bob", bot: null, key: "k1", link: "l1" },
      { seat: 2, name: "", bot: "greedy", key: null, link: null },
    ],
    watch: { key: "kw", link: "lw" },
    creator_key: "kc",
    is_local_only: false,
    has_known_decks: false,
  };

  it("that were created keep the links for the other people", async () => {
    const { rememberCreated, ownGame } = await load();
    rememberCreated(created, false);
    expect(ownGame("m1")).toMatchObject({
      key: "k0",
      here: [],
      creator: "kc",
      invitations: [{ seat: 1, link: "l1" }],
      watch: "lw",
    });
    expect(stored("games")).toHaveLength(1);
  });

  it("at one screen keep the keys of all people", async () => {
    const { rememberCreated } = await load();
    expect(rememberCreated(created, true)).toMatchObject({ here: ["k0", "k1"], invitations: [] });
  });

  it("that were joined do not replace what is known", async () => {
    const { games, rememberCreated, rememberJoined } = await load();
    rememberCreated(created, false);
    rememberJoined("m1", "duel", "k9");
    expect(games.own).toHaveLength(1);
    expect(games.own[0]?.key).toBe("k0");
  });

  it("may be joined with several keys", async () => {
    const { ownGame, rememberJoined } = await load();
    rememberJoined("m2", "duel", "one+two");
    expect(ownGame("m2")).toMatchObject({ key: "one", here: ["one", "two"], creator: "" });
    rememberJoined("m3", "duel", "one");
    expect(ownGame("m3")).toMatchObject({ key: "one", here: [] });
  });

  it("are listed newest first, forty at most", async () => {
    const { games, rememberJoined } = await load();
    for (let i = 0; i < 45; i++) rememberJoined(`m${i}`, "duel", "k");
    expect(games.own).toHaveLength(40);
    expect(games.own[0]?.match).toBe("m44");
  });

  it("keep a new key beside the old one until it is confirmed", async () => {
    const { otherKey, ownGame, proposeKey, rememberCreated, replaceKey } = await load();
    rememberCreated(created, false);
    expect(otherKey("m1", "k0")).toBeUndefined();
    proposeKey("m1", "new");
    expect(ownGame("m1")).toMatchObject({ key: "k0", newKey: "new" });
    expect(otherKey("m1", "k0")).toBe("new"); // the answer was lost: the old key may be invalid
    replaceKey("m1", "new");
    expect(stored("games")).toMatchObject([{ match: "m1", key: "new", creator: "kc" }]);
    expect(ownGame("m1")?.newKey).toBeUndefined();
    expect(otherKey("m1", "k0")).toBe("new"); // an old bookmark
    expect(otherKey("m1", "new")).toBeUndefined();
    proposeKey("m9", "new");
    expect(ownGame("m9")).toBeUndefined();
  });

  it("get keys that nobody can guess", async () => {
    const { randomKey } = await load();
    const keys = Array.from({ length: 50 }, randomKey);
    for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9_-]{24}$/);
    expect(new Set(keys).size).toBe(50);
  });

  it("can be forgotten", async () => {
    const { forgetGame, ownGame, rememberCreated } = await load();
    rememberCreated(created, false);
    forgetGame("m1");
    expect(ownGame("m1")).toBeUndefined();
    expect(stored("games")).toEqual([]);
  });
});

describe("the last choice of a game", () => {
  it("is Duel against a bot at first", async () => {
    const { lastChoice } = await load();
    expect(lastChoice).toMatchObject({ mode: "bot", game: "duel", bots: [] });
  });

  it("is remembered", async () => {
    const { lastChoice, saveChoice } = await load({ choice: { game: "splendor", seats: 3 } });
    expect(lastChoice).toMatchObject({ mode: "bot", game: "splendor", seats: 3 });
    lastChoice.bots = ["level:5"];
    saveChoice();
    expect(stored("choice")).toMatchObject({ game: "splendor", bots: ["level:5"] });
  });
});

describe("results", () => {
  const result = (match: string, when: number, winners = [0]) => ({
    match,
    game: "duel" as const,
    when,
    seat: 0,
    players: ["Ann", "level:1"],
    outcome: { winners, reason: "points" },
    turns: 30,
  });

  it("are stored once for each match, the newest first", async () => {
    const { rememberResult, results } = await load({ results: [result("a", 10)] });
    rememberResult(result("b", 20));
    rememberResult(result("a", 30)); // the same result, seen again later
    expect(results.list.map(({ match, when }) => [match, when])).toEqual([
      ["b", 20],
      ["a", 10],
    ]);
    expect(stored("results")).toHaveLength(2);
  });

  it("are replaced if the match was played on and ended otherwise", async () => {
    const { rememberResult, results } = await load({ results: [result("a", 10)] });
    rememberResult(result("a", 30, [1]));
    expect(results.list).toEqual([result("a", 30, [1])]);
  });

  it("are forgotten when the end is taken back, or all at once", async () => {
    const { forgetAllResults, forgetResult, results } = await load({ results: [result("a", 10), result("b", 5)] });
    forgetResult("a");
    forgetResult("unknown");
    expect(stored("results")).toEqual([result("b", 5)]);
    forgetAllResults();
    expect([results.list, stored("results")]).toEqual([[], []]);
  });
});
