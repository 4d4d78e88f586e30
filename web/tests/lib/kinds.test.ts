import { describe, expect, it } from "vitest";
import { CELLS, countsInOrder, kindsOf, SPIRAL, total } from "../../src/lib/kinds";

describe("counts", () => {
  it("are ordered by kind, without zeros", () => {
    expect(countsInOrder({ y: 1, k: 0, w: 2, p: 3 })).toEqual([
      ["w", 2],
      ["p", 3],
      ["y", 1],
    ]);
  });

  it("keep their sign", () => expect(countsInOrder({ r: -2 })).toEqual([["r", -2]]));

  it("may be absent", () => {
    expect(countsInOrder(undefined)).toEqual([]);
    expect(total(undefined)).toBe(0);
  });

  it("add up", () => expect(total({ w: 2, u: 3 })).toBe(5));
});

describe("kindsOf", () => {
  it("has pearls in Duel only, glassware with the Counterfeiters only", () => {
    expect(kindsOf("splendor").join("")).toBe("wugrky");
    expect(kindsOf("duel").join("")).toBe("wugrkpy");
    expect(kindsOf("duel+counterfeiters").join("")).toBe("wugrkpvy");
  });
});

describe("the board", () => {
  it("has 25 cells, row by row", () => {
    expect(CELLS).toHaveLength(25);
    expect(CELLS.slice(0, 6)).toEqual(["a1", "b1", "c1", "d1", "e1", "a2"]);
  });

  it("has a spiral over all cells whose steps are neighbours", () => {
    expect([...SPIRAL].sort()).toEqual([...CELLS].sort());
    const xy = SPIRAL.map((cell) => [cell.charCodeAt(0), Number(cell[1])] as const);
    xy.slice(1).forEach(([x, y], i) => {
      const [px, py] = xy[i] ?? [0, 0];
      expect(Math.abs(x - px) + Math.abs(y - py)).toBe(1);
    });
  });
});
