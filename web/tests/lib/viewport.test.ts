import { describe, expect, it } from "vitest";
import { hasSideColumn, modeFor } from "../../src/lib/viewport.svelte";

describe("modeFor", () => {
  it.each([
    [1920, 1080, "wide"],
    [1440, 900, "wide"],
    [1024, 768, "classic"],
    [768, 1024, "tablet"],
    [390, 844, "phone"],
    [360, 640, "phone"],
    [844, 390, "short"],
  ])("%i × %i is %s", (width, height, mode) => expect(modeFor(width, height)).toBe(mode));
});

describe("hasSideColumn", () => {
  it.each([
    ["duel", 1366, 768, true],
    ["duel", 1440, 900, false],
    ["duel+counterfeiters", 1440, 900, true],
    ["duel+counterfeiters", 1024, 768, false],
    ["splendor", 1024, 768, true],
    ["splendor", 844, 390, false],
    ["splendor", 768, 1024, false],
  ] as const)("%s, %i × %i: %s", (game, width, height, expected) =>
    expect(hasSideColumn(game, width, height)).toBe(expected),
  );
});
