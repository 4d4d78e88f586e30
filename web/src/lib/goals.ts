/** How far a player is on each way to win, and who leads. */

import { GEMS } from "./kinds";
import type { AnyPlayerData } from "./messages";

export interface GoalProgress {
  name: "points" | "crowns" | "color";
  value: number;
  goal: number;
  best: number; // the value of the best other player
  isLeading: boolean; // nearer to its goal than all others
  kind?: string; // of `color`: the color with most points
}

function bestColor(player: AnyPlayerData): string {
  const points = "points_by_color" in player ? player.points_by_color : {};
  return GEMS.reduce<string>((best, kind) => ((points[kind] ?? 0) > (points[best] ?? 0) ? kind : best), GEMS[0]);
}

function valueOf(player: AnyPlayerData, name: GoalProgress["name"]): number {
  if (name === "points" || !("crowns" in player)) return player.points;
  return name === "crowns" ? player.crowns : (player.points_by_color[bestColor(player)] ?? 0);
}

/** Return the ways to win that the goals of a player name. */
export function goalsOf(player: AnyPlayerData, players: AnyPlayerData[]): GoalProgress[] {
  const others = players.filter((other) => other.seat !== player.seat);
  return (["points", "crowns", "color"] as const).flatMap((name) => {
    const goal = player.goals[name];
    if (!goal) return [];
    const value = valueOf(player, name);
    const rivals = others.map((other) => ({ value: valueOf(other, name), goal: other.goals[name] ?? goal }));
    const isLeading = value > 0 && rivals.every((rival) => rival.value / rival.goal < value / goal);
    const best = Math.max(0, ...rivals.map((rival) => rival.value));
    return [{ name, value, goal, best, isLeading, ...(name === "color" && { kind: bestColor(player) }) }];
  });
}
