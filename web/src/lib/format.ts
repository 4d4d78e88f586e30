/** Texts for cards, tokens, decisions and log lines, in the selected language. */

import { t, tDynamic } from "../i18n";
import type { CardBook } from "./api";
import { parseDecision } from "./decisions";
import { countsInOrder, total } from "./kinds";
import type {
  CardInfo,
  DecisionPreview,
  Counts,
  GameEvent,
  SeatStatus,
  AnyViewData,
  UnavailableAction,
} from "./messages";

/** Return whether a player's name in a record names a bot. */
export function isBot(name: string): boolean {
  return /^(random|greedy|(level|mcts):.*)$/.test(name);
}

export function botName(bot: string): string {
  const level = /^level:(\d+)$/.exec(bot);
  if (level) return t("bot.level", { n: level[1] ?? "" });
  return bot === "random" || bot === "greedy" ? t(`bot.${bot}`) : bot;
}

/** Return the name of a bot with a short description, for a list of options. */
export function botOption(bot: string): string {
  if (bot !== "random" && bot !== "greedy") return botName(bot);
  return t("botWithLine", { name: botName(bot), line: t(`botLine.${bot}`) });
}

/** Return the bot to preselect among those that the server offers. */
export function defaultBot(bots: { bot: string }[]): string {
  return ["level:2", "greedy"].find((bot) => bots.some((one) => one.bot === bot)) ?? "random";
}

/** Return the name of the player in a seat; several bots of one kind are numbered. */
export function playerName(players: SeatStatus[], seat: number): string {
  const player = players[seat];
  if (!player) return "";
  if (player.kind === "person") return player.name || t("player", { n: seat + 1 });
  const name = t("botNamed", { name: botName(player.bot ?? "") });
  const alike = players.filter((other) => other.kind === "bot" && other.bot === player.bot);
  return alike.length > 1 ? `${name} ${alike.indexOf(player) + 1}` : name;
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

export function formatCard(card: CardInfo, color?: string): string {
  const bonus = card.bonus ? `${card.bonus} ${tDynamic(color ?? card.color)}` : t("nothing");
  const parts = [
    t("cardSummary", {
      kind: t(card.kind),
      id: card.id,
      count: card.points,
      bonus,
      cost: formatTokens(card.cost) || t("nothing"),
    }),
  ];
  if (card.crowns) parts.push(`${t("crowns")} ${card.crowns}`);
  const ability = formatAbility(card);
  if (ability) parts.push(ability);
  return parts.join(". ");
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

/** Return the reasons for a hint, from the names of the evaluation's features. */
export function formatGains(gains: string[]): string {
  const texts = gains.map((name) => {
    if (/^C\d\d/.test(name)) return t("gain.Counterfeiters");
    return tDynamic(`gain.${name.replace(/ past \d+$/, "").replaceAll(" ", "-")}`);
  });
  return [...new Set(texts)].join(", ");
}

const MESSAGE_NAMES: Record<string, string> = { "gold-for": "goldFor" };

/** Return the verb for a decision in the log: "takes", "buys". */
export function formatPastDecision(decision: string): string {
  const { verb, args } = parseDecision(decision);
  return tDynamic(`did.${MESSAGE_NAMES[verb] ?? verb}`, { n: args[0] ?? "" });
}

/** Return the label of the button that makes a decision: "Take", "Buy". */
export function formatDecision(decision: string): string {
  const { verb, args } = parseDecision(decision);
  const first = args[0] ?? "";
  if (verb === "reserve" && first.startsWith("deck")) return t("do.reserveDeck", { n: first.slice(4) });
  if (verb === "counterfeiter" && first === "deck") return t("do.counterfeiterDeck");
  return tDynamic(`do.${MESSAGE_NAMES[verb] ?? verb}`, { n: first, card: first });
}

/** Return a log line as one sentence, for screen readers. */
export function formatLogLine(line: GameEvent, players: SeatStatus[], book: CardBook): string {
  const { args } = parseDecision(line.decision);
  const name = playerName(players, line.seat);
  const parts = [name, formatPastDecision(line.decision)];
  const tokens = line.tokens?.[String(line.seat)];
  const card = line.card ? book.get(line.card) : undefined;
  if (card) parts.push(formatCard(card));
  else if (line.card?.startsWith("??")) parts.push(t("hiddenCard", { n: line.card.slice(2) }));
  else if (args[0]?.startsWith("deck")) parts.push(t("hiddenCard", { n: args[0].slice(4) }));
  if (tokens) parts.push(formatTokens(tokens));
  const sentences = [parts.join(" ")];
  for (const [seat, change] of Object.entries(line.privileges ?? {}))
    if (change > 0) sentences.push(t("getsPrivilege", { name: playerName(players, Number(seat)) }));
  return `${sentences.join(". ")}.`;
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
