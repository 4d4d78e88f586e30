import { describe, expect, it } from "vitest";
import { planFlights } from "../../src/lib/flightPlan";
import { duel, logLine, player } from "../fixtures";

const ways = (...args: Parameters<typeof planFlights>) =>
  planFlights(...args).map(({ from, to }) => `${from[0]} → ${to[0]}`);

describe("tokens", () => {
  it("go from the board to the player, and count when they land", () => {
    const line = logLine("take a1 b1", { seat: 1, taken: { a1: "w", b1: "u" }, tokens: { 1: { w: 1, u: 1 } } });
    expect(ways(line)).toEqual(["cell:a1 → purse:1:w", "cell:b1 → purse:1:u"]);
    expect(planFlights(line)[0]?.lands).toEqual([
      { counter: "purse:1:w", amount: 1 },
      { counter: "tokens:1", amount: 1 },
    ]);
  });

  it("go from Splendor's supply, one by one", () => {
    const line = logLine("take ww", { tokens: { 0: { w: 2 } } });
    expect(ways(line)).toEqual(["supply:w → purse:0:w", "supply:w → purse:0:w"]);
  });

  it("that are paid go to the supply, or to the bag where there is none", () => {
    const [flight] = planFlights(logLine("buy J1-01", { tokens: { 0: { r: -1 } } }));
    expect([flight?.from[0], flight?.to]).toEqual(["purse:0:r", ["supply:r", "bag"]]);
  });

  it("that are stolen go from purse to purse", () => {
    const line = logLine("steal r", { seat: 1, tokens: { 0: { r: -1 }, 1: { r: 1 } } });
    expect(ways(line)).toEqual(["purse:0:r → purse:1:r"]);
  });

  it("that are many are few copies, but all count", () => {
    const flights = planFlights(logLine("buy D3-01", { tokens: { 0: { r: -7 } } }));
    expect(flights).toHaveLength(4);
    expect(flights.flatMap(({ lands }) => lands.map(({ amount }) => amount))).toEqual([1, 1, 1, 4]);
  });

  it("that are laid come from the bag, after everything else", () => {
    const [flight] = planFlights(logLine("replenish > w", { laid: { c3: "w" } }));
    expect(flight).toMatchObject({ from: ["bag"], to: ["cell:c3"], picture: { token: "w" }, isLate: true });
  });
});

describe("privileges", () => {
  it("go from the table, from the opponent, or back", () => {
    expect(ways(logLine("x", { privileges: { 1: 1 } }))).toEqual(["privileges → privileges:1"]);
    expect(ways(logLine("x", { privileges: { 0: -1, 1: 1 } }))).toEqual(["privileges:0 → privileges:1"]);
    expect(ways(logLine("x", { privileges: { 0: -1 } }))).toEqual(["privileges:0 → privileges"]);
  });
});

describe("cards", () => {
  it("that are bought go to the tableau, with their points and crowns", () => {
    const line = logLine("buy J1-01", { gained: ["J1-01"], points: { 0: 2 }, crowns: { 0: 1 } });
    const [flight] = planFlights(line);
    expect(flight?.from).toEqual(["card:J1-01", "reserve:0"]);
    expect(flight?.to).toEqual(["card:J1-01", "tableau:0", "panel:0"]);
    expect(flight?.isFestive).toBe(false);
    expect(flight?.lands).toEqual([
      { counter: "tableau:0", amount: 1 },
      { counter: "points:0", amount: 2 },
      { counter: "crowns:0", amount: 1 },
    ]);
  });

  it("of royals and nobles are celebrated", () => {
    for (const gained of ["R02", "N07"]) {
      expect(planFlights(logLine(`royal ${gained}`, { gained: [gained] }))[0]?.isFestive).toBe(true);
    }
  });

  it("that are dealt come from their deck with its back, after everything else", () => {
    const line = logLine("buy J1-01", { arrivals: [{ level: 1, slot: 0, card: "J1-09" }] });
    expect(planFlights(line)).toMatchObject([
      { from: ["deck:1"], to: ["card:J1-09"], picture: { back: 1 }, isLate: true },
    ]);
  });

  it("that are reserved go from their slot", () => {
    expect(planFlights(logLine("reserve J2-05"))[0]?.to).toEqual(["card:J2-05", "reserve:0", "panel:0"]);
  });

  it("that are reserved from a deck show their back; whoever may know the card sees it in its place", () => {
    const line = logLine("reserve deck3", { seat: 1 });
    const after = duel({ players: [player(0), player(1, { reserved: ["??2", "??3"] })] });
    expect(planFlights(line, after)[0]).toMatchObject({ from: ["deck:3"], picture: { back: 3 } });
    expect(ways(line, after)).toEqual(["deck:3 → card:??3"]); // not a piece of the page: it goes to the reserve
    expect(planFlights(line, after)[0]?.to).toContain("reserve:1");
    expect(ways(line)).toEqual(["deck:3 → reserve:1"]);
  });
});
