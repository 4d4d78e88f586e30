/** Cards, tokens and decisions in words. */

import { say, sayAny } from "../words";
import type { CardBook } from "./api";
import { parse } from "./decisions";
import { counted, total } from "./kinds";
import type { CardInfo, Choice, Counts, LogLine, Seated, Table, Unavailable } from "./wire";

/** Whether a name in a record is a bot's. */
export function isBot(name: string): boolean {
  return /^(random|greedy|(level|mcts):.*)$/.test(name);
}

export function botName(bot: string): string {
  const level = /^level:(\d+)$/.exec(bot);
  if (level) return say("bot.level", { n: level[1] ?? "" });
  return bot === "random" || bot === "greedy" ? say(`bot.${bot}`) : bot;
}

/** The name of a bot with what it does, for a list to choose from. */
export function botInWords(bot: string): string {
  if (bot !== "random" && bot !== "greedy") return botName(bot);
  return say("botWithLine", { name: botName(bot), line: say(`botLine.${bot}`) });
}

/** The bot to meet first, of those that there are. */
export function standardBot(bots: { bot: string }[]): string {
  return ["level:2", "greedy"].find((bot) => bots.some((one) => one.bot === bot)) ?? "random";
}

/** What a seat is called; bots of one kind are numbered. */
export function nameOf(players: Seated[], seat: number): string {
  const player = players[seat];
  if (!player) return "";
  if (player.kind === "person") return player.name || say("player", { n: seat + 1 });
  const name = say("botNamed", { name: botName(player.bot ?? "") });
  const alike = players.filter((other) => other.kind === "bot" && other.bot === player.bot);
  return alike.length > 1 ? `${name} ${alike.indexOf(player) + 1}` : name;
}

export function tokensInWords(counts: Counts | undefined): string {
  return counted(counts)
    .map(([kind, n]) => say(`count.${kind}`, { n: Math.abs(n) }))
    .join(", ");
}

export function abilityWords(card: CardInfo): string {
  const onGlass = card.kind === "counterfeiter" && ["again", "steal"].includes(card.ability);
  const own = card.ability
    .split(/[+ ,]/)
    .filter(Boolean)
    .map((word) => sayAny(`ability.${word}${onGlass ? "-glass" : ""}`));
  if (card.color === "joker" && !card.ability.includes("joker")) own.unshift(say("ability.joker"));
  return own.join(". ");
}

export function cardInWords(card: CardInfo, color?: string): string {
  const bonus = card.bonus ? `${card.bonus} ${sayAny(color ?? card.color)}` : say("nothing");
  const parts = [
    say("cardWords", {
      kind: say(card.kind),
      id: card.id,
      count: card.points,
      bonus,
      cost: tokensInWords(card.cost) || say("nothing"),
    }),
  ];
  if (card.crowns) parts.push(`${say("crowns")} ${card.crowns}`);
  const ability = abilityWords(card);
  if (ability) parts.push(ability);
  return parts.join(". ");
}

export function whyNot(reason: Unavailable, gold = 0): string {
  if (reason.code !== "tokens") return sayAny(`why.${reason.code}`);
  const gaps = { missing: tokensInWords(reason.missing), count: total(reason.missing), gold };
  return say(gold ? "why.tokensGold" : "why.tokens", gaps);
}

/** What follows from a choice, as warnings and promises. */
export function consequences(choice: Choice, table: Table): string[] {
  const words: string[] = [];
  const mover = table.players[table.seat];
  if (choice.wins) words.push(say("winsGame"));
  if (choice.privilege) words.push(say("givesPrivilege"));
  if (choice.over && mover) words.push(say("overLimit", { count: mover.token_limit + choice.over, n: choice.over }));
  if (choice.again) words.push(say("anotherTurn"));
  return words;
}

/** What speaks for a hint, from the names of features that the bots judge by. */
export function gainsInWords(gains: string[]): string {
  const words = gains.map((name) => {
    if (/^C\d\d/.test(name)) return say("gain.Counterfeiters");
    return sayAny(`gain.${name.replace(/ past \d+$/, "").replaceAll(" ", "-")}`);
  });
  return [...new Set(words)].join(", ");
}

const VERBS: Record<string, string> = { "gold-for": "goldFor" };

/** The verb of a decision that was made. */
export function didWords(decision: string): string {
  const { verb, words } = parse(decision);
  return sayAny(`did.${VERBS[verb] ?? verb}`, { n: words[0] ?? "" });
}

/** What a decision would do, as the face of a button. */
export function doWords(decision: string): string {
  const { verb, words } = parse(decision);
  const first = words[0] ?? "";
  if (verb === "reserve" && first.startsWith("deck")) return say("do.reserveDeck", { n: first.slice(4) });
  if (verb === "counterfeiter" && first === "deck") return say("do.counterfeiterDeck");
  return sayAny(`do.${VERBS[verb] ?? verb}`, { n: first, card: first });
}

/** A line of the log as one sentence, for a screen reader. */
export function lineInWords(line: LogLine, players: Seated[], book: CardBook): string {
  const { words } = parse(line.decision);
  const name = nameOf(players, line.seat);
  const parts = [name, didWords(line.decision)];
  const tokens = line.tokens?.[String(line.seat)];
  const card = line.card ? book.get(line.card) : undefined;
  if (card) parts.push(cardInWords(card));
  else if (line.card?.startsWith("??")) parts.push(say("hiddenCard", { n: line.card.slice(2) }));
  else if (words[0]?.startsWith("deck")) parts.push(say("hiddenCard", { n: words[0].slice(4) }));
  if (tokens) parts.push(tokensInWords(tokens));
  for (const [seat, change] of Object.entries(line.privileges ?? {}))
    if (change > 0) parts.push(`. ${say("getsPrivilege", { name: nameOf(players, Number(seat)) })}`);
  return `${parts.join(" ")}.`;
}

/** The lines worth telling: without those that only go on, and tokens returned one by one as one. */
export function toldLines(lines: LogLine[]): LogLine[] {
  const told: LogLine[] = [];
  for (const line of lines) {
    if (line.decision === "done" || line.decision === "pay") continue;
    const before = told.at(-1);
    if (before && parse(line.decision).verb === "discard" && parse(before.decision).verb === "discard") {
      const seat = String(line.seat);
      const tokens: Counts = { ...before.tokens?.[seat] };
      for (const [kind, n] of Object.entries(line.tokens?.[seat] ?? {})) tokens[kind] = (tokens[kind] ?? 0) + n;
      told[told.length - 1] = { ...before, tokens: { ...before.tokens, [seat]: tokens } };
    } else told.push(line);
  }
  return told;
}
