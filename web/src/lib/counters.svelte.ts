/** Counts that change when a piece lands, not when the server reports it. */

import { SvelteMap } from "svelte/reactivity";

const inFlight = new SvelteMap<string, number>(); // by counter: what is still on its way

/** Return the count to show for a counter whose true value is given. */
export function shownCount(name: string, value: number): number {
  return value - (inFlight.get(name) ?? 0);
}

/** Note that something is on its way to a counter. */
export function depart(name: string, amount: number): void {
  inFlight.set(name, (inFlight.get(name) ?? 0) + amount);
}

/** Note that it has landed. */
export function land(name: string, amount: number): void {
  const left = (inFlight.get(name) ?? 0) - amount;
  if (left) inFlight.set(name, left);
  else inFlight.delete(name);
}

/** Show all true values. */
export function landAll(): void {
  inFlight.clear();
}
