import { beforeEach, describe, expect, it } from "vitest";
import { CLOCKS, formatClock, formatTimeLeft } from "../../src/lib/clocks";
import { settings } from "../../src/lib/storage.svelte";

beforeEach(() => (settings.language = "en"));

it("describes each clock that is offered", () => {
  expect(CLOCKS.map(formatClock)).toEqual([
    "No clock",
    "10 min each, +10 s a turn",
    "25 min each, +15 s a turn",
    "2 min a turn",
    "1 day a turn",
    "3 days a turn",
  ]);
});

it("reads a bank without increment", () => {
  expect(formatClock({ kind: "bank", seconds: 300 })).toBe("5 min each, +0 s a turn");
});

describe("formatTimeLeft", () => {
  it.each([
    [0, "00:00"],
    [59, "00:59"],
    [60, "01:00"],
    [3599, "59:59"],
    [3600, "1:00:00"],
    [86_399, "23:59:59"],
    [86_400, "1 d 00 h"],
    [2 * 86_400 + 5 * 3600, "2 d 05 h"],
  ])("%i seconds", (seconds, text) => {
    expect(formatTimeLeft(seconds)).toBe(text);
  });
});
