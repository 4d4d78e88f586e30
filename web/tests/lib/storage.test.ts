import { beforeEach, describe, expect, it, vi } from "vitest";
import type { MatchCreated } from "../../src/lib/messages";

/** Load the module as a page does that finds these values in the browser's storage. */
async function load(stored: { settings?: object; games?: object[] } = {}) {
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
    expect(settings).toMatchObject({ name: "", theme: "dark", motion: true, pauseAtTurnEnd: "people" });
  });

  it("are read and written", async () => {
    const { settings, saveSettings } = await load({ settings: { name: "Ann", theme: "light" } });
    expect(settings).toMatchObject({ name: "Ann", theme: "light", motion: true });
    settings.motion = false;
    saveSettings();
    expect(stored("settings")).toMatchObject({ name: "Ann", theme: "light", motion: false });
  });

  it("of version 0.1 are understood and stored under their new names", async () => {
    const { settings, saveSettings } = await load({ settings: { asks: true, holds: "always" } });
    expect(settings).toMatchObject({ confirmRisky: true, pauseAtTurnEnd: "always" });
    saveSettings();
    expect(stored("settings")).toMatchObject({ confirmRisky: true, pauseAtTurnEnd: "always" });
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

  it("can be forgotten", async () => {
    const { forgetGame, ownGame, rememberCreated } = await load();
    rememberCreated(created, false);
    forgetGame("m1");
    expect(ownGame("m1")).toBeUndefined();
    expect(stored("games")).toEqual([]);
  });
});
