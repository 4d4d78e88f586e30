import { beforeEach, describe, expect, it } from "vitest";
import { arrowNavigation, nearestInDirection } from "../../src/lib/arrowNavigation";

const from = { x: 100, y: 100 };

describe("nearestInDirection", () => {
  it("finds the nearest point in each direction", () => {
    const points = [
      { x: 50, y: 100 },
      { x: 150, y: 100 },
      { x: 100, y: 50 },
      { x: 100, y: 150 },
      { x: 250, y: 100 },
    ];
    expect(
      ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].map((key) => nearestInDirection(key, from, points)),
    ).toEqual([0, 1, 2, 3]);
  });

  it("prefers a point straight ahead to a nearer one at the side", () => {
    expect(
      nearestInDirection("ArrowRight", from, [
        { x: 140, y: 130 },
        { x: 160, y: 100 },
      ]),
    ).toBe(1);
  });

  it("finds nothing far to the side, behind, or in the same place", () => {
    expect(nearestInDirection("ArrowRight", from, [{ x: 120, y: 150 }])).toBe(-1);
    expect(nearestInDirection("ArrowRight", from, [{ x: 50, y: 100 }])).toBe(-1);
    expect(nearestInDirection("ArrowRight", from, [from, { x: 103, y: 100 }])).toBe(-1);
  });

  it("ignores other keys", () => expect(nearestInDirection("Enter", from, [{ x: 150, y: 100 }])).toBe(-1));
});

describe("arrowNavigation", () => {
  let part: HTMLElement;

  beforeEach(() => {
    document.body.innerHTML = `<div><button id="a"></button><button id="b"></button><i tabindex="0"></i></div>`;
    part = document.querySelector("div") as HTMLElement;
    for (const [i, button] of [...part.querySelectorAll("button")].entries())
      button.getBoundingClientRect = () => new DOMRect(i * 50, 0, 40, 40);
  });

  function press(key: string, target = document.activeElement): KeyboardEvent {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    target?.dispatchEvent(event);
    return event;
  }

  it("moves the focus and keeps the page from scrolling", () => {
    arrowNavigation(part);
    document.getElementById("a")?.focus();
    expect(press("ArrowRight").defaultPrevented).toBe(true);
    expect(document.activeElement?.id).toBe("b");
    press("ArrowLeft");
    expect(document.activeElement?.id).toBe("a");
  });

  it("does nothing where no button follows, nor outside buttons", () => {
    arrowNavigation(part);
    document.getElementById("b")?.focus();
    expect(press("ArrowRight").defaultPrevented).toBe(false);
    expect(press("ArrowLeft", part.querySelector("i")).defaultPrevented).toBe(false);
    expect(document.activeElement?.id).toBe("b");
  });

  it("stops when it is detached", () => {
    const detach = arrowNavigation(part);
    detach();
    document.getElementById("a")?.focus();
    press("ArrowRight");
    expect(document.activeElement?.id).toBe("a");
  });
});
