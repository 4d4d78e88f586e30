/** The state of the analysis board: the tree of positions, the present one, and pending chance. */

import { openPosition, openRecord, playDecision, ServerError } from "../../lib/api";
import type { Refusal, TableClient } from "../../lib/client.svelte";
import type { CommandBody } from "../../lib/connection";
import type {
  BoardPosition,
  GameEvent,
  OpenPosition,
  PendingChance,
  PlayDecision,
  SeatStatus,
  Snapshot,
} from "../../lib/messages";
import { addMove, endOf, movesTo, rootNode, rootOf, segmentsOf, type MoveNode } from "./moveTree";

const KEPT_POSITIONS = 300; // so that going back asks nothing of the server

/** A decision that waits for what chance brought. */
export interface WaitingDecision {
  request: PlayDecision;
  rest: string[]; // the decisions that follow it
  pending: PendingChance;
}

function seated(seats: number): SeatStatus[] {
  return Array.from({ length: seats }, (_, seat) => ({
    seat,
    kind: "person",
    name: "",
    bot: null,
    is_ready: true,
    is_connected: true,
    has_resigned: false,
    wants_rematch: false,
    away: null,
  }));
}

export class AnalysisBoard implements TableClient {
  node = $state.raw<MoveNode | null>(null);
  position = $state.raw<BoardPosition | null>(null);
  waiting = $state.raw<WaitingDecision | null>(null);
  isBusy = $state(false);
  refusal = $state.raw<Refusal | null>(null);
  message = $state(""); // the server's words for what is wrong
  entersChance = $state(false);
  names = $state.raw<string[]>([]); // of a record's players
  hint = null;

  #version = $state(0); // counts changes of the tree
  #known = new Map<string, BoardPosition>(); // by text

  seat = $derived(this.position?.table.seat ?? null);
  players = $derived(
    seated(this.position?.table.seats ?? 0).map((one) => ({ ...one, name: this.names[one.seat] ?? "" })),
  );
  log = $derived(this.node ? movesTo(this.node).flatMap((one) => one.event ?? []) : []);
  segments = $derived.by(() => {
    void this.#version;
    return this.node ? segmentsOf(rootOf(this.node)) : [];
  });
  snapshot = $derived.by<Snapshot | null>(() => {
    const { position } = this;
    if (!position) return null;
    return {
      version: this.node?.id ?? 0,
      table: position.table,
      turn: {
        is_yours: !position.table.outcome,
        is_complete: false,
        decisions: [],
        provisional: 0,
        can_undo: false,
        can_take_back: false,
        can_hint: false,
      },
      choices: position.choices,
      unavailable: [],
      reserves: [],
      can_win: [],
      players: this.players,
      clock: null,
      next: null,
      log: { start: 0, lines: [] },
    };
  });

  /** Open a position as a new root; return whether that worked. */
  async open(body: OpenPosition): Promise<boolean> {
    const found = await this.#ask(() => openPosition(body));
    if (!found) return false;
    this.names = [];
    this.waiting = null;
    this.#show(rootNode(found.text), found);
    return true;
  }

  /** Open all positions of a record, at one of them. */
  async openRecord(record: unknown, step = 0): Promise<boolean> {
    const found = await this.#ask(() => openRecord(record));
    const first = found?.steps[0];
    if (!found || !first) return false;
    let node = rootNode(first.text);
    let shown = node;
    found.steps.slice(1).forEach((one, i) => {
      node = addMove(node, one.text, one.line);
      if (i + 1 <= step) shown = node;
    });
    this.names = found.players.map((name) => name.slice(0, 40));
    this.#version += 1;
    return this.goTo(shown);
  }

  async goTo(node: MoveNode): Promise<boolean> {
    const found = this.#known.get(node.text) ?? (await this.#ask(() => openPosition({ text: node.text })));
    if (!found) return false;
    this.waiting = null;
    this.#show(node, found);
    return true;
  }

  back = () => this.node?.parent && this.goTo(this.node.parent);
  forward = () => this.node?.children[0] && this.goTo(this.node.children[0]);
  first = () => this.node && this.goTo(rootOf(this.node));
  last = () => this.node && this.goTo(endOf(this.node));

  /** Change the tree, and show one of its positions. */
  async change(change: (node: MoveNode) => MoveNode): Promise<void> {
    if (!this.node) return;
    const next = change(this.node);
    this.#version += 1;
    await this.goTo(next);
  }

  /** The parts of a table send decisions; nothing else is sent on the board. */
  send(command: CommandBody): void {
    if (command.type === "decide") void this.play(command.decisions);
  }

  /** Play decisions one after the other, until one needs what chance brought. */
  async play(decisions: string[]): Promise<void> {
    const [decision, ...rest] = decisions;
    if (!decision || !this.position) return;
    await this.#play({ text: this.position.text, decision, enter_chance: this.entersChance }, rest);
  }

  /** Go on with the decision that waits: with what came, or at random. */
  async enter(cards: string[], tokens: string | null): Promise<void> {
    const { waiting } = this;
    if (!waiting) return;
    const { request } = waiting;
    const all = [...(request.cards ?? []), ...cards];
    await this.#play({ ...request, cards: all, tokens: tokens ?? request.tokens ?? null }, waiting.rest);
  }

  async drawAtRandom(): Promise<void> {
    const { waiting } = this;
    if (waiting) await this.#play({ text: waiting.request.text, decision: waiting.request.decision }, waiting.rest);
  }

  async #play(request: PlayDecision, rest: string[]): Promise<void> {
    const from = this.node;
    const answer = await this.#ask(() => playDecision(request));
    if (!answer || !from || this.node !== from) return;
    if (answer.pending) {
      this.waiting = { request, rest, pending: answer.pending };
      return;
    }
    this.waiting = null;
    if (!answer.position) return;
    const node = addMove(from, answer.position.text, answer.event as GameEvent);
    this.#version += 1;
    this.#show(node, answer.position);
    await this.play(rest);
  }

  #show(node: MoveNode, position: BoardPosition): void {
    if (this.#known.size >= KEPT_POSITIONS) this.#known.clear();
    this.#known.set(node.text, position);
    this.node = node;
    this.position = position;
  }

  async #ask<T>(question: () => Promise<T>): Promise<T | null> {
    this.isBusy = true;
    this.refusal = null;
    this.message = "";
    try {
      return await question();
    } catch (reason) {
      if (!(reason instanceof ServerError)) throw reason;
      this.refusal = { code: reason.code, message: reason.message };
      this.message = reason.message;
      return null;
    } finally {
      this.isBusy = false;
    }
  }
}
