/** The state of one connection to a match: a player's seat, or a watcher. */

import { Connection, type CommandBody, type Status } from "./connection";
import type { AnyOutgoing, GameEvent, HintGiven, SeatStatus, Snapshot } from "./messages";

export interface Refusal {
  code: string;
  message: string;
}

/** Return whether two snapshots show the same position; players may have come or gone in between. */
export function isSameTable(one: Snapshot, other: Snapshot): boolean {
  return JSON.stringify(one.table) === JSON.stringify(other.table) && one.turn.is_yours === other.turn.is_yours;
}

export class Client {
  snapshot = $state.raw<Snapshot | null>(null);
  log = $state.raw<GameEvent[]>([]);
  seat = $state.raw<number | null>(null);
  status = $state<Status>("connecting");
  failure = $state.raw<Refusal | null>(null); // why the match cannot be opened
  refusal = $state.raw<Refusal | null>(null); // why the last command was not carried out
  hint = $state.raw<HintGiven | null>(null);
  watchers = $state(0);
  takeOverAfter = $state(120); // seconds of absence after which a bot may take over
  isBusy = $state(false);
  playersUpdatedAt = $state(0); // when the server last reported who is connected

  #connection: Connection;
  #sent = new Map<string, CommandBody>(); // by id, until answered

  /**
   * @param hello what to send beside the key when connecting: a name, or the creator's key
   * @param beforeUpdate called with each snapshot before it is shown, to start animations
   */
  constructor(
    readonly match: string,
    readonly key: string,
    hello: () => Record<string, string>,
    private readonly beforeUpdate: (client: Client, snapshot: Snapshot) => void,
  ) {
    this.#connection = new Connection(match, () => ({ key, ...hello() }), {
      onStatus: (status) => (this.status = status),
      onMessage: (message) => {
        this.#handle(message);
        this.isBusy = this.#connection.isWaiting;
      },
    });
  }

  get table() {
    return this.snapshot?.table ?? null;
  }

  /** The other people who have a seat but are not connected. */
  get absentPlayers(): SeatStatus[] {
    const people = this.snapshot?.players.filter((one) => one.kind === "person" && one.seat !== this.seat) ?? [];
    return people.filter((one) => !one.is_connected && !one.has_resigned);
  }

  send(command: CommandBody): void {
    if (!this.snapshot) return;
    this.refusal = null;
    this.hint = null;
    this.isBusy = true;
    this.#sent.set(this.#connection.send(command, this.snapshot.version), command);
  }

  close(): void {
    this.#connection.close();
  }

  #handle(message: AnyOutgoing): void {
    switch (message.type) {
      case "welcome":
        this.seat = message.seat;
        this.takeOverAfter = message.take_over_after;
        this.#update(message.snapshot);
        break;
      case "update":
        this.#update(message.snapshot);
        break;
      case "refused":
        if (message.code === "unavailable") break; // the connection sends it again
        this.#handleRefusal(message.id, message);
        break;
      case "done":
        this.#sent.delete(message.id);
        break;
      case "presence":
        this.watchers = message.watchers;
        this.playersUpdatedAt = Date.now();
        if (this.snapshot) this.snapshot = { ...this.snapshot, players: message.players };
        break;
      case "hint":
        this.hint = message;
        break;
      case "error":
        this.failure = message;
        break;
    }
  }

  /** A command that came too late is sent once more if the position is still the same. */
  #handleRefusal(id: string, refusal: Refusal & { snapshot: Snapshot }): void {
    const command = this.#sent.get(id);
    const isUnchanged = this.snapshot !== null && isSameTable(this.snapshot, refusal.snapshot);
    this.#sent.delete(id);
    this.#update(refusal.snapshot);
    if (refusal.code !== "stale") this.refusal = refusal;
    else if (command && isUnchanged) this.send(command);
  }

  #update(snapshot: Snapshot): void {
    if (this.snapshot) this.beforeUpdate(this, snapshot);
    if (this.snapshot?.version !== snapshot.version) this.hint = null;
    this.playersUpdatedAt = Date.now();
    this.log = [...this.log.slice(0, snapshot.log.start), ...snapshot.log.lines];
    this.snapshot = snapshot;
    this.failure = null;
  }
}
