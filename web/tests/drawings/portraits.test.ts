import { describe, expect, it } from "vitest";
import { botPortrait, portraitOf } from "../../src/drawings/portraits";
import { SAMPLE_CARDS } from "../../src/drawings/sampleCards";
import parts from "../../src/drawings/PortraitParts.svelte?raw";
import theme from "../../src/theme.css?raw";
import { rows } from "./cards";

const drawn = new Set([...parts.matchAll(/id="part-(\w+)"/g)].map(([, name]) => name));
const ids = [...rows("royals"), ...rows("nobles")].map(({ id = "" }) => id);
const people = ids.map(portraitOf);
const bots = [1, 2, 3, 4, 5, 6, 7, 8, null].map(botPortrait);

describe("portraits", () => {
  it("are different for all royals, nobles and bots", () => {
    expect(ids).toHaveLength(22);
    expect(new Set([...people, ...bots].map((person) => JSON.stringify(person))).size).toBe(31);
  });

  it("consist of parts and colors that exist", () => {
    const all = [...people, ...bots];
    expect(all.flatMap((person) => person.parts).filter((part) => !drawn.has(part))).toEqual([]);
    const colors = all.flatMap(({ tone, skin, hair, robe, trim }) => [
      `.tone-${tone} {`,
      `--skin-${skin}:`,
      `--hair-${hair}:`,
      `--robe-${robe}:`,
      `--trim-${trim}:`,
    ]);
    expect(colors.filter((color) => !theme.includes(color))).toEqual([]);
  });

  it("of other bots is an automaton", () => {
    for (const level of [null, 0, 9, 2.5]) expect(botPortrait(level).parts).toContain("automaton");
  });
});

it("the cards of the still life are printed like this", () => {
  const printed = [...rows("jewels"), ...rows("developments"), ...rows("royals")];
  const names = { w: "white", u: "blue", g: "green", r: "red", k: "black", p: "pearl" };
  for (const card of SAMPLE_CARDS) {
    const row = printed.find(({ id }) => id === card.id) ?? {};
    expect(Number(row.points)).toBe(card.points);
    expect(row.ability ?? "").toBe(card.ability);
    if (card.color) expect(row.color).toBe(names[card.color as keyof typeof names]);
    for (const [kind, name] of Object.entries(names)) expect(Number(row[name] ?? 0)).toBe(card.cost[kind] ?? 0);
  }
});
