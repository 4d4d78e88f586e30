/** The texts of the page in the selected language. */

import { settings } from "../lib/storage.svelte";
import type { Language } from "../lib/storage.svelte";
import { en, type MessageKey, type Messages } from "./en";
import { es } from "./es";
import { fr } from "./fr";

export type { MessageKey };

export const languages: Record<Language, { name: string; messages: Messages }> = {
  en: { name: "English", messages: en },
  fr: { name: "Français", messages: fr },
  es: { name: "Español", messages: es },
};

export type Params = Record<string, string | number>;

/** Return a message with its placeholders filled; `one|many` is decided by `count` or `n`. */
export function t(key: MessageKey, params: Params = {}): string {
  const [one = "", many = one] = languages[settings.language].messages[key].split("|");
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
