/** The keys of a table: Shortcuts.svelte lists them. */

import type { Client } from "./client.svelte";
import type { Play } from "./play.svelte";

const press = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();

export function shortcut(event: KeyboardEvent, client: Client, play: Play, showKeys: () => void): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as HTMLElement).matches("input, select, textarea")) return;
  if (document.querySelector("dialog[open]")) return;
  const turn = client.snapshot?.turn;
  switch (event.key.toLowerCase()) {
    case "?":
      showKeys();
      break;
    case "escape":
      play.clear();
      break;
    case "t":
      if (document.querySelector("#actions .main")) press("#actions .main");
      else focus("#actions button");
      break;
    case "e":
      play.endTurn();
      break;
    case "u":
      if (turn?.can_undo) play.undo();
      else play.takeBack();
      break;
    case "p":
      play.togglePrivilege();
      break;
    case "r":
      press('[data-decision="replenish"]');
      break;
    case "h":
      if (turn?.can_hint) client.send({ type: "hint" });
      break;
    case "b":
      focus('.board [tabindex="0"], .supply button');
      break;
    case "c":
      focus(".pyramid .piece");
      break;
    default:
      return;
  }
  event.preventDefault();
}
