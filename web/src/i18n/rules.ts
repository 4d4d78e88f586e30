/** The summary of the rules that the page shows. */

import type { Language } from "../lib/storage.svelte";
import type { GameName } from "../lib/messages";
import { rules as en } from "./rules.en";
import { rules as es } from "./rules.es";
import { rules as fr } from "./rules.fr";

export interface Section {
  title: string;
  lines: string[];
}

export type Rules = Record<GameName, Section[]>;

export function rulesText(language: Language, game: GameName): Section[] {
  return { en, fr, es }[language][game];
}
