/** The words of the page in the language that was chosen. */

import { settings } from "../lib/memory.svelte";
import type { Language } from "../lib/memory.svelte";
import { en, type Word, type Words } from "./en";
import { es } from "./es";
import { fr } from "./fr";

export type { Word };

export const languages: Record<Language, { name: string; words: Words }> = {
  en: { name: "English", words: en },
  fr: { name: "Français", words: fr },
  es: { name: "Español", words: es },
};

export type Gaps = Record<string, string | number>;

/** A phrase in the chosen language, with its gaps filled; of `one|many` that which fits its number. */
export function say(word: Word, gaps: Gaps = {}): string {
  const [one = "", many = one] = languages[settings.language].words[word].split("|");
  const number = Number(gaps.count ?? gaps.n ?? 0);
  const isOne = number === 1 || (number === 0 && settings.language === "fr");
  return (isOne ? one : many).replace(/\{(\w+)\}/g, (_, gap) => String(gaps[gap] ?? ""));
}

/** A phrase whose name is put together at run time; the name itself if there is none. */
export function sayAny(word: string, gaps: Gaps = {}): string {
  return word in en ? say(word as Word, gaps) : word;
}

/** What went wrong, by the code that the server gave. */
export function sayTrouble(code: string): string {
  return `error.${code}` in en ? sayAny(`error.${code}`) : say("error.other");
}
