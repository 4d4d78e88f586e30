/**
 * Shows moves one after the other, however fast they arrive.
 *
 * The client always has the newest snapshot. While earlier moves are still being shown, `frame`
 * holds the table to show in its place. Every table comes from the server.
 */

import { flushSync, tick } from "svelte";
import { finishAnimations, prepareAnimations, run, shownPiece } from "./animations";
import { celebrateWin } from "./celebrations";
import { isSameTable, type Client } from "./client.svelte";
import { newEvents, recentMoves, soundOf } from "./moves";
import { isMotionOff, PAUSE_BETWEEN_MOVES, scaled } from "./motion";
import { playSound } from "./sound";
import { settings } from "./storage.svelte";
import type { AnyViewData, GameEvent, Snapshot, Steps } from "./messages";

const MAX_WAITING = 12; // moves; with more of them, only the result is shown
const ANSWER_TIMEOUT = 3000; // milliseconds to wait for earlier tables

/** A move: the table that it led to, and its lines of the log. */
export interface Move {
  table: AnyViewData;
  lines: GameEvent[]; // none for the table before the first move
  logEnd: number; // the number of lines of the log up to here
}

/** What the page shows now. */
export interface Shown {
  table: AnyViewData;
  logEnd: number;
}

interface Waiting {
  moves: Move[] | Promise<Move[]>;
  isLive?: boolean; // the page itself is about to show it
}

/** Return the moves between the tables of an answer of the server, after the table before them. */
export function movesOf({ start, lines, tables }: Pick<Steps, "start" | "lines" | "tables">): Move[] {
  return tables.map((table, i) => ({ table, lines: lines.slice(Math.max(0, i - 1), i), logEnd: start + i }));
}

export class Playback {
  frame = $state.raw<Move | null>(null); // the table to show in place of the newest one
  current = $state.raw<GameEvent[]>([]); // the lines of the move that is being shown
  isBusy = $state(false); // a move is being shown
  isReplay = $state(false); // it was shown before

  #waiting: Waiting[] = [];
  #generation = 0; // grows when everything is finished at once

  /** Show what an update brings. Call it before the page changes. */
  receive(client: Client, next: Snapshot): void {
    const before = client.snapshot;
    if (!before) return;
    const shown = { table: before.table, logEnd: client.logEnd };
    const { table, log } = next;
    const lines = newEvents(client.log, client.logStart, log);
    const first = lines[0];
    if (!first && (!table.outcome || before.table.outcome)) {
      if (!isSameTable(before, next)) this.finish(); // something was undone
      return;
    }
    const move = { table, lines, logEnd: log.start + log.lines.length };
    if (lines.every((line) => line.seat === client.seat)) this.showAtOnce(move);
    else if (lines.length === 1) this.show(shown, move);
    else this.showSteps(shown, client.readSteps(first?.number ?? 0, move.logEnd));
  }

  /** Show the moves since the own last turn to somebody who comes back to the table. */
  welcome(client: Client): void {
    const { snapshot, log, seat } = client;
    const moves = recentMoves(log, seat);
    const isNews = snapshot?.turn.is_yours && !snapshot.turn.decisions.length && moves[0]?.seat !== seat;
    if (snapshot && moves.length && isNews)
      this.showSteps({ table: snapshot.table, logEnd: client.logEnd }, readMoves(client, moves));
  }

  /** Show the last moves again, from the table before them. */
  async replay(client: Client): Promise<void> {
    const steps = await withTimeout(readMoves(client, recentMoves(client.log, client.seat)));
    if (!steps?.lines.length) return;
    this.finish();
    this.isReplay = true;
    this.#enqueue({ moves: movesOf(steps) });
  }

  /** Show a move at once, as an own decision. */
  showAtOnce(move: Move): void {
    this.finish();
    this.#enqueue({ moves: [move], isLive: true });
  }

  /** Show a move of somebody else, after those that are still being shown. */
  show(shown: Shown, move: Move): void {
    if (isMotionOff() || this.#waiting.length >= MAX_WAITING) return this.showAtOnce(move);
    const isLive = !this.isBusy;
    if (!isLive) this.#freeze(shown);
    this.#enqueue({ moves: [move], isLive });
  }

  /** Show several moves whose tables the server is asked for. */
  showSteps(shown: Shown, steps: Promise<Steps | null>): void {
    if (isMotionOff()) return this.finish();
    this.#freeze(shown);
    this.#enqueue({ moves: withTimeout(steps).then((answer) => (answer ? movesOf(answer) : [])) });
  }

  /** Keep what is shown until all moves have been shown, though the page is about to change. */
  hold(shown: Shown): void {
    if (this.isBusy) this.#freeze(shown);
  }

  /** Finish everything at once: the page shows the newest table. */
  finish(): void {
    this.#generation += 1;
    this.#waiting = [];
    finishAnimations();
    this.#rest();
  }

  /** Finish on any input, before it is handled; return the function that stops listening. */
  listen(): () => void {
    const onInput = (event: Event) => {
      if (event instanceof KeyboardEvent && ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
      // a button that ends the moves must not be replaced by another one under the finger
      if (event.target instanceof Element && event.target.closest("[data-skip]")) return;
      if (this.isBusy) flushSync(() => this.finish());
    };
    const events = ["pointerdown", "keydown"];
    for (const name of events) addEventListener(name, onInput, { capture: true });
    return () => {
      for (const name of events) removeEventListener(name, onInput, { capture: true });
    };
  }

  #freeze(shown: Shown): void {
    this.frame ??= { ...shown, lines: this.current };
  }

  #enqueue(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (!this.isBusy) void this.#run(this.#generation);
  }

  async #run(generation: number): Promise<void> {
    this.isBusy = true;
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const moves = Array.isArray(next.moves) ? next.moves : await next.moves;
      if (generation !== this.#generation) return;
      for (const [i, move] of moves.entries()) {
        const duration = await this.#show(move, Boolean(next.isLive));
        if (generation !== this.#generation) return;
        await wait(duration);
        if (generation !== this.#generation) return;
        const isLast = i === moves.length - 1 && !this.#waiting.length;
        if (move.lines.length && (!isLast || this.isReplay)) await wait(pause());
        if (generation !== this.#generation) return;
      }
    }
    this.#rest();
  }

  #rest(): void {
    this.frame = null;
    this.current = [];
    this.isBusy = false;
    this.isReplay = false;
  }

  /** Show a move; return the milliseconds that it takes. */
  async #show(move: Move, isLive: boolean): Promise<number> {
    const generation = this.#generation;
    const { table, lines } = move;
    const start = prepareAnimations(lines, table);
    this.current = lines;
    if (!isLive) this.frame = move;
    await tick();
    if (generation !== this.#generation) return 0;
    const sound = soundOf(lines);
    if (sound) playSound(sound);
    const duration = start();
    return table.outcome ? this.#celebrate(table, duration) : duration;
  }

  async #celebrate({ outcome, viewer }: AnyViewData, after: number): Promise<number> {
    const generation = this.#generation;
    const winners = outcome?.winners ?? [];
    if (viewer !== null && !winners.includes(viewer)) return after;
    await wait(after);
    if (generation !== this.#generation) return 0;
    playSound("win");
    if (isMotionOff()) return 0;
    const panels = winners.flatMap((seat) => shownPiece([`panel:${seat}`, `purse:${seat}`]) ?? []);
    return Math.max(0, ...panels.map(({ box }) => celebrateWin(box, run)));
  }
}

function readMoves(client: Client, moves: GameEvent[]): Promise<Steps | null> {
  const [first, last] = [moves[0], moves.at(-1)];
  return first && last ? client.readSteps(first.number, last.number + 1) : Promise.resolve(null);
}

/** Return how long a move stays before the next one; a replay needs a pause without motion too. */
function pause(): number {
  return settings.speed === "off" ? PAUSE_BETWEEN_MOVES * 1.5 : scaled(PAUSE_BETWEEN_MOVES);
}

async function wait(milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function withTimeout<T>(promise: Promise<T | null>): Promise<T | null> {
  return Promise.race([promise, wait(ANSWER_TIMEOUT).then(() => null)]);
}
