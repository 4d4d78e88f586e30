/** Reading decision texts: what a choice is about, never whether it is allowed. */

import type { Choice } from "./wire";

export interface Parsed {
  verb: string;
  words: string[];
}

export function parse(decision: string): Parsed {
  const [verb = "", ...words] = (decision.split(" > ")[0] ?? "").split(" ");
  return { verb, words };
}

const CELL_VERBS = new Set(["take", "gold", "privilege", "collect"]);
const isCell = (word: string) => /^[a-e][1-5]$/.test(word);

/** The cells of the board that a choice names. */
export function cellsOf(choice: Choice): string[] {
  const { verb, words } = parse(choice.decision);
  return CELL_VERBS.has(verb) ? words.filter(isCell) : [];
}

/** The card, royal, noble or deck that a choice names. */
export function cardOf(choice: Choice): string | null {
  const { verb, words } = parse(choice.decision);
  const word = words[0] ?? "";
  if (verb === "counterfeiter" && word === "deck") return "deck0";
  if (verb === "deck") return `deck${word}`;
  return /^([JDCRN]\d|deck\d)/.test(word) && verb !== "discount" ? word : null;
}

/** The kind of token that a choice names. */
export function kindOf(choice: Choice): string | null {
  const last = parse(choice.decision).words.at(-1) ?? "";
  return last.length === 1 && "wugrkpvy".includes(last) ? last : null;
}

/** The gems of a `take wug` of Splendor. */
export function gemsOf(choice: Choice): string[] {
  const { verb, words } = parse(choice.decision);
  return verb === "take" && words[0] && !isCell(words[0]) ? [...words[0]] : [];
}

/** Whether a list holds all of another, each as often. */
export function includesAll(list: string[], part: string[]): boolean {
  const rest = [...list];
  return part.every((item) => {
    const at = rest.indexOf(item);
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}
