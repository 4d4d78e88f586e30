import { expect, it } from "vitest";
import { goalsOf } from "../../src/lib/goals";
import { player, splendorPlayer } from "../fixtures";

it("Duel has three goals, with the leader of each", () => {
  const ann = player(0, { points: 8, crowns: 2, points_by_color: { w: 3, r: 5 } });
  const bob = player(1, { points: 8, crowns: 3, points_by_color: { k: 4 } });
  expect(goalsOf(ann, [ann, bob])).toEqual([
    { name: "points", value: 8, goal: 20, best: 8, isLeading: false },
    { name: "crowns", value: 2, goal: 10, best: 3, isLeading: false },
    { name: "color", value: 5, goal: 10, best: 4, isLeading: true, kind: "r" },
  ]);
  expect(goalsOf(bob, [ann, bob]).map((goal) => goal.isLeading)).toEqual([false, true, false]);
});

it("who needs less may lead with fewer", () => {
  const ann = player(0, { crowns: 6, goals: { points: 20, crowns: 9, color: 10 } });
  const bob = player(1, { crowns: 6 });
  expect(goalsOf(ann, [ann, bob])[1]).toMatchObject({ isLeading: true });
});

it("Splendor has one goal, and at 0 nobody leads", () => {
  const players = [0, 1, 2].map((seat) => splendorPlayer(seat, { goals: { points: 15 } }));
  expect(players.map((one) => goalsOf(one, players))).toEqual(
    players.map(() => [{ name: "points", value: 0, goal: 15, best: 0, isLeading: false }]),
  );
});
