/** The texts of the page in the selected language. */

import { SvelteMap } from "svelte/reactivity";
import { settings } from "../lib/storage.svelte";
import type { Language } from "../lib/storage.svelte";
import { en, type MessageKey, type Messages } from "./en";
import * as english from "./rules.en";
import type { MinuteRules, Rules } from "./rules";

export type { MessageKey };

export const languageNames: Record<Language, string> = { en: "English", fr: "Français", es: "Español" };

/** All texts of a language. */
interface Texts {
  messages: Messages;
  rules: { rules: Rules; minute: MinuteRules };
}

const loaded = new SvelteMap<Language, Texts>([["en", { messages: en, rules: english }]]);

/** Load the texts of a language; until then they are English. Other languages than the selected one are not loaded. */
export async function loadLanguage(language: Language): Promise<void> {
  if (language === "fr") loaded.set("fr", await import("./texts.fr"));
  if (language === "es") loaded.set("es", await import("./texts.es"));
}

/** Return the texts of a language, or the English ones if they are not loaded. */
export function textsOf(language: Language): Texts {
  return loaded.get(language) ?? { messages: en, rules: english };
}

export type Params = Record<string, string | number>;

/** Return a French text with narrow no-break spaces where French has them; sources have plain spaces. */
export function spaceFrench(text: string): string {
  return text.replace(/[ \u00a0](?=[:;!?»%])/g, "\u202f").replace(/«[ \u00a0]/g, "«\u202f");
}

/** Return a text as it is printed in a language. */
export function typeset(text: string, language: Language = settings.language): string {
  return language === "fr" ? spaceFrench(text) : text;
}

/** Return a message with its placeholders filled; `one|many` is decided by `count` or `n`. */
export function t(key: MessageKey, params: Params = {}): string {
  const [one = "", many = one] = typeset(textsOf(settings.language).messages[key]).split("|");
  const number = Number(params.count ?? params.n ?? 0);
  const isOne = number === 1 || (number === 0 && settings.language === "fr"); // French: 0 is singular
  return (isOne ? one : many).replace(/\{(\w+)\}/g, (_, name) => String(params[name] ?? ""));
}

/** Like `t`, for a key that is composed at run time; an unknown key is returned as it is. */
export function tDynamic(key: string, params: Params = {}): string {
  return key in en ? t(key as MessageKey, params) : key;
}

/** Return the message for an error code of the server. */
export function tError(code: string): string {
  return `error.${code}` in en ? tDynamic(`error.${code}`) : t("error.other");
}
