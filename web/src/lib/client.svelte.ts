/** The state of one connection to a match: a player's seat, or a watcher. */

import { Connection, type CommandBody, type Status } from "./connection";
import type { AnyOutgoing, GameEvent, HintGiven, LogPage, LogTail, SeatStatus, Snapshot, Steps } from "./messages";

export interface Refusal {
  code: string;
  message: string;
}

const FOR_ONE_TABLE = new Set<CommandBody["type"]>(["decide", "end_turn", "undo", "hint"]); // not for another one

/** Return whether two snapshots show the same position; players may have come or gone in between. */
export function isSameTable(one: Snapshot, other: Snapshot): boolean {
  return JSON.stringify(one.table) === JSON.stringify(other.table) && one.turn.is_yours === other.turn.is_yours;
}

/** What the parts of a table need of a client; the analysis board has one without a match. */
export type TableClient = Pick<Client, "snapshot" | "seat" | "hint" | "isBusy" | "refusal" | "send">;

export class Client {
  snapshot = $state.raw<Snapshot | null>(null);
  log = $state.raw<GameEvent[]>([]); // its last lines; a long match has earlier ones
  logStart = $state.raw(0); // the number of lines before those
  seat = $state.raw<number | null>(null);
  status = $state<Status>("connecting");
  failure = $state.raw<Refusal | null>(null); // why the match cannot be opened
  refusal = $state.raw<Refusal | null>(null); // why the last command was not carried out
  hint = $state.raw<HintGiven | null>(null);
  watchers = $state(0);
  takeOverAfter = $state(120); // seconds of absence after which a bot may take over
  hasKnownDecks = $state(false); // the match continues a record whose owner knows the decks
  renewedKey = $state.raw<string | null>(null); // the key that has replaced `key`
  isBusy = $state(false);
  playersUpdatedAt = $state(0); // when the server last reported who is connected

  #connection: Connection;
  #stepReader: { end: number; resolve: (steps: Steps | null) => void } | null = null;
  #isReadingLog = false; // earlier lines were asked for
  #sent = new Map<string, { command: CommandBody; seen: Snapshot }>(); // by id, until answered

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
      version: () => this.snapshot?.version ?? null,
      onMessage: (message) => {
        this.#handle(message);
        this.isBusy = this.#connection.isWaiting;
      },
    });
  }

  /** The number of lines of the whole log. */
  get logEnd(): number {
    return this.logStart + this.log.length;
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
    const id = this.#connection.send(command, this.snapshot.version);
    this.#sent.set(id, { command, seen: this.snapshot });
  }

  /** Ask for the tables around some lines of the log; null if it is lost or asked for others. */
  readSteps(start: number, end: number): Promise<Steps | null> {
    return new Promise((resolve) => {
      this.#stepReader?.resolve(null);
      this.#stepReader = { end, resolve };
      if (!this.#connection.ask({ type: "steps", start, end })) resolve(null);
    });
  }

  /** Ask for the lines before those of `log`, if there are any. */
  readEarlierLog(): void {
    if (this.logStart > 0 && !this.#isReadingLog)
      this.#isReadingLog = this.#connection.ask({ type: "log", before: this.logStart });
  }

  close(): void {
    this.#connection.close();
  }

  #handle(message: AnyOutgoing): void {
    switch (message.type) {
      case "welcome":
        this.seat = message.seat;
        this.takeOverAfter = message.take_over_after;
        this.hasKnownDecks = message.has_known_decks;
        this.#isReadingLog = false; // what was asked of an earlier connection is lost
        this.#update(message.snapshot);
        break;
      case "update":
        this.#update(message.snapshot);
        break;
      case "log":
        this.#addEarlierLines(message);
        break;
      case "refused":
        if (message.code === "unavailable") break; // the connection sends it again
        this.#handleRefusal(message.id, message);
        break;
      case "done":
        this.#handleDone(message.id);
        break;
      case "presence":
        this.watchers = message.watchers;
        this.playersUpdatedAt = Date.now();
        if (this.snapshot) this.snapshot = { ...this.snapshot, players: message.players };
        break;
      case "hint": // of another position it would describe what is not there
        if (message.version === this.snapshot?.version) this.hint = message;
        break;
      case "steps":
        if (message.start + message.lines.length === this.#stepReader?.end) this.#stepReader.resolve(message);
        break;
      case "error":
        this.failure = message;
        break;
    }
  }

  #handleDone(id: string): void {
    const command = this.#sent.get(id)?.command;
    this.#sent.delete(id);
    if (command?.type === "renew_link") this.renewedKey = command.key;
  }

  /** A command that came too late is sent again if the position is the same, or does not matter to it. */
  #handleRefusal(id: string, refusal: Refusal): void {
    const sent = this.#sent.get(id);
    this.#sent.delete(id);
    if (refusal.code !== "stale") this.refusal = refusal;
    else if (sent && this.snapshot && this.snapshot.version !== sent.seen.version) {
      const isForAnyTable = !FOR_ONE_TABLE.has(sent.command.type);
      if (isForAnyTable || isSameTable(this.snapshot, sent.seen)) this.send(sent.command);
    }
  }

  #update(snapshot: Snapshot): void {
    if (this.snapshot) this.beforeUpdate(this, snapshot);
    if (this.snapshot?.version !== snapshot.version) this.hint = null;
    this.playersUpdatedAt = Date.now();
    this.#addToLog(snapshot.log);
    this.snapshot = snapshot;
    this.failure = null;
  }

  #addEarlierLines({ start, lines }: LogPage): void {
    this.#isReadingLog = false;
    if (start + lines.length !== this.logStart) return; // the log has been replaced in the meantime
    this.log = [...lines, ...this.log];
    this.logStart = start;
  }

  #addToLog({ start, lines }: LogTail): void {
    const isConnected = this.logStart <= start && start <= this.logEnd;
    this.log = isConnected ? [...this.log.slice(0, start - this.logStart), ...lines] : lines;
    if (!isConnected) this.logStart = start;
  }
}
