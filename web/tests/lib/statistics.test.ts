import { describe, expect, it } from "vitest";
import { resultOf, type FinishedGame } from "../../src/lib/results";
import { opponentOf, statisticsByOpponent, statisticsOf } from "../../src/lib/statistics";

let number = 0;

/** A finished game; winners are seats, and the own seat is 0. */
function finished(winners: number[], fields: Partial<FinishedGame> = {}): FinishedGame {
  number += 1;
  const outcome = { winners, reason: "points" };
  const players = ["Ann", "level:2"];
  return { match: String(number), game: "duel", when: number, seat: 0, players, outcome, turns: 30, ...fields };
}

describe("resultOf", () => {
  it.each([
    [[0], "won"],
    [[1], "lost"],
    [[], "drawn"],
    [[0, 1], "shared"],
  ])("%j is %s", (winners, result) => expect(resultOf(0, winners)).toBe(result));
});

describe("opponentOf", () => {
  it.each([
    [["Ann", "level:2"], "level:2"],
    [["Ann", "Bob"], ""],
    [["Ann", "level:2", "level:2"], "level:2"],
    [["Ann", "level:2", "level:3"], "2"],
    [["Ann", "Bob", "level:3"], ""],
  ])("%j is %j", (players, opponent) => expect(opponentOf({ players, seat: 0 })).toBe(opponent));
});

describe("statistics", () => {
  it("count results", () => {
    const games = [finished([0]), finished([1]), finished([]), finished([0, 1])];
    expect(statisticsOf(games)).toMatchObject({ games: 4, won: 2, drawn: 1, lost: 1 });
    expect(statisticsOf([])).toMatchObject({ games: 0, won: 0, streak: 0, bestStreak: 0 });
  });

  it("count victories in a row in the order of time, however the games are stored", () => {
    const games = [[0], [0], [0], [1], [0], [0]].map((winners) => finished(winners));
    expect(statisticsOf(games)).toMatchObject({ streak: 2, bestStreak: 3 });
    expect(statisticsOf(games.toReversed())).toMatchObject({ streak: 2, bestStreak: 3 });
  });

  it("end a streak with a draw", () => {
    expect(statisticsOf([finished([0]), finished([])])).toMatchObject({ streak: 0, bestStreak: 1 });
  });

  it("are grouped by game and opponent", () => {
    const people = { players: ["Ann", "Bob"] };
    const groups = statisticsByOpponent([
      finished([0], { game: "splendor" }),
      finished([0]),
      finished([1], people),
      finished([1]),
      finished([1], { players: ["Ann", "Cara"] }),
    ]);
    expect(groups.map(({ game, opponent, games, won }) => [game, opponent, games, won])).toEqual([
      ["duel", "", 2, 0],
      ["duel", "level:2", 2, 1],
      ["splendor", "level:2", 1, 1],
    ]);
  });
});
