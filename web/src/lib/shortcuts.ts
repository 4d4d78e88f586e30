/** The keyboard shortcuts of a table; ShortcutsDialog.svelte lists them. */

import type { Client } from "./client.svelte";
import type { Selection } from "./selection.svelte";

const click = (selector: string) => document.querySelector<HTMLElement>(selector)?.click();
const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();

export function handleShortcut(
  event: KeyboardEvent,
  client: Client,
  selection: Selection,
  showShortcuts: () => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if ((event.target as HTMLElement).matches("input, select, textarea")) return;
  if (document.querySelector("dialog[open]")) return;
  const turn = client.snapshot?.turn;
  switch (event.key.toLowerCase()) {
    case "?":
      showShortcuts();
      break;
    case "escape":
      selection.clear();
      break;
    case "t":
      if (document.querySelector("#actions .main")) click("#actions .main");
      else focus("#actions button");
      break;
    case "e":
      selection.endTurn();
      break;
    case "u":
      if (turn?.can_undo) selection.undo();
      else selection.takeBack();
      break;
    case "p":
      selection.togglePrivilege();
      break;
    case "r":
      click('[data-decision="replenish"]');
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
