/** A socket that heals itself, and sends again what was not answered. */

import type { Command, FromServer } from "./wire";

export type Status = "connecting" | "open" | "lost" | "closed";

const NO_USE = new Set([4400, 4401, 4403, 4410]); // closed for good: docs/server.md
const SHORTEST_WAIT = 400;
const LONGEST_WAIT = 8000;
const HEARTBEAT = 15_000;
const PAUSE = 2000; // before what the server could not keep is sent again

export interface Listener {
  received(message: FromServer): void;
  changed(status: Status): void;
}

export class Connection {
  #socket: WebSocket | null = null;
  #unanswered = new Map<string, string>();
  #wait = SHORTEST_WAIT;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #heard = 0;
  #isOpen = false;
  #isLeft = false;

  constructor(
    private readonly match: string,
    private readonly hello: () => Record<string, string>,
    private readonly listener: Listener,
  ) {
    addEventListener("online", this.#again);
    addEventListener("offline", this.#drop);
    this.#connect();
  }

  /** Send a command; it is sent again, over a new connection too, until it is answered. */
  send(command: Command, version: number): string {
    const id = crypto.getRandomValues(new Uint32Array(3)).join("-");
    const text = JSON.stringify({ ...command, id, version });
    this.#unanswered.set(id, text);
    if (this.#isOpen) this.#socket?.send(text);
    return id;
  }

  get isWaiting(): boolean {
    return this.#unanswered.size > 0;
  }

  leave(): void {
    this.#isLeft = true;
    removeEventListener("online", this.#again);
    removeEventListener("offline", this.#drop);
    clearTimeout(this.#retry);
    clearInterval(this.#heartbeat);
    this.#socket?.close();
  }

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${this.match}/socket`);
    this.#socket = socket;
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#closed(socket, event.code);
  }

  #opened(socket: WebSocket): void {
    this.#heard = Date.now();
    clearInterval(this.#heartbeat);
    this.#heartbeat = setInterval(this.#beat, HEARTBEAT);
    socket.send(JSON.stringify({ type: "hello", ...this.hello() }));
  }

  #receive(message: FromServer): void {
    this.#heard = Date.now();
    if (message.type === "welcome") {
      this.#isOpen = true;
      this.#wait = SHORTEST_WAIT;
      this.listener.changed("open");
      for (const text of this.#unanswered.values()) this.#socket?.send(text);
    } else if (message.type === "done" || message.type === "hint") {
      this.#unanswered.delete(message.id);
    } else if (message.type === "refused") {
      if (message.code === "unavailable") this.#sendLater(message.id);
      else this.#unanswered.delete(message.id);
    }
    this.listener.received(message);
  }

  #sendLater(id: string): void {
    const socket = this.#socket;
    setTimeout(() => {
      const text = this.#unanswered.get(id);
      if (text && socket && socket === this.#socket) socket.send(text); // a new one was sent it at its welcome
    }, PAUSE);
  }

  #beat = (): void => {
    if (Date.now() - this.#heard > 2.5 * HEARTBEAT) this.#drop();
    else if (this.#isOpen) this.#socket?.send('{"type":"ping"}');
  };

  #closed(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#isOpen = false;
    clearInterval(this.#heartbeat);
    if (this.#isLeft) return;
    if (NO_USE.has(code)) {
      this.listener.changed("closed");
      return;
    }
    this.listener.changed("lost");
    this.#retry = setTimeout(this.#again, this.#wait * (0.75 + Math.random() / 2));
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }

  #again = (): void => {
    clearTimeout(this.#retry);
    if (!this.#socket && !this.#isLeft) this.#connect();
  };

  #drop = (): void => {
    const socket = this.#socket;
    if (!socket) return;
    this.#closed(socket, 1006);
    socket.close();
  };
}
