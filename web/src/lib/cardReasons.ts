/** Why the selected card or deck cannot be bought, reserved or chosen, in words. */

import { t, tDynamic } from "../i18n";
import { formatUnavailable } from "./format";
import type { Selection } from "./selection.svelte";

/**
 * Return the reasons; none if everything can be done with the card that can be done with such a card.
 *
 * @param gold the player's gold tokens
 * @param isReservable whether it is a card or deck of the table, not of a reserve
 */
export function cardReasons(selection: Selection, gold: number, isReservable: boolean): string[] {
  const { card, cardActs, reserve, unavailable } = selection;
  if (!card) return [];
  const found: string[] = [];
  const reason = unavailable.get(card);
  if (reason && !cardActs.length) found.push(formatUnavailable(reason, gold));
  const noReserve = unavailable.get("reserve");
  if (isReservable && !reserve && noReserve) found.push(t("why.noReserve", { why: tDynamic(`why.${noReserve.code}`) }));
  if (!found.length && !cardActs.length && !reserve) found.push(fallback(selection, card));
  return found;
}

/** Return why nothing can be done with what the server says nothing about: decks, royals, nobles. */
function fallback(selection: Selection, card: string): string {
  if (card.startsWith("R")) return t("why.royal");
  if (card.startsWith("N")) return t("why.noble");
  if (!selection.isOwnTurn) return t("why.turn");
  if (selection.phase !== "turn") return t("why.phase");
  return t("why.no-card"); // an empty deck
}
