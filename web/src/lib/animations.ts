/** Animate what a decision moved: each piece travels from where it was to where it is now. */

import { tick } from "svelte";
import { parseDecision } from "./decisions";
import { settings } from "./storage.svelte";
import type { GameEvent } from "./messages";

const DURATION = 260; // milliseconds
const MAX_LINES = 6; // more lines at once are a jump, as after a reconnection: show the result only

/** A piece to move, by the names in `data-piece`; it goes to the first target that is on the page. */
export interface Move {
  from: string;
  to: string[];
}

/** A card that was dealt from a deck. */
export interface Deal {
  deck: string;
  card: string;
}

/** Return the moves and deals that log lines describe. */
export function planAnimations(lines: GameEvent[]): { moves: Move[]; deals: Deal[] } {
  const moves: Move[] = [];
  const deals: Deal[] = [];
  const move = (from: string, ...to: string[]) => moves.push({ from, to });
  for (const line of lines) {
    for (const [cell, kind] of Object.entries(line.taken ?? {})) move(`cell:${cell}`, `purse:${line.seat}:${kind}`);
    for (const card of line.gained ?? []) move(`card:${card}`, `tableau:${line.seat}`);
    const { verb, args } = parseDecision(line.decision);
    if (verb === "reserve" && args[0]) {
      const deck = /^deck(\d)/.exec(args[0]);
      move(deck ? `deck:${deck[1]}` : `card:${args[0]}`, `reserve:${line.seat}`);
    }
    for (const [seat, change] of Object.entries(line.tokens ?? {}))
      for (const [kind, n] of Object.entries(change)) {
        if (n < 0) move(`purse:${seat}:${kind}`, "bag", `supply:${kind}`);
        else if (!line.taken) move(`supply:${kind}`, `purse:${seat}:${kind}`);
      }
    for (const { level, card } of line.arrivals ?? []) deals.push({ deck: `deck:${level}`, card: `card:${card}` });
  }
  return { moves, deals };
}

let moving: HTMLElement[] = [];

const pieceElement = (name: string) => document.querySelector<HTMLElement>(`[data-piece="${CSS.escape(name)}"]`);

function isMotionOff(): boolean {
  return !settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** Animate log lines. Call it before the page shows them: the old places are measured first. */
export async function animateLog(lines: GameEvent[]): Promise<void> {
  cancelAnimations();
  if (isMotionOff() || !lines.length || lines.length > MAX_LINES) return;
  const { moves, deals } = planAnimations(lines);
  const copies = moves.flatMap(({ from, to }) => copyPicture(from, to) ?? []);
  await tick();
  for (const { copy, box, to } of copies) animateMove(copy, box, to);
  for (const { deck, card } of deals) animateDeal(deck, card, copies.length ? DURATION / 2 : 0);
}

/** Remove all pieces that are still moving. */
export function cancelAnimations(): void {
  for (const piece of moving) piece.remove();
  moving = [];
}

interface Copy {
  copy: HTMLElement;
  box: DOMRect;
  to: string[];
}

function copyPicture(from: string, to: string[]): Copy | null {
  const picture = pieceElement(from)?.querySelector("svg");
  if (!picture) return null;
  const copy = document.createElement("div");
  copy.className = "flying";
  copy.append(picture.cloneNode(true));
  return { copy, box: picture.getBoundingClientRect(), to };
}

function animateMove(copy: HTMLElement, from: DOMRect, to: string[]): void {
  const target = to.map(pieceElement).find(Boolean)?.getBoundingClientRect();
  if (!target || !from.width) return;
  document.body.append(copy);
  moving.push(copy);
  const endWidth = Math.min(target.width, target.height, from.width) || from.width / 2;
  const dx = target.left + target.width / 2 - from.left - from.width / 2;
  const dy = target.top + target.height / 2 - from.top - from.height / 2;
  copy.style.left = `${from.left}px`;
  copy.style.top = `${from.top}px`;
  copy.style.width = `${from.width}px`;
  copy.style.height = `${from.height}px`;
  copy.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${dx}px, ${dy}px) scale(${endWidth / from.width})`, opacity: 0.85 },
    ],
    { duration: DURATION, easing: "ease-in-out", fill: "forwards" },
  ).onfinish = () => copy.remove();
}

function animateDeal(deckName: string, cardName: string, delay: number): void {
  const [deck, card] = [pieceElement(deckName)?.getBoundingClientRect(), pieceElement(cardName)];
  if (!deck || !card) return;
  const box = card.getBoundingClientRect();
  const shift = `translate(${deck.left - box.left}px, ${deck.top - box.top}px)`;
  card.animate(
    [
      { transform: shift, opacity: 0.4 },
      { transform: "none", opacity: 1 },
    ],
    { duration: DURATION, delay, fill: "backwards", easing: "ease-out" },
  );
}
