/**
 * Animate what log lines moved: each piece travels on an arc from where it was to where it is now.
 *
 * `prepareAnimations` measures the table before the page changes; the function that it returns
 * starts the animations after. `finishAnimations` ends everything at once: the page below is
 * already right, so nothing is lost.
 */

import { mount, unmount } from "svelte";
import CardBack from "../drawings/CardBack.svelte";
import Token from "../drawings/Token.svelte";
import "../motion.css";
import { sparkle } from "./celebrations";
import { depart, land, landAll } from "./counters.svelte";
import { planFlights, type Flight } from "./flightPlan";
import type { AnyViewData, GameEvent } from "./messages";
import { arcKeyframes, distance, flightTime, isMotionOff, placeOf, scaled, startTimes, TURN_OVER } from "./motion";
import type { Box } from "./motion";

const EASING = "cubic-bezier(0.35, 0.1, 0.25, 1)";
const FADE = 250; // milliseconds at normal speed
const LATE = 0.6; // of the time of the earlier pieces: when those start that fill their gaps

const running = new Set<() => void>(); // each ends one animation at once

/** Run an animation until it ends or is ended; `atEnd` is called once, in either case. */
export function run(animation: Animation, atEnd: () => void = () => undefined): void {
  const end = () => {
    if (!running.delete(end)) return;
    animation.cancel();
    atEnd();
  };
  running.add(end);
  animation.onfinish = end;
}

/** End all animations at once. */
export function finishAnimations(): void {
  for (const end of [...running]) end();
  landAll();
}

/** Return the first piece of some names that is shown; one that need not be scrolled to comes first. */
export function shownPiece(names: string[]): { element: HTMLElement; box: Box } | null {
  const shown = names.flatMap((name) => {
    const elements = document.querySelectorAll<HTMLElement>(`[data-piece="${CSS.escape(name)}"]`);
    return [...elements].flatMap((element) => {
      const box = placeOf(element);
      return box ? [{ element, box }] : [];
    });
  });
  return shown.find(({ box }) => isInView(box)) ?? shown[0] ?? null;
}

function isInView({ left, top, width, height }: Box): boolean {
  const [x, y] = [left + width / 2, top + height / 2];
  return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
}

const drawing = (element: Element) => element.querySelector("svg");

interface Prepared {
  flight: Flight;
  from: Box | null;
  copy: HTMLElement;
}

/**
 * Measure what log lines are going to move, before the page shows them.
 *
 * @param after the table that they lead to
 * @returns a function to call once the page shows that table; it returns the milliseconds that the
 *   animations take
 */
export function prepareAnimations(lines: GameEvent[], after?: AnyViewData): () => number {
  finishAnimations();
  if (isMotionOff()) return () => 0;
  const prepared = lines.flatMap((line) => planFlights(line, after)).map(prepare);
  return () => start(prepared);
}

function prepare(flight: Flight): Prepared {
  const source = shownPiece(flight.from);
  const picture = source && drawing(source.element);
  const copy = document.createElement("div");
  copy.className = "flying";
  if (flight.picture === "copy" && picture) copy.append(picture.cloneNode(true));
  for (const { counter, amount } of flight.lands) depart(counter, amount);
  // a token in a row of numbers starts at its picture, not in the middle of the row
  return { flight, from: placeOf(picture) ?? source?.box ?? null, copy };
}

function start(prepared: Prepared[]): number {
  const early = prepared.filter(({ flight }) => !flight.isLate);
  const late = prepared.filter(({ flight }) => flight.isLate);
  const earlyTimes = startTimes(early.length);
  const earlyEnd = Math.max(0, ...early.map((one, i) => fly(one, earlyTimes[i] ?? 0)));
  const lateTimes = startTimes(late.length);
  return Math.max(earlyEnd, ...late.map((one, i) => fly(one, earlyEnd * LATE + (lateTimes[i] ?? 0))));
}

/** Start one flight after a delay; return when it will have ended. */
function fly({ flight, from, copy }: Prepared, delay: number): number {
  const target = shownPiece(flight.to);
  // where the piece itself is shown, it appears when its copy lands
  const isShownThere = target && /^(card|cell):/.test(target.element.dataset.piece ?? "");
  const real = isShownThere ? drawing(target.element) : null;
  if (!from || !target) {
    for (const { counter, amount } of flight.lands) land(counter, amount);
    if (from && flight.picture === "copy") return fadeOut(copy, from, delay);
    return real ? fadeIn(real, delay) : 0;
  }
  if (flight.picture !== "copy") mountPicture(copy, flight.picture);
  const to = placeOf(real) ?? endBox(target.box, from);
  const duration = flightTime(distance(from, to));
  const isTurned = typeof flight.picture === "object" && "back" in flight.picture && real !== null;
  place(copy, from);
  copy.dataset.to = target.element.dataset.piece;
  if (real) hide(real, delay + duration);
  if (flight.isLate) hide(copy, delay); // the others are seen in their old places until they leave
  const timing = { duration, delay, easing: EASING, fill: flight.isLate ? "none" : "backwards" } as const;
  run(copy.animate(arcKeyframes(from, to, real ? 1 : 0.55), timing), () => {
    remove(copy);
    for (const landing of flight.lands) tick(landing.counter, landing.amount);
  });
  if (isTurned) turnOver(real, flight.picture as { back: number }, to, delay + duration);
  if (flight.isFestive) sparkle(to, delay + duration, run);
  return delay + duration + (isTurned ? scaled(TURN_OVER) : 0);
}

/** Return a box of the proportions of a piece in the middle of its target. */
function endBox(target: Box, piece: Box): Box {
  const scale = Math.min(1, target.width / piece.width, target.height / piece.height);
  const [width, height] = [piece.width * scale, piece.height * scale];
  const left = target.left + (target.width - width) / 2;
  return { left, top: target.top + (target.height - height) / 2, width, height };
}

function place(copy: HTMLElement, { left, top, width, height }: Box): void {
  Object.assign(copy.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  document.body.append(copy);
}

const mounted = new WeakMap<HTMLElement, Record<string, unknown>>();

function mountPicture(target: HTMLElement, picture: { token: string } | { back: number }): void {
  const component =
    "token" in picture
      ? mount(Token, { target, props: { kind: picture.token } })
      : mount(CardBack, { target, props: { level: picture.back } });
  mounted.set(target, component);
}

function remove(copy: HTMLElement): void {
  const component = mounted.get(copy);
  if (component) void unmount(component);
  copy.remove();
}

function hide(element: Element, duration: number): void {
  run(element.animate([{ opacity: 0 }, { opacity: 0 }], { duration }));
}

function fadeOut(copy: HTMLElement, box: Box, delay: number): number {
  const duration = scaled(FADE);
  place(copy, box);
  const keyframes = [{ opacity: 1 }, { opacity: 0, transform: "scale(0.9)" }];
  run(copy.animate(keyframes, { duration, delay, fill: "backwards" }), () => remove(copy));
  return delay + duration;
}

function fadeIn(element: Element, delay: number): number {
  const duration = scaled(FADE);
  run(element.animate([{ opacity: 0 }, { opacity: 1 }], { duration, delay, fill: "backwards" }));
  return delay + duration;
}

/** Turn a card over in its place: its back turns away, then its face appears. */
function turnOver(face: Element, picture: { back: number }, box: Box, delay: number): void {
  const half = scaled(TURN_OVER) / 2;
  const back = document.createElement("div");
  back.className = "flying turning";
  mountPicture(back, picture);
  place(back, box);
  const away = [{ transform: "rotateY(0)" }, { transform: "rotateY(90deg)" }];
  hide(back, delay); // until then the copy on its way shows it
  run(back.animate(away, { duration: half, delay, easing: "ease-in" }), () => remove(back));
  const toward = [{ transform: "perspective(600px) rotateY(-90deg)" }, { transform: "perspective(600px) rotateY(0)" }];
  hide(face, delay + half);
  run(face.animate(toward, { duration: half, delay: delay + half, easing: "ease-out" }));
}

/** Change a counter, which grows for a moment. */
function tick(counter: string, amount: number): void {
  land(counter, amount);
  const duration = scaled(FADE);
  for (const element of document.querySelectorAll(`[data-counter="${CSS.escape(counter)}"]`))
    run(element.animate([{ transform: "none" }, { transform: "scale(1.4)" }, { transform: "none" }], { duration }));
}
