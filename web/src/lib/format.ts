/** Texts for cards, tokens, decisions and log lines, in the selected language. */

import { t, tDynamic } from "../i18n";
import type { CardBook } from "./api";
import { parseDecision } from "./decisions";
import { countsInOrder, total } from "./kinds";
import { resultOf } from "./results";
import { settings } from "./storage.svelte";
import type {
  CardInfo,
  DecisionPreview,
  Counts,
  GameEvent,
  Outcome,
  SeatStatus,
  AnyViewData,
  UnavailableAction,
} from "./messages";

/** Return whether a player's name in a record names a bot. */
export function isBot(name: string): boolean {
  return /^(random|greedy|(level|mcts):.*)$/.test(name);
}

/** The names of the bots of levels 1 to 8; the same in every language. */
const BOT_NAMES = ["Pip", "Tomás", "Amara", "Samir", "Rufus", "Odette", "Horace", "Anselm"];

/** Return the level of a bot, 1 to 8; null if it has none. */
export function botLevel(bot: string): number | null {
  const level = Number(/^level:(\d+)$/.exec(bot)?.[1]);
  return BOT_NAMES[level - 1] ? level : null;
}

export function botName(bot: string): string {
  const level = botLevel(bot);
  if (level) return BOT_NAMES[level - 1] ?? bot;
  return bot === "random" || bot === "greedy" ? t(`bot.${bot}`) : bot;
}

/** Return the name of a bot with its level: "Pip, level 1". */
export function botTitle(bot: string): string {
  const level = botLevel(bot);
  return level ? `${botName(bot)}, ${t("botLevel", { n: level })}` : botName(bot);
}

/** Return one sentence on how a bot plays; nothing for a bot that is not known. */
export function botLine(bot: string): string {
  const key = `botLine.${botLevel(bot) ?? bot}`;
  const line = tDynamic(key);
  return line === key ? "" : line;
}

/** Return the bot to preselect among those that the server offers. */
export function defaultBot(bots: { bot: string }[]): string {
  return ["level:2", "greedy"].find((bot) => bots.some((one) => one.bot === bot)) ?? "random";
}

/**
 * Return the name of the player in a seat: "You" for the own one; several bots of one kind are numbered.
 *
 * Without `own`, everybody is called by name: at a shared screen, or for a watcher.
 */
export function playerName(players: SeatStatus[], seat: number, own: number | null = null): string {
  const player = players[seat];
  if (!player) return "";
  if (seat === own) return t("you");
  if (player.kind === "person") return player.name || t("player", { n: seat + 1 });
  const name = botName(player.bot ?? "");
  const alike = players.filter((other) => other.kind === "bot" && other.bot === player.bot);
  return alike.length > 1 ? `${name} ${alike.indexOf(player) + 1}` : name;
}

/** Return the names of the players of a match, from its summary or record. */
export function playerNames(players: string[], own: number | null = null): string[] {
  return players.map((name, seat) => {
    if (seat === own) return t("you");
    return isBot(name) ? botName(name) : name || t("player", { n: seat + 1 });
  });
}

/** Return a text of the server with names in place of `{0}`, `{1}` and so on. */
export function fillNames(text: string, names: string[]): string {
  return text.replace(/\{(\d)\}/g, (_, seat) => names[Number(seat)] ?? "");
}

export function formatTokens(counts: Counts | undefined): string {
  return countsInOrder(counts)
    .map(([kind, n]) => t(`count.${kind}`, { n: Math.abs(n) }))
    .join(", ");
}

export function formatAbility(card: CardInfo): string {
  const costsGlassware = card.kind === "counterfeiter" && ["again", "steal"].includes(card.ability);
  const texts = card.ability
    .split(/[+ ,]/)
    .filter(Boolean)
    .map((ability) => tDynamic(`ability.${ability}${costsGlassware ? "-glass" : ""}`));
  if (card.color === "joker" && !card.ability.includes("joker")) texts.unshift(t("ability.joker"));
  return texts.join(". ");
}

/** Return a card in words: what it is, what it brings, what it costs, what it does. */
export function formatCard(card: CardInfo, color?: string): string {
  const gem = color ?? card.color;
  const facts: string[] = [];
  if (card.points) facts.push(t("pointCount", { n: card.points }));
  if (card.bonus && gem !== "joker") facts.push(t("bonusOf", { bonus: formatTokens({ [gem]: card.bonus }) }));
  if (card.crowns) facts.push(t("crownCount", { n: card.crowns }));
  const cost = formatTokens(card.cost);
  if (cost) facts.push(t(card.kind === "noble" ? "comesFor" : "costs", { cost }));
  const name = t(`cardName.${card.kind}`, { n: card.level });
  const sentences = [facts.length ? t("cardSummary", { name, facts: facts.join(", ") }) : name];
  const ability = formatAbility(card);
  if (ability) sentences.push(ability);
  return sentences.join(". ");
}

export function formatUnavailable(reason: UnavailableAction, gold = 0): string {
  if (reason.code !== "tokens") return tDynamic(`why.${reason.code}`);
  const params = { missing: formatTokens(reason.missing), count: total(reason.missing), gold };
  return t(gold ? "why.tokensGold" : "why.tokens", params);
}

/** Return the consequences of a choice that a player should know before making it. */
export function formatConsequences(choice: DecisionPreview, table: AnyViewData): string[] {
  const texts: string[] = [];
  const mover = table.players[table.seat];
  if (choice.wins) texts.push(t("winsGame"));
  if (choice.gives_privilege) texts.push(t("givesPrivilege"));
  if (choice.over_limit && mover)
    texts.push(t("overLimit", { count: mover.token_limit + choice.over_limit, n: choice.over_limit }));
  if (choice.gives_extra_turn) texts.push(t("anotherTurn"));
  return texts;
}

/** Split a sentence at the cards it names by their ids, so that they can be shown as pictures. */
export function splitAtCards(text: string, book: CardBook): (string | CardInfo)[] {
  return text
    .split(/\b([JD]\d-\d\d|[CRN]\d{1,2})\b/)
    .map((part) => book.get(part) ?? part)
    .filter(Boolean);
}

const MESSAGE_NAMES: Record<string, string> = { "gold-for": "goldFor" };

/** Return the verb for a decision in the log: "takes", "buys"; "take", "buy" after "You". */
export function formatPastDecision(decision: string, isYou = false): string {
  const { verb, args } = parseDecision(decision);
  return tDynamic(`did.${MESSAGE_NAMES[verb] ?? verb}`, { count: isYou ? 2 : 1, n: args[0] ?? "" });
}

/** Return the label of the button that makes a decision: "Take", "Buy". */
export function formatDecision(decision: string, book?: CardBook): string {
  const { verb, args } = parseDecision(decision);
  const first = args[0] ?? "";
  if (verb === "reserve" && first.startsWith("deck")) return t("do.reserveDeck", { n: first.slice(4) });
  if (verb === "counterfeiter" && first === "deck") return t("do.counterfeiterDeck");
  const card = book?.get(first);
  const what = card ? formatAbility(card) : t("counterfeiter");
  return tDynamic(`do.${MESSAGE_NAMES[verb] ?? verb}`, { n: first, what });
}

/** Return a log line as one sentence, for screen readers. */
export function formatLogLine(
  line: GameEvent,
  players: SeatStatus[],
  book: CardBook,
  own: number | null = null,
): string {
  const { args } = parseDecision(line.decision);
  const parts = [playerName(players, line.seat, own), formatPastDecision(line.decision, line.seat === own)];
  const tokens = line.tokens?.[String(line.seat)];
  const card = line.card ? book.get(line.card) : undefined;
  if (card) parts.push(formatCard(card));
  else if (line.card?.startsWith("??")) parts.push(t("hiddenCard", { n: line.card.slice(2) }));
  else if (args[0]?.startsWith("deck")) parts.push(t("hiddenCard", { n: args[0].slice(4) }));
  const amount = formatTokens(tokens);
  const isPaid = Object.values(tokens ?? {}).some((n) => n < 0);
  if (amount && !card) parts.push(amount);
  const sentence = parts.join(" ");
  const sentences = [amount && card ? t(isPaid ? "paidWith" : "togetherWith", { what: sentence, amount }) : sentence];
  for (const [seat, change] of Object.entries(line.privileges ?? {}))
    if (change > 0) sentences.push(formatPrivilege(players, Number(seat), own));
  return `${sentences.join(". ")}.`;
}

/** Return who gets a privilege, in words. */
export function formatPrivilege(players: SeatStatus[], seat: number, own: number | null = null): string {
  return t("getsPrivilege", { name: playerName(players, seat, own), count: seat === own ? 2 : 1 });
}

/** Return the log lines to show: without `done` and `pay`, and with consecutive discards merged. */
export function condenseLog(lines: GameEvent[]): GameEvent[] {
  const shown: GameEvent[] = [];
  for (const line of lines) {
    if (line.decision === "done" || line.decision === "pay") continue;
    const previous = shown.at(-1);
    if (
      previous &&
      parseDecision(line.decision).verb === "discard" &&
      parseDecision(previous.decision).verb === "discard"
    ) {
      const seat = String(line.seat);
      const tokens: Counts = { ...previous.tokens?.[seat] };
      for (const [kind, n] of Object.entries(line.tokens?.[seat] ?? {})) tokens[kind] = (tokens[kind] ?? 0) + n;
      shown[shown.length - 1] = { ...previous, tokens: { ...previous.tokens, [seat]: tokens } };
    } else shown.push(line);
  }
  return shown;
}

/** Return a date in the selected language: "18 Nov 2026". */
export function formatDate(milliseconds: number): string {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: "medium" }).format(milliseconds);
}

/** Return how a game ended: "Won by crowns"; without an own seat who won. */
export function formatResult(
  { winners, reason }: Outcome,
  own: number | null,
  players: string[],
  turns: number,
): string {
  const names = winners.map((seat) => playerNames(players)[seat] ?? "").join(", ");
  const result = own === null ? winners.length && t("youLose", { name: names }) : t(resultOf(own, winners));
  return t("finishedLine", { result: result || t("draw"), reason: tDynamic(`reason.${reason}`, { n: turns }) });
}
