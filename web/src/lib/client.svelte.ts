/** One seat (or a watcher) at a table of the server. */

import { Connection, type Status } from "./connection";
import type { Command, Hint, LogLine, Seated, Snapshot } from "./wire";

export interface Refusal {
  code: string;
  message: string;
}

/** Whether two snapshots show the same table, whoever came or went in between. */
export function isSameTable(one: Snapshot, other: Snapshot): boolean {
  return JSON.stringify(one.table) === JSON.stringify(other.table) && one.turn.is_yours === other.turn.is_yours;
}

export class Client {
  snapshot = $state.raw<Snapshot | null>(null);
  log = $state.raw<LogLine[]>([]);
  seat = $state.raw<number | null>(null);
  status = $state<Status>("connecting");
  failure = $state.raw<Refusal | null>(null); // why the table cannot be opened
  refusal = $state.raw<Refusal | null>(null); // why the last command was not carried out
  hint = $state.raw<Hint | null>(null);
  watchers = $state(0);
  takeOverAfter = $state(120);
  isBusy = $state(false);
  playersAt = $state(0); // when it was last told who is there

  #connection: Connection;
  #sent = new Map<string, Command>(); // by id, until answered

  /**
   * `introduction` is what to say of oneself beside the key; `before` is called with each snapshot
   * before it is shown: pieces that move start there.
   */
  constructor(
    readonly match: string,
    readonly key: string,
    introduction: () => Record<string, string>,
    private readonly before: (client: Client, snapshot: Snapshot) => void,
  ) {
    this.#connection = new Connection(match, () => ({ key, ...introduction() }), {
      changed: (status) => (this.status = status),
      received: (message) => {
        switch (message.type) {
          case "welcome":
            this.seat = message.seat;
            this.takeOverAfter = message.take_over_after;
            this.#take(message.snapshot);
            break;
          case "update":
            this.#take(message.snapshot);
            break;
          case "refused":
            if (message.code === "unavailable") break; // it is sent again by itself
            this.#refused(message.id, message);
            break;
          case "done":
            this.#sent.delete(message.id);
            break;
          case "presence":
            this.watchers = message.watchers;
            this.playersAt = Date.now();
            if (this.snapshot) this.snapshot = { ...this.snapshot, players: message.players };
            break;
          case "hint":
            this.hint = message;
            break;
          case "error":
            this.failure = message;
            break;
        }
        this.isBusy = this.#connection.isWaiting;
      },
    });
  }

  get table() {
    return this.snapshot?.table ?? null;
  }

  /** The other people who should be here and are not. */
  get missing(): Seated[] {
    const people = this.snapshot?.players.filter((one) => one.kind === "person" && one.seat !== this.seat) ?? [];
    return people.filter((one) => !one.is_connected && !one.has_resigned);
  }

  send(command: Command): void {
    if (!this.snapshot) return;
    this.refusal = null;
    this.hint = null;
    this.isBusy = true;
    this.#sent.set(this.#connection.send(command, this.snapshot.version), command);
  }

  /** A command that came too late is sent once more if the table is still the one it was meant for. */
  #refused(id: string, refusal: Refusal & { snapshot: Snapshot }): void {
    const command = this.#sent.get(id);
    const isMeant = this.snapshot !== null && isSameTable(this.snapshot, refusal.snapshot);
    this.#sent.delete(id);
    this.#take(refusal.snapshot);
    if (refusal.code !== "stale") this.refusal = refusal;
    else if (command && isMeant) this.send(command);
  }

  leave(): void {
    this.#connection.leave();
  }

  #take(snapshot: Snapshot): void {
    if (this.snapshot) this.before(this, snapshot);
    if (this.snapshot?.version !== snapshot.version) this.hint = null;
    this.playersAt = Date.now();
    this.log = [...this.log.slice(0, snapshot.log.start), ...snapshot.log.lines];
    this.snapshot = snapshot;
    this.failure = null;
  }
}
