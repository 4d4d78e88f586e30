/** A socket that reconnects, and sends commands again until they are answered. */

import type { AnyCommand, AnyOutgoing, ReadLog, ReadSteps } from "./messages";

export type Status = "connecting" | "open" | "lost" | "closed";

const FINAL_CODES = new Set([4400, 4401, 4403, 4410, 4500]); // the server refuses for good: do not reconnect
const MIN_RETRY_DELAY = 400;
const MAX_RETRY_DELAY = 8000;
const PING_INTERVAL = 15_000;
const SILENCE_LIMIT = 2.5 * PING_INTERVAL; // the connection counts as lost after that
const RESEND_DELAY = 2000; // after the server could not store a command

type WithoutEnvelope<C> = C extends AnyCommand ? Omit<C, "id" | "version"> : never;

/** A command before the connection adds its id and version. */
export type CommandBody = WithoutEnvelope<AnyCommand>;

export interface Listener {
  onMessage(message: AnyOutgoing): void;
  onStatus(status: Status): void;
  /** Return the version of the last snapshot, null if there is none. */
  version(): number | null;
}

export class Connection {
  #socket: WebSocket | null = null;
  #unanswered = new Map<string, string>(); // commands as JSON, by id
  #retryDelay = MIN_RETRY_DELAY;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  #pingTimer: ReturnType<typeof setInterval> | undefined;
  #lastMessageAt = 0;
  #isWelcomed = false;
  #isClosed = false;

  constructor(
    private readonly match: string,
    private readonly hello: () => Record<string, string>,
    private readonly listener: Listener,
  ) {
    addEventListener("online", this.#reconnect);
    addEventListener("offline", this.#drop);
    this.#connect();
  }

  /** Send a command and return its id. It is sent again, over new connections too, until answered. */
  send(command: CommandBody, version: number): string {
    const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
    const text = JSON.stringify({ ...command, id, version });
    this.#unanswered.set(id, text);
    if (this.#isWelcomed) this.#socket?.send(text);
    return id;
  }

  /** Send a question, once; return false if the connection is lost. */
  ask(question: ReadLog | ReadSteps): boolean {
    if (this.#isWelcomed) this.#socket?.send(JSON.stringify(question));
    return this.#isWelcomed;
  }

  get isWaiting(): boolean {
    return this.#unanswered.size > 0;
  }

  close(): void {
    this.#isClosed = true;
    removeEventListener("online", this.#reconnect);
    removeEventListener("offline", this.#drop);
    clearTimeout(this.#retryTimer);
    clearInterval(this.#pingTimer);
    this.#socket?.close();
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/socket`);
    this.#socket = socket;
    socket.onopen = () => this.#onOpen(socket);
    socket.onmessage = (event) => this.#onMessage(JSON.parse(event.data));
    socket.onclose = (event) => this.#onClose(socket, event.code);
  }

  #onOpen(socket: WebSocket): void {
    this.#lastMessageAt = Date.now();
    clearInterval(this.#pingTimer);
    this.#pingTimer = setInterval(this.#ping, PING_INTERVAL);
    socket.send(JSON.stringify({ type: "hello", ...this.hello() }));
  }

  #onMessage(message: AnyOutgoing): void {
    this.#lastMessageAt = Date.now();
    if (message.type === "welcome") {
      this.#isWelcomed = true;
      this.#retryDelay = MIN_RETRY_DELAY;
      this.listener.onStatus("open");
      for (const text of this.#unanswered.values()) this.#socket?.send(text);
    } else if (message.type === "done" || message.type === "hint") {
      this.#unanswered.delete(message.id);
    } else if (message.type === "refused") {
      if (message.code === "unavailable") this.#sendLater(message.id);
      else this.#unanswered.delete(message.id);
    }
    this.listener.onMessage(message);
  }

  #sendLater(id: string): void {
    const socket = this.#socket;
    setTimeout(() => {
      const text = this.#unanswered.get(id);
      // a newer socket has sent it already, on its welcome
      if (text && socket && socket === this.#socket) socket.send(text);
    }, RESEND_DELAY);
  }

  #ping = (): void => {
    if (Date.now() - this.#lastMessageAt > SILENCE_LIMIT) this.#drop();
    else if (this.#isWelcomed) this.#socket?.send(JSON.stringify({ type: "ping", version: this.listener.version() }));
  };

  #onClose(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#isWelcomed = false;
    clearInterval(this.#pingTimer);
    if (this.#isClosed) return;
    if (FINAL_CODES.has(code)) {
      this.listener.onStatus("closed");
      return;
    }
    this.listener.onStatus("lost");
    // random delays, so that the clients of a restarted server do not return all at once
    this.#retryTimer = setTimeout(this.#reconnect, this.#retryDelay * (0.75 + Math.random() / 2));
    this.#retryDelay = Math.min(MAX_RETRY_DELAY, this.#retryDelay * 2);
  }

  #reconnect = (): void => {
    clearTimeout(this.#retryTimer);
    if (!this.#socket && !this.#isClosed) this.#connect();
  };

  #drop = (): void => {
    const socket = this.#socket;
    if (!socket) return;
    this.#onClose(socket, 1006);
    socket.close();
  };
}
