import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Connection } from "../../src/lib/connection";
import { FakeSocket, welcome } from "../fixtures";

const onMessage = vi.fn();
const onStatus = vi.fn();
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5); // delays without their random part
  onMessage.mockReset();
  onStatus.mockReset();
  FakeSocket.install();
  connection = new Connection("m1", () => ({ key: "secret", name: "Ann" }), { onMessage, onStatus, version: () => 4 });
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(): FakeSocket {
  FakeSocket.last.open();
  FakeSocket.last.receive(welcome());
  return FakeSocket.last;
}

const types = (socket: FakeSocket) => socket.sent.map((message) => message.type);

describe("opening", () => {
  it("says hello with the key, and is open once the server answers", () => {
    expect(FakeSocket.last.url).toMatch(/^ws:\/\/.*\/api\/matches\/m1\/socket$/);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ type: "hello", key: "secret", name: "Ann" }]);
    expect(onStatus).not.toHaveBeenCalled();
    FakeSocket.last.receive(welcome());
    expect(onStatus).toHaveBeenLastCalledWith("open");
    expect(onMessage).toHaveBeenCalledWith(welcome());
  });
});

describe("commands", () => {
  it("are sent with their version and an id of their own", () => {
    const socket = open();
    const ids = [connection.send({ type: "undo" }, 4), connection.send({ type: "end_turn" }, 4)];
    expect(socket.sent.slice(1)).toEqual([
      { type: "undo", id: ids[0], version: 4 },
      { type: "end_turn", id: ids[1], version: 4 },
    ]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("wait until they are answered", () => {
    const socket = open();
    const id = connection.send({ type: "undo" }, 4);
    expect(connection.isWaiting).toBe(true);
    socket.receive({ type: "done", id, version: 5, is_repeated: false });
    expect(connection.isWaiting).toBe(false);
  });

  it("are not repeated after a refusal", () => {
    const socket = open();
    const id = connection.send({ type: "undo" }, 4);
    socket.receive({ type: "refused", id, code: "illegal", message: "", version: 4 });
    expect(connection.isWaiting).toBe(false);
  });

  it("are sent again a little later if the server could not store them", () => {
    const socket = open();
    const id = connection.send({ type: "undo" }, 4);
    socket.receive({ type: "refused", id, code: "unavailable", message: "", version: 4 });
    expect(connection.isWaiting).toBe(true);
    expect(types(socket)).toEqual(["hello", "undo"]);
    vi.advanceTimersByTime(2000);
    expect(types(socket)).toEqual(["hello", "undo", "undo"]);
  });

  it("given before the welcome, or unanswered when the line broke, are sent over the new connection", () => {
    connection.send({ type: "undo" }, 1);
    const first = open();
    expect(types(first)).toEqual(["hello", "undo"]);
    first.fail();
    connection.send({ type: "end_turn" }, 1);
    vi.advanceTimersByTime(400);
    const second = FakeSocket.last;
    expect(second).not.toBe(first);
    second.open();
    expect(types(second)).toEqual(["hello"]);
    second.receive(welcome());
    expect(types(second)).toEqual(["hello", "undo", "end_turn"]);
    expect(second.sent[1]?.id).toBe(first.sent[1]?.id);
  });

  it("are sent once only if a new connection replaced the one that could not store them", () => {
    const first = open();
    const id = connection.send({ type: "undo" }, 4);
    first.receive({ type: "refused", id, code: "unavailable", message: "", version: 4 });
    first.fail();
    vi.advanceTimersByTime(400);
    const second = open();
    vi.advanceTimersByTime(2000);
    expect(types(first)).toEqual(["hello", "undo"]);
    expect(types(second)).toEqual(["hello", "undo"]);
  });
});

describe("reconnecting", () => {
  it("waits longer each time, up to eight seconds, and starts over after a welcome", () => {
    const delays: number[] = [];
    const measure = () => {
      FakeSocket.last.fail();
      const before = FakeSocket.all.length;
      let delay = 0;
      while (FakeSocket.all.length === before) {
        vi.advanceTimersByTime(100);
        delay += 100;
      }
      delays.push(delay);
    };
    for (let i = 0; i < 7; i++) measure();
    open();
    measure();
    expect(delays).toEqual([400, 800, 1600, 3200, 6400, 8000, 8000, 400]);
    expect(onStatus).toHaveBeenCalledWith("lost");
  });

  it.each([4400, 4401, 4403, 4410])("is not tried after code %i", (code) => {
    open().fail(code);
    expect(onStatus).toHaveBeenLastCalledWith("closed");
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
  });

  it("is tried at once when the browser is online again", () => {
    const socket = open();
    dispatchEvent(new Event("offline"));
    expect(onStatus).toHaveBeenLastCalledWith("lost");
    expect(socket.isClosed).toBe(true);
    dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
    socket.fail(); // the old socket's end comes late and means nothing
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  it("is tried when the server has been silent for too long", () => {
    const socket = open();
    vi.advanceTimersByTime(30_000);
    expect(types(socket)).toEqual(["hello", "ping", "ping"]);
    expect(socket.sent[1]).toEqual({ type: "ping", version: 4 });
    vi.advanceTimersByTime(15_000);
    expect(onStatus).toHaveBeenLastCalledWith("lost");
    expect(socket.isClosed).toBe(true);
  });

  it("is not needed while the server answers", () => {
    const socket = open();
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(15_000);
      socket.receive({ type: "pong" });
    }
    expect(onStatus).toHaveBeenLastCalledWith("open");
    expect(FakeSocket.all).toHaveLength(1);
  });
});

describe("closing", () => {
  it("closes the socket and stays closed", () => {
    const socket = open();
    connection.close();
    expect(socket.isClosed).toBe(true);
    socket.fail(1000);
    dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(onStatus).toHaveBeenLastCalledWith("open");
  });
});
