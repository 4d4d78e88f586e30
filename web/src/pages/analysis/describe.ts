/** Decisions and moves in a few words. */

import { formatDecision, formatPastDecision, formatTokens } from "../../lib/format";
import { cellsOf, gemsOf, parseDecision } from "../../lib/decisions";
import type { AnyViewData, DecisionPreview, GameEvent } from "../../lib/messages";
import { t, tDynamic } from "../../i18n";

export type Group = "take" | "buy" | "reserve" | "other";

/** Return the group of a decision in the list. */
export function groupOf(decision: string): Group {
  const { verb } = parseDecision(decision);
  if (verb === "take" || verb === "privilege" || verb === "collect" || verb === "replenish") return "take";
  if (verb === "buy") return "buy";
  return verb === "reserve" || verb === "gold" ? "reserve" : "other";
}

function counted(kinds: string[]): string {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return formatTokens(counts);
}

/** Return a decision with all that it names: "Take 2 white, 1 blue (a1 b1 c1)". */
export function describeDecision(decision: string, table: AnyViewData): string {
  const { verb, args } = parseDecision(decision);
  const choice = { decision } as DecisionPreview;
  const gems = gemsOf(choice);
  const label = verb === "buy" ? t("analysis.buy") : formatDecision(decision);
  if (gems.length) return `${label} ${counted(gems)}`;
  const cells = cellsOf(choice);
  if (cells.length && verb === "gold") return `${label} (${cells.join(" ")})`;
  if (cells.length) {
    const board = table.kind === "duel" ? table.board : {};
    return `${label} ${counted(cells.flatMap((cell) => board[cell] ?? []))} (${cells.join(" ")})`;
  }
  const rest = args.filter((word) => !word.startsWith("deck"));
  if (verb === "deck" || verb === "draw" || verb === "use") return label;
  return [label, ...rest.map((word) => (word.length === 1 ? tDynamic(word) : word))].join(" ");
}

/** Return a move for the list: "1: takes 2 white". */
export function describeMove(event: GameEvent): string {
  const { args } = parseDecision(event.decision);
  const parts = [`${event.seat + 1}: ${formatPastDecision(event.decision)}`];
  const own = event.tokens?.[String(event.seat)];
  if (event.card) parts.push(event.card);
  else if (args[0]?.startsWith("deck")) parts.push(`??${args[0].slice(4)}`);
  else if (own && Object.keys(own).length) parts.push(formatTokens(own));
  return parts.join(" ");
}

/** Return the chance to win in whole percent. */
export function percent(value: number | undefined): string {
  return `${Math.round(100 * (value ?? 0))}\u00a0%`;
}
