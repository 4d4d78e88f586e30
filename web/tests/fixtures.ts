/** Positions, players and a socket to test with. */

import { vi } from "vitest";
import { Client } from "../src/lib/client.svelte";
import type {
  AnyOutgoing,
  CardInfo,
  DecisionPreview,
  DuelPlayerData,
  DuelViewData,
  GameEvent,
  PlayerData,
  SeatStatus,
  Snapshot,
  SplendorPlayerData,
  SplendorViewData,
  TurnStatus,
} from "../src/lib/messages";

function sharedPlayer(seat: number): PlayerData {
  return {
    seat,
    points: 0,
    tokens: {},
    token_count: 0,
    token_limit: 10,
    bonuses: {},
    cards: [],
    reserved: [],
    shown: [],
    reserve_limit: 3,
    goals: { points: 20, crowns: 10, color: 10 },
  };
}

export function player(seat: number, fields: Partial<DuelPlayerData> = {}): DuelPlayerData {
  return {
    ...sharedPlayer(seat),
    points_by_color: {},
    crowns: 0,
    privileges: 0,
    royals: [],
    counterfeiters: [],
    joker_colors: {},
    blocked_turns: 0,
    is_warned: false,
    ...fields,
  };
}

export function splendorPlayer(seat: number, fields: Partial<SplendorPlayerData> = {}): SplendorPlayerData {
  return { ...sharedPlayer(seat), nobles: [], ...fields };
}

const common = {
  options: {},
  seats: 2,
  viewer: 0,
  phase: "turn",
  seat: 0,
  turns: 0,
  outcome: null,
  pyramid: [],
  deck_sizes: [],
  buying: null,
};

export function duel(fields: Partial<DuelViewData> = {}): DuelViewData {
  return {
    ...common,
    kind: "duel",
    game: "duel",
    players: [player(0), player(1)],
    board: {},
    bag: {},
    privileges: 3,
    royals: [],
    royal_deck_size: 0,
    counterfeiters: [],
    counterfeiter_deck_size: 0,
    known_in_decks: [],
    turn: {
      has_replenished: false,
      goes_again: false,
      used: [],
      is_window_past: false,
      can_claim: false,
      royals_due: 0,
      gaps: [],
    },
    reserves_left: 0,
    collecting: null,
    is_bribe: false,
    looking: null,
    ...fields,
  };
}

export function splendor(fields: Partial<SplendorViewData> = {}): SplendorViewData {
  return {
    ...common,
    kind: "splendor",
    game: "splendor",
    players: [splendorPlayer(0), splendorPlayer(1)],
    supply: {},
    nobles: [],
    passes: 0,
    is_last_round: false,
    ...fields,
  };
}

export function seated(seat: number, fields: Partial<SeatStatus> = {}): SeatStatus {
  return {
    seat,
    kind: "person",
    name: "",
    bot: null,
    is_ready: true,
    is_connected: true,
    has_resigned: false,
    wants_rematch: false,
    away: null,
    ...fields,
  };
}

export const bot = (seat: number, name: string) => seated(seat, { kind: "bot", bot: name });

export function turn(fields: Partial<TurnStatus> = {}): TurnStatus {
  return {
    is_yours: true,
    is_complete: false,
    decisions: [],
    provisional: 0,
    can_undo: false,
    can_take_back: false,
    can_hint: false,
    ...fields,
  };
}

export const choices = (...decisions: string[]): DecisionPreview[] => decisions.map((decision) => ({ decision }));

export function snapshot(fields: Partial<Snapshot> = {}): Snapshot {
  return {
    version: 1,
    table: duel(),
    turn: turn(),
    choices: [],
    unavailable: [],
    reserves: [],
    can_win: [],
    players: [seated(0, { name: "Ann" }), bot(1, "greedy")],
    clock: null,
    next: null,
    log: { start: 0, lines: [] },
    ...fields,
  };
}

export function logLine(decision: string, fields: Partial<GameEvent> = {}): GameEvent {
  return { number: 0, turn: 0, seat: 0, decision, ...fields };
}

export function card(id: string, fields: Partial<CardInfo> = {}): CardInfo {
  return { id, kind: "jewel", level: 1, color: "u", bonus: 1, points: 0, crowns: 0, ability: "", cost: {}, ...fields };
}

/** A replacement for WebSocket: tests open and close it, and send what the server would. */
export class FakeSocket {
  static all: FakeSocket[] = [];

  static get last(): FakeSocket {
    const socket = FakeSocket.all.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
  }

  /** Replace WebSocket until `vi.unstubAllGlobals`. */
  static install(): void {
    FakeSocket.all = [];
    vi.stubGlobal("WebSocket", FakeSocket);
  }

  sent: { type: string; [field: string]: unknown }[] = [];
  isClosed = false;
  onopen?: () => void;
  onmessage?: (event: { data: string }) => void;
  onclose?: (event: { code: number }) => void;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.onopen?.();
  }

  receive(message: AnyOutgoing): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** What happens when the other side, or the network, closes the connection. */
  fail(code = 1006): void {
    this.onclose?.({ code });
  }
}

export function welcome(of: Snapshot = snapshot(), seat: number | null = 0): AnyOutgoing {
  const settings = { clock_setting: null, take_over_after: 60, has_known_decks: false };
  return { type: "welcome", match: "m1", seat, ...settings, snapshot: of };
}

/** Return a client that has received a snapshot over a fake socket. */
export function connectedClient(of: Snapshot = snapshot(), beforeUpdate: () => void = () => undefined): Client {
  FakeSocket.install();
  const client = new Client("m1", "key", () => ({}), beforeUpdate);
  FakeSocket.last.open();
  FakeSocket.last.receive(welcome(of));
  return client;
}
