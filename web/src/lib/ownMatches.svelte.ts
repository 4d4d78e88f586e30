/** The state of the matches whose keys this browser has stored. */

import { ServerError, summary } from "./api";
import type { MatchSummary } from "./messages";
import { forgetGame, games, rememberResult, type OwnGame } from "./storage.svelte";

export interface OwnMatch {
  own: OwnGame;
  summary: MatchSummary;
}

const MAX_ASKED = 20;

export class OwnMatches {
  #summaries = $state.raw<Record<string, MatchSummary>>({});

  readonly all = $derived(
    games.own.flatMap((own): OwnMatch[] => {
      const found = this.#summaries[own.match];
      return found ? [{ own, summary: found }] : [];
    }),
  );
  /** Those that are not over; first those in which it is the own turn. */
  readonly running = $derived(
    this.all
      .filter(({ summary }) => !summary.is_over)
      .toSorted((one, other) => Number(isOwnTurn(other)) - Number(isOwnTurn(one))),
  );
  readonly finished = $derived(this.all.filter(({ summary }) => summary.is_over));

  /** Ask the server for all of them, one after the other; store how finished ones ended. */
  async load(): Promise<void> {
    for (const own of games.own.slice(0, MAX_ASKED)) {
      try {
        const found = await summary(own.match, own.key);
        this.#summaries = { ...this.#summaries, [own.match]: found };
        if (found.result && found.seat !== null && own.here.length < 2)
          rememberResult({
            match: own.match,
            game: found.game,
            when: found.changed,
            seat: found.seat,
            players: found.players,
            outcome: found.result,
            turns: found.turns,
          });
      } catch (reason) {
        if (reason instanceof ServerError && reason.status === 404) forgetGame(own.match);
      }
    }
  }
}

export function isOwnTurn({ own, summary }: OwnMatch): boolean {
  return !summary.is_over && (summary.to_move === summary.seat || own.here.length > 1);
}
