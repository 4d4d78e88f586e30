/** The summary of the rules that the page shows. */

import type { Language } from "../lib/storage.svelte";
import type { GameName } from "../lib/messages";
import { textsOf, typeset } from ".";

export interface Section {
  title: string;
  lines: string[];
}

export type Rules = Record<GameName, Section[]>;

/** One sentence for each step: the goal, taking tokens, buying, reserving, and what else there is. */
export type MinuteRules = Record<GameName, string[]>;

export function rulesText(language: Language, game: GameName): Section[] {
  return textsOf(language).rules.rules[game].map(({ title, lines }) => ({
    title: typeset(title, language),
    lines: lines.map((line) => typeset(line, language)),
  }));
}

export function minuteRules(language: Language, game: GameName): string[] {
  return textsOf(language).rules.minute[game].map((line) => typeset(line, language));
}
