/** Pieces that move: what a log line says happened, flown from where it was to where it is. */

import { tick } from "svelte";
import { settings } from "./memory.svelte";
import { parse } from "./decisions";
import type { LogLine } from "./wire";

const DURATION = 260;
let flying: HTMLElement[] = [];

const place = (name: string) => document.querySelector<HTMLElement>(`[data-piece="${CSS.escape(name)}"]`);

interface Flight {
  from: DOMRect;
  piece: HTMLElement;
  to: string[];
}

function isStill(): boolean {
  return !settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** Call before new lines are shown; the pieces fly once they are. */
export async function fly(lines: LogLine[]): Promise<void> {
  land();
  if (isStill() || !lines.length || lines.length > 6) return;
  const flights: Flight[] = [];
  const lift = (from: string, ...to: string[]) => {
    const piece = place(from);
    const picture = piece?.querySelector("svg");
    if (!piece || !picture) return;
    const clone = document.createElement("div");
    clone.className = "flying";
    clone.append(picture.cloneNode(true));
    flights.push({ from: picture.getBoundingClientRect(), piece: clone, to });
  };
  const arriving: { deck: string; card: string }[] = [];
  for (const line of lines) {
    const seat = line.seat;
    for (const [cell, kind] of Object.entries(line.taken ?? {})) lift(`cell:${cell}`, `purse:${seat}:${kind}`);
    for (const card of line.gained ?? []) lift(`card:${card}`, `tableau:${seat}`);
    const { verb, words } = parse(line.decision);
    if (verb === "reserve" && words[0]) {
      const deck = /^deck(\d)/.exec(words[0]);
      lift(deck ? `deck:${deck[1]}` : `card:${words[0]}`, `reserve:${seat}`);
    }
    for (const [who, change] of Object.entries(line.tokens ?? {}))
      for (const [kind, n] of Object.entries(change)) {
        if (n < 0) lift(`purse:${who}:${kind}`, "bag", `supply:${kind}`);
        else if (!line.taken) lift(`supply:${kind}`, `purse:${who}:${kind}`);
      }
    for (const { level, card } of line.came ?? []) arriving.push({ deck: `deck:${level}`, card: `card:${card}` });
  }
  await tick();
  for (const { from, piece, to } of flights) {
    const goal = to.map(place).find(Boolean)?.getBoundingClientRect();
    if (!goal || !from.width) continue;
    document.body.append(piece);
    flying.push(piece);
    const end = Math.min(goal.width, goal.height, from.width) || from.width / 2;
    const dx = goal.left + goal.width / 2 - from.left - from.width / 2;
    const dy = goal.top + goal.height / 2 - from.top - from.height / 2;
    piece.style.left = `${from.left}px`;
    piece.style.top = `${from.top}px`;
    piece.style.width = `${from.width}px`;
    piece.style.height = `${from.height}px`;
    piece.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${dx}px, ${dy}px) scale(${end / from.width})`, opacity: 0.85 },
      ],
      { duration: DURATION, easing: "ease-in-out", fill: "forwards" },
    ).onfinish = () => piece.remove();
  }
  for (const { deck, card } of arriving) {
    const [from, to] = [place(deck)?.getBoundingClientRect(), place(card)];
    if (!from || !to) continue;
    const goal = to.getBoundingClientRect();
    const shift = `translate(${from.left - goal.left}px, ${from.top - goal.top}px)`;
    to.animate([{ transform: shift, opacity: 0.4 }, { transform: "none", opacity: 1 }], {
      duration: DURATION,
      delay: flights.length ? DURATION / 2 : 0,
      fill: "backwards",
      easing: "ease-out",
    });
  }
}

/** End all flights at once. */
export function land(): void {
  for (const piece of flying) piece.remove();
  flying = [];
}
