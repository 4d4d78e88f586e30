import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { arcKeyframes, distance, flightTime, isMotionOff, placeOf, scaled, startTimes } from "../../src/lib/motion";
import { settings } from "../../src/lib/storage.svelte";

beforeEach(() => (settings.speed = "normal"));
afterEach(() => vi.unstubAllGlobals());

const box = (left: number, top: number, width = 40, height = 40) => ({ left, top, width, height });

describe("times", () => {
  it("of flights are 350 to 600 milliseconds, longer for longer ways", () => {
    expect([0, 500, 5000].map((way) => flightTime(way))).toEqual([350, 500, 600]);
  });

  it("are half as long at the fast speed, and nothing when motion is off", () => {
    expect(flightTime(500, "fast")).toBe(250);
    settings.speed = "off";
    expect([flightTime(500), scaled(100)]).toEqual([0, 0]);
  });

  it("of pieces that move together are staggered, and those of many do not take long", () => {
    expect(startTimes(3)).toEqual([0, 80, 160]);
    expect(startTimes(0)).toEqual([]);
    const many = startTimes(25);
    expect(many[1]).toBeGreaterThan(0);
    expect(many.at(-1)).toBeLessThan(500);
  });
});

describe("isMotionOff", () => {
  const reduced = (matches: boolean) => vi.stubGlobal("matchMedia", () => ({ matches }));

  it("follows the setting", () => {
    reduced(false);
    expect(isMotionOff()).toBe(false);
    settings.speed = "off";
    expect(isMotionOff()).toBe(true);
  });

  it("follows the system", () => {
    reduced(true);
    expect(isMotionOff()).toBe(true);
  });
});

describe("placeOf", () => {
  /** Return an element of the page whose box is given. */
  function element(rect: DOMRect): HTMLElement {
    const one = document.createElement("b");
    one.getBoundingClientRect = () => rect;
    document.body.append(one);
    return one;
  }

  it("is the box of a shown element", () => {
    expect(placeOf(element(new DOMRect(5, 6, 40, 30)))).toEqual({ left: 5, top: 6, width: 40, height: 30 });
  });

  it("is null for an element that is not shown: not the corner of the page", () => {
    expect(placeOf(element(new DOMRect(0, 0, 0, 0)))).toBeNull(); // as with display: none
    expect(placeOf(element(new DOMRect(9, 9, 40, 0)))).toBeNull();
    expect(placeOf(null)).toBeNull();
  });

  it("is null for an element that is no longer on the page", () => {
    const gone = element(new DOMRect(5, 6, 40, 30));
    gone.remove();
    expect(placeOf(gone)).toBeNull();
  });
});

describe("arcKeyframes", () => {
  /** Return the offsets and the scale of a keyframe. */
  function read({ transform }: Keyframe): number[] {
    return [...String(transform).matchAll(/-?[\d.]+(?=px|\))/g)].map(([n]) => Number(n));
  }

  it("start at one box and end at the middle of the other, in its size", () => {
    const frames = arcKeyframes(box(100, 100), box(400, 60, 20, 20));
    expect(read(frames[0] as Keyframe)).toEqual([0, 0, 1]);
    expect(read(frames.at(-1) as Keyframe)).toEqual([290, -50, 0.5]);
    expect([frames[0]?.offset, frames.at(-1)?.offset]).toEqual([0, 1]);
  });

  it("bend upwards", () => {
    const [x, y] = read(arcKeyframes(box(0, 100), box(400, 100))[6] as Keyframe);
    expect(x).toBe(200);
    expect(y).toBeLessThan(-50);
  });

  it("bend sideways where the way leads up or down", () => {
    const [x, y] = read(arcKeyframes(box(0, 0), box(10, 400))[6] as Keyframe);
    expect(x).toBeGreaterThan(50);
    expect(y).toBe(200);
  });

  it("fade only at their end", () => {
    const opacities = arcKeyframes(box(0, 0), box(200, 0), 0.5).map((frame) => frame.opacity);
    expect(opacities.slice(0, 9)).toEqual(Array(9).fill(1));
    expect(opacities.at(-1)).toBe(0.5);
  });
});

it("distance is that of the middles", () => expect(distance(box(0, 0, 10, 10), box(25, 35, 20, 20))).toBe(50));
