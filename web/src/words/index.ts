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

/** A phrase in the chosen language, with its gaps filled. */
export function say(word: Word, gaps: Record<string, string | number> = {}): string {
  return languages[settings.language].words[word].replace(/\{(\w+)\}/g, (_, gap) => String(gaps[gap] ?? ""));
}

/** A phrase whose name is put together at run time; the name itself if there is none. */
export function sayAny(word: string, gaps: Record<string, string | number> = {}): string {
  return word in en ? say(word as Word, gaps) : word;
}
