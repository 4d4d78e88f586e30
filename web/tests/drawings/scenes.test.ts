import { describe, expect, it } from "vitest";
import { sceneOf, TIMES, toneOf } from "../../src/drawings/scenes";
import { rows } from "./cards";

const sources = Object.values(
  import.meta.glob<string>("../../src/drawings/Scenes*.svelte", { query: "?raw", import: "default", eager: true }),
).join();
const drawn = new Set([...sources.matchAll(/id="scene-(\w+)"/g)].map(([, name]) => name));

const decks = [
  ["jewels", 67],
  ["developments", 90],
] as const;

describe.each(decks)("the scenes of the %s", (file, count) => {
  const cards = rows(file).map(({ id = "", level, color }) => {
    return { id, level: Number(level), color, scene: sceneOf({ id, level: Number(level) }) };
  });

  it("are drawn for every card", () => {
    expect(cards).toHaveLength(count);
    expect(cards.filter(({ scene }) => !scene || !drawn.has(scene.name))).toEqual([]);
  });

  it("differ between all cards of a level and color", () => {
    const names = cards.map(({ level, color, scene }) => `${level} ${color} ${scene?.name}`);
    expect(new Set(names).size).toBe(count);
  });

  it.each([1, 2, 3])("of level %i are at least six, at every time of day", (level) => {
    const scenes = cards.filter((card) => card.level === level).map(({ scene }) => scene);
    expect(new Set(scenes.map((scene) => scene?.name)).size).toBeGreaterThanOrEqual(6);
    expect(new Set(scenes.map((scene) => scene?.time))).toEqual(new Set(TIMES));
  });
});

it("every Counterfeiter has a scene", () => {
  const scenes = rows("counterfeiters").map(({ id = "" }) => sceneOf({ id, level: 0 })?.name);
  expect(scenes).toHaveLength(17);
  expect(scenes.filter((name) => !drawn.has(name))).toEqual([]);
});

it("a person has no scene", () => {
  expect(sceneOf({ id: "X", level: 1 })).toBeUndefined();
  expect(sceneOf({ id: "J4-01", level: 4 })).toBeUndefined();
});

it("the palette is that of the bonus", () => {
  expect(toneOf({ kind: "jewel", color: "u" })).toBe("u");
  expect(toneOf({ kind: "jewel", color: "joker" })).toBe("joker");
  expect(toneOf({ kind: "jewel", color: "joker" }, "g")).toBe("g");
  expect(toneOf({ kind: "jewel", color: "" })).toBe("plain");
  expect(toneOf({ kind: "counterfeiter", color: "g" })).toBe("v");
});
