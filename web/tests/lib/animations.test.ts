import { tick } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { finishAnimations, prepareAnimations, shownPiece } from "../../src/lib/animations";
import { sparkPaths } from "../../src/lib/celebrations";
import { shownCount } from "../../src/lib/counters.svelte";
import { settings } from "../../src/lib/storage.svelte";
import { logLine } from "../fixtures";

interface FakeAnimation {
  element: Element;
  keyframes: Keyframe[];
  options: KeyframeAnimationOptions;
  onfinish: () => void;
  cancel: () => void;
}

let started: FakeAnimation[] = [];
const copies = () => document.querySelectorAll<HTMLElement>(".flying").length;
const flights = () => started.filter(({ element }) => element.className === "flying");

/** Put a piece with a picture on the page. */
function piece(name: string, x: number, size = 40): HTMLElement {
  const element = document.createElement("b");
  element.dataset.piece = name;
  element.innerHTML = "<svg></svg>";
  for (const one of [element, element.firstElementChild as Element])
    one.getBoundingClientRect = () => new DOMRect(x, 50, size, size);
  document.body.append(element);
  return element;
}

beforeEach(() => {
  settings.speed = "normal";
  started = [];
  document.body.innerHTML = "";
  Element.prototype.animate = vi.fn(function (this: Element, keyframes: Keyframe[], options: object) {
    const animation = { element: this, keyframes, options, onfinish: () => undefined, cancel: vi.fn() };
    started.push(animation);
    return animation as unknown as Animation;
  }) as Element["animate"];
});
afterEach(finishAnimations);

const line = logLine("take a1", { taken: { a1: "w" }, tokens: { 0: { w: 1 } } });

describe("a flight", () => {
  it("takes a copy of the piece from its old place to its new one", () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 500);
    const duration = prepareAnimations([line])();
    expect(copies()).toBe(1);
    const [flight] = flights();
    expect((flight?.element as HTMLElement).style.left).toBe("100px");
    expect(flight?.keyframes.at(-1)?.transform).toContain("translate(400.0px, 0.0px)");
    expect(flight?.options.duration).toBe(470);
    expect(duration).toBe(470);
  });

  it("changes the counter when it lands, not before", () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 500);
    prepareAnimations([line])();
    expect(shownCount("purse:0:w", 3)).toBe(2);
    flights()[0]?.onfinish();
    expect(shownCount("purse:0:w", 3)).toBe(3);
    expect(copies()).toBe(0);
  });

  it("goes to the first target that is shown", () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 0, 0); // as on a phone
    piece("purse:0", 300);
    prepareAnimations([line])();
    expect((flights()[0]?.element as HTMLElement).dataset.to).toBe("purse:0");
  });

  it("does not go to an element that is not shown, and the counter is right at once", () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 0, 0);
    const duration = prepareAnimations([line])();
    expect([flights().length, duration, shownCount("purse:0:w", 3)]).toEqual([0, 0, 3]);
  });

  it("does not come from an element that is not shown: the piece appears", () => {
    piece("deck:1", 0, 0);
    const card = piece("card:J1-09", 300);
    prepareAnimations([logLine("done", { arrivals: [{ level: 1, slot: 0, card: "J1-09" }] })])();
    expect(copies()).toBe(0);
    expect(started.map(({ element, keyframes }) => [element, keyframes[0]?.opacity])).toEqual([
      [card.firstElementChild, 0],
    ]);
  });
});

describe("a card that is dealt", () => {
  it("comes from its deck, hidden until it has turned over in its place", () => {
    piece("deck:2", 0);
    const card = piece("card:J2-09", 300);
    const duration = prepareAnimations([logLine("done", { arrivals: [{ level: 2, slot: 0, card: "J2-09" }] })])();
    expect(copies()).toBe(2); // on its way, and turning
    expect(duration).toBeGreaterThan(600);
    const ofCard = started.filter(({ element }) => element === card.firstElementChild);
    expect(ofCard.at(-1)?.keyframes[0]?.transform).toContain("rotateY(-90deg)");
    expect(ofCard.some(({ keyframes }) => keyframes.every(({ opacity }) => opacity === 0))).toBe(true);
  });
});

describe("everything", () => {
  it("can be ended at once, with all counters right", async () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 500);
    prepareAnimations([line])();
    finishAnimations();
    await tick();
    expect([copies(), shownCount("purse:0:w", 3)]).toEqual([0, 3]);
    expect(started.every(({ cancel }) => vi.mocked(cancel).mock.calls.length > 0)).toBe(true);
  });

  it("ends when something new is prepared", () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 500);
    prepareAnimations([line])();
    prepareAnimations([line])();
    expect(copies()).toBe(1);
  });

  it("is still if motion is off", () => {
    piece("cell:a1", 100);
    piece("purse:0:w", 500);
    settings.speed = "off";
    expect(prepareAnimations([line])()).toBe(0);
    expect([started.length, shownCount("purse:0:w", 3)]).toEqual([0, 3]);
  });
});

it("a royal that arrives sparkles", () => {
  const royal = piece("card:R02", 100);
  const start = prepareAnimations([logLine("royal R02", { gained: ["R02"] })]);
  royal.remove();
  piece("card:R02", 600);
  start();
  expect(document.querySelectorAll(".spark").length).toBeGreaterThan(8);
  finishAnimations();
  expect(document.querySelectorAll(".spark")).toHaveLength(0);
});

it("sparks fly in all directions", () => {
  const paths = sparkPaths(8, 100);
  const sum = (of: (path: (typeof paths)[0]) => number) => paths.reduce((all, path) => all + of(path), 0);
  expect([sum(({ x }) => x), sum(({ y }) => y)].map((n) => Math.abs(Math.round(n)))).toEqual([0, 0]);
  expect(Math.max(...paths.map(({ x, y }) => Math.hypot(x, y)))).toBeCloseTo(100);
});

it("of several elements for a piece the one that is in sight counts", () => {
  piece("bag", 0, 0);
  const far = piece("bag", innerWidth + 50);
  expect(shownPiece(["nothing", "bag"])?.element).toBe(far);
  const shown = piece("bag", 70);
  expect(shownPiece(["nothing", "bag"])?.element).toBe(shown);
  expect(shownPiece(["nothing"])).toBeNull();
});
