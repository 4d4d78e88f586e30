import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Client } from "../../src/lib/client.svelte";
import type { AnyViewData, GameEvent, Snapshot, Steps } from "../../src/lib/messages";
import { movesOf, Playback } from "../../src/lib/playback.svelte";
import { settings } from "../../src/lib/storage.svelte";
import { FakeSocket, logLine, snapshot, splendor, turn, welcome } from "../fixtures";

// every move takes 400 milliseconds
vi.mock("../../src/lib/animations", () => ({
  prepareAnimations: (lines: unknown[]) => () => (lines.length ? 400 : 0),
  finishAnimations: () => undefined,
  shownPiece: () => null,
  run: () => undefined,
}));

let playback: Playback;
let client: Client;

beforeEach(() => {
  vi.useFakeTimers();
  settings.speed = "normal";
  FakeSocket.install();
  playback = new Playback();
  client = new Client(
    "m1",
    "key",
    () => ({}),
    (one, next) => playback.receive(one, next),
  );
  FakeSocket.last.open();
  FakeSocket.last.receive(welcome(state(1, [own])));
});
afterEach(() => {
  playback.finish();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const own = logLine("take wug", { number: 0, turn: 0, seat: 0, ends_turn: true });
const byBot = (seat: number) => logLine(`take by ${seat}`, { number: seat, turn: seat, seat, ends_turn: true });

/** Return a table that can be recognized by its number of turns. */
const tableAt = (turns: number, fields: object = {}): AnyViewData => splendor({ turns, ...fields });

function state(turns: number, lines: GameEvent[], fields: Partial<Snapshot> = {}): Snapshot {
  const log = { start: lines[0]?.number ?? 0, lines };
  return snapshot({ version: turns, table: tableAt(turns), turn: turn({ is_yours: false }), log, ...fields });
}

const receive = (next: Snapshot) => FakeSocket.last.receive({ type: "update", snapshot: next });
const answer = (steps: Omit<Steps, "type">) => FakeSocket.last.receive({ type: "steps", ...steps });
const asked = () => FakeSocket.last.sent.filter(({ type }) => type === "steps");

/** What the page shows: the number of turns of its table. */
const shown = () => (playback.frame?.table ?? client.snapshot?.table)?.turns;

describe("moves of others", () => {
  it("are shown one after the other, though they arrive at once", async () => {
    for (const seat of [1, 2, 3]) receive(state(seat + 1, [byBot(seat)]));
    expect(client.snapshot?.version).toBe(4);
    const seen: string[] = [];
    for (let i = 0; i < 60; i++) {
      await vi.advanceTimersByTimeAsync(50);
      const now = `${shown()} ${playback.current[0]?.decision ?? "rest"}`;
      if (seen.at(-1) !== now) seen.push(now);
    }
    expect(seen).toEqual(["2 take by 1", "3 take by 2", "4 take by 3", "4 rest"]);
    expect([playback.isBusy, playback.frame]).toEqual([false, null]);
  });

  it("are skipped by any input: the newest table is shown at once", () => {
    const stop = playback.listen();
    for (const seat of [1, 2, 3]) receive(state(seat + 1, [byBot(seat)]));
    expect(shown()).toBe(2);
    dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    expect(shown()).toBe(2);
    dispatchEvent(new Event("pointerdown"));
    expect([shown(), playback.isBusy]).toEqual([4, false]);
    stop();
  });

  it("go on while the button that skips them is pressed: it does so itself, when released", () => {
    const stop = playback.listen();
    document.body.innerHTML = `<button data-skip><b></b></button>`;
    for (const seat of [1, 2, 3]) receive(state(seat + 1, [byBot(seat)]));
    document.querySelector("b")?.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect([shown(), playback.isBusy]).toEqual([2, true]);
    stop();
  });

  it("do not go on after they were skipped", async () => {
    for (const seat of [1, 2, 3]) receive(state(seat + 1, [byBot(seat)]));
    await vi.advanceTimersByTimeAsync(10);
    playback.finish();
    await vi.advanceTimersByTimeAsync(5000);
    expect([shown(), playback.current, playback.frame]).toEqual([4, [], null]);
  });

  it("are shown at once if motion is off", () => {
    settings.speed = "off";
    for (const seat of [1, 2, 3]) receive(state(seat + 1, [byBot(seat)]));
    expect([shown(), playback.frame]).toEqual([4, null]);
  });

  it("that come together are shown with the tables that the server has", async () => {
    receive(state(4, [byBot(1), byBot(2)]));
    expect(asked()).toMatchObject([{ start: 1, end: 3 }]);
    expect(shown()).toBe(1);
    answer({ start: 1, lines: [byBot(1), byBot(2)], tables: [tableAt(1), tableAt(2), tableAt(3)] });
    await vi.advanceTimersByTimeAsync(10);
    expect([shown(), playback.current[0]?.seat]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(960);
    expect([shown(), playback.current[0]?.seat]).toEqual([3, 2]);
    await vi.advanceTimersByTimeAsync(1000);
    expect([shown(), playback.frame]).toEqual([4, null]);
  });

  it("whose tables do not come do not stop the page", async () => {
    receive(state(4, [byBot(1), byBot(2)]));
    await vi.advanceTimersByTimeAsync(3100);
    expect([shown(), playback.isBusy]).toEqual([4, false]);
  });

  it("that are too many are not waited for", () => {
    for (let n = 1; n < 20; n++) receive(state(n + 1, [logLine("pass", { number: n, turn: n, seat: 1 })]));
    expect(shown()).toBeGreaterThan(10);
  });
});

describe("own decisions", () => {
  it("are shown at once, whatever was being shown", () => {
    for (const seat of [1, 2]) receive(state(seat + 1, [byBot(seat)]));
    const mine = logLine("take kkk", { number: 3, turn: 3, seat: 0 });
    receive(state(9, [mine], { turn: turn() }));
    expect([shown(), playback.frame, playback.current]).toEqual([9, null, [mine]]);
  });

  it("that are undone end what is being shown", () => {
    for (const seat of [1, 2]) receive(state(seat + 1, [byBot(seat)]));
    receive(state(8, [], { log: { start: 1, lines: [] } }));
    expect([shown(), playback.isBusy]).toEqual([8, false]);
  });

  it("are not disturbed by players who come or go", () => {
    for (const seat of [1, 2]) receive(state(seat + 1, [byBot(seat)]));
    receive({ ...state(3, []), log: { start: 3, lines: [] }, version: 30 });
    expect([shown(), playback.isBusy]).toEqual([2, true]);
  });
});

describe("showing again", () => {
  it("starts from the table before the last moves, and ends at the newest", async () => {
    settings.speed = "off";
    for (const seat of [1, 2, 3]) receive(state(seat + 1, [byBot(seat)]));
    await vi.advanceTimersByTimeAsync(10);
    settings.speed = "normal";
    void playback.replay(client);
    expect(asked()).toMatchObject([{ start: 1, end: 4 }]);
    answer({ start: 1, lines: [1, 2, 3].map(byBot), tables: [1, 2, 3, 4].map((n) => tableAt(n)) });
    await vi.advanceTimersByTimeAsync(10);
    expect([shown(), playback.isReplay, playback.frame?.logEnd]).toEqual([2, true, 2]);
    await vi.advanceTimersByTimeAsync(960);
    expect(shown()).toBe(3);
    await vi.advanceTimersByTimeAsync(2000);
    expect([shown(), playback.frame, playback.isReplay]).toEqual([4, null, false]);
  });

  it("happens for somebody who comes back in the own turn", () => {
    receive(state(2, [byBot(1)], { turn: turn() }));
    playback.finish();
    playback.welcome(client);
    expect(asked()).toMatchObject([{ start: 1, end: 2 }]);
    expect(playback.isBusy).toBe(true);
  });

  it("does not happen in the turn of somebody else", () => {
    receive(state(2, [byBot(1)]));
    playback.finish();
    playback.welcome(client);
    expect(asked()).toEqual([]);
  });
});

it("holds the table of one seat until its move was shown, though another seat is next", async () => {
  receive(state(2, [byBot(1)]));
  playback.hold({ table: tableAt(2), logEnd: 2 });
  expect(playback.frame?.table.turns).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(playback.frame).toBeNull();
  playback.hold({ table: tableAt(2), logEnd: 2 });
  expect(playback.frame).toBeNull();
});

it("the tables of an answer are the one before, then one for each line", () => {
  const moves = movesOf({ start: 5, lines: [byBot(1), byBot(2)], tables: [1, 2, 3].map((n) => tableAt(n)) });
  expect(moves.map(({ table, lines, logEnd }) => [table.turns, lines.map(({ seat }) => seat), logEnd])).toEqual([
    [1, [], 5],
    [2, [1], 6],
    [3, [2], 7],
  ]);
});

describe("steps", () => {
  it("are null if the connection is lost, or if others are asked for", async () => {
    const first = client.readSteps(0, 1);
    const second = client.readSteps(0, 2);
    await expect(first).resolves.toBeNull();
    answer({ start: 0, lines: [own], tables: [tableAt(0), tableAt(1)] }); // of the first: too late
    answer({ start: 0, lines: [own, byBot(1)], tables: [0, 1, 2].map((n) => tableAt(n)) });
    expect((await second)?.lines).toHaveLength(2);
    FakeSocket.last.fail();
    await expect(client.readSteps(0, 1)).resolves.toBeNull();
  });
});
