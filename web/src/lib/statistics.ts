/** Statistics of the own finished games. */

import { isBot } from "./format";
import type { GameName } from "./messages";
import { resultOf, type FinishedGame } from "./results";

export interface Statistics {
  games: number;
  won: number;
  drawn: number;
  lost: number;
  streak: number; // victories in a row until now
  bestStreak: number;
}

export interface GroupStatistics extends Statistics {
  game: GameName;
  opponent: string; // a bot's name, "" for people, or the number of opponents
}

/** Return the one bot that was played against, "" for people, or the number of several opponents. */
export function opponentOf({ players, seat }: Pick<FinishedGame, "players" | "seat">): string {
  const others = players.filter((_, i) => i !== seat);
  const first = others[0] ?? "";
  if (others.some((name) => name !== first) && others.every(isBot)) return String(others.length);
  if (!others.every(isBot)) return "";
  return first;
}

/** Return the statistics of some games; a shared victory counts as one. */
export function statisticsOf(games: FinishedGame[]): Statistics {
  const found: Statistics = { games: games.length, won: 0, drawn: 0, lost: 0, streak: 0, bestStreak: 0 };
  for (const game of games.toSorted((one, other) => one.when - other.when)) {
    const result = resultOf(game.seat, game.outcome.winners);
    if (result === "won" || result === "shared") {
      found.won += 1;
      found.streak += 1;
      found.bestStreak = Math.max(found.bestStreak, found.streak);
    } else {
      found[result] += 1;
      found.streak = 0;
    }
  }
  return found;
}

/** Return the statistics for each game and opponent, in the order of games and strengths. */
export function statisticsByOpponent(games: FinishedGame[]): GroupStatistics[] {
  const groups = new Map<string, FinishedGame[]>();
  for (const one of games) {
    const name = `${one.game} ${opponentOf(one)}`;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, members]) => {
      const [game = "", opponent = ""] = name.split(" ");
      return { game: game as GameName, opponent, ...statisticsOf(members) };
    });
}
