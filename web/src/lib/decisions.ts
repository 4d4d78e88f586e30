/** Read decision texts: what a choice is about, never whether it is legal. */

import type { DecisionPreview } from "./messages";

export interface ParsedDecision {
  verb: string;
  args: string[];
}

/** Split a decision into its verb and arguments; what follows " > ", the outcome of chance, is left out. */
export function parseDecision(decision: string): ParsedDecision {
  const [verb = "", ...args] = (decision.split(" > ")[0] ?? "").split(" ");
  return { verb, args };
}

const CELL_VERBS = new Set(["take", "gold", "privilege", "collect"]);
const isCell = (word: string) => /^[a-e][1-5]$/.test(word);

/** Return the cells of the board that a choice names. */
export function cellsOf(choice: DecisionPreview): string[] {
  const { verb, args } = parseDecision(choice.decision);
  return CELL_VERBS.has(verb) ? args.filter(isCell) : [];
}

/** Return the card, royal, noble or deck that a choice names. */
export function cardOf(choice: DecisionPreview): string | null {
  const { verb, args } = parseDecision(choice.decision);
  const first = args[0] ?? "";
  if (verb === "counterfeiter" && first === "deck") return "deck0";
  if (verb === "deck") return `deck${first}`;
  return /^([JDCRN]\d|deck\d)/.test(first) && verb !== "discount" ? first : null;
}

/** Return the kind of token that a choice names. */
export function kindOf(choice: DecisionPreview): string | null {
  const last = parseDecision(choice.decision).args.at(-1) ?? "";
  return last.length === 1 && "wugrkpvy".includes(last) ? last : null;
}

/** Return the gems of a Splendor choice such as `take wug`. */
export function gemsOf(choice: DecisionPreview): string[] {
  const { verb, args } = parseDecision(choice.decision);
  return verb === "take" && args[0] && !isCell(args[0]) ? [...args[0]] : [];
}

/** Return whether a list holds every item of another, at least as often. */
export function includesAll(list: string[], part: string[]): boolean {
  const rest = [...list];
  return part.every((item) => {
    const index = rest.indexOf(item);
    if (index >= 0) rest.splice(index, 1);
    return index >= 0;
  });
}
