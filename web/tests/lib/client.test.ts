import { afterEach, describe, expect, it, vi } from "vitest";
import { isSameTable } from "../../src/lib/client.svelte";
import { bot, connectedClient, duel, FakeSocket, logLine, seated, snapshot, turn } from "../fixtures";

afterEach(() => vi.unstubAllGlobals());

const commands = () => FakeSocket.last.sent.filter((message) => message.type !== "hello");

describe("snapshots", () => {
  it("come with the welcome and with updates", () => {
    const client = connectedClient(snapshot({ version: 3 }));
    expect([client.seat, client.takeOverAfter, client.snapshot?.version]).toEqual([0, 60, 3]);
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ version: 4 }) });
    expect(client.snapshot?.version).toBe(4);
    expect(client.status).toBe("open");
  });

  it("bring log lines from a start on: an undo shortens the log", () => {
    const client = connectedClient(snapshot({ log: { start: 0, lines: [logLine("take a1"), logLine("gold c3")] } }));
    const undone = snapshot({ version: 2, log: { start: 1, lines: [logLine("take b1")] } });
    FakeSocket.last.receive({ type: "update", snapshot: undone });
    expect(client.log.map((line) => line.decision)).toEqual(["take a1", "take b1"]);
  });

  it("bring the last lines of a long log, and replace a log that ends before them", () => {
    const client = connectedClient(snapshot({ log: { start: 300, lines: [logLine("take a1"), logLine("gold c3")] } }));
    expect([client.logStart, client.logEnd]).toEqual([300, 302]);
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ log: { start: 301, lines: [logLine("pass")] } }) });
    expect(client.log.map((line) => line.decision)).toEqual(["take a1", "pass"]);
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ log: { start: 400, lines: [logLine("pass")] } }) });
    expect([client.logStart, client.logEnd]).toEqual([400, 401]);
  });

  it("are completed by earlier lines, asked for once at a time", () => {
    const client = connectedClient(snapshot({ log: { start: 2, lines: [logLine("pass")] } }));
    client.readEarlierLog();
    client.readEarlierLog();
    expect(commands()).toEqual([{ type: "log", before: 2 }]);
    FakeSocket.last.receive({ type: "log", start: 1, lines: [logLine("gold c3")] });
    client.readEarlierLog();
    expect(commands()).toEqual([
      { type: "log", before: 2 },
      { type: "log", before: 1 },
    ]);
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ log: { start: 3, lines: [logLine("take b1")] } }) });
    FakeSocket.last.receive({ type: "log", start: 0, lines: [logLine("take a1")] });
    expect(client.log.map((line) => line.decision)).toEqual(["take a1", "gold c3", "pass", "take b1"]);
    client.readEarlierLog();
    expect([client.logStart, commands().length]).toEqual([0, 2]);
  });

  it("may replace the log before earlier lines arrive, which are then dropped", () => {
    const client = connectedClient(snapshot({ log: { start: 300, lines: [logLine("pass")] } }));
    client.readEarlierLog();
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ log: { start: 400, lines: [logLine("pass")] } }) });
    FakeSocket.last.receive({ type: "log", start: 100, lines: Array.from({ length: 200 }, () => logLine("take a1")) });
    expect([client.logStart, client.log.length]).toEqual([400, 1]);
  });

  it("are announced before they are shown, except the first", () => {
    const beforeUpdate = vi.fn();
    const client = connectedClient(snapshot(), beforeUpdate);
    expect(beforeUpdate).not.toHaveBeenCalled();
    beforeUpdate.mockImplementation(() => expect(client.snapshot?.version).toBe(1));
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ version: 2 }) });
    expect(beforeUpdate).toHaveBeenCalledOnce();
  });

  it("are the same table if only players came or went", () => {
    const one = snapshot();
    expect(isSameTable(one, { ...one, version: 2, players: [] })).toBe(true);
    expect(isSameTable(one, { ...one, table: duel({ turns: 1 }) })).toBe(false);
    expect(isSameTable(one, { ...one, turn: turn({ is_yours: false }) })).toBe(false);
  });
});

describe("commands", () => {
  it("keep the client busy until they are answered", () => {
    const client = connectedClient(snapshot({ version: 7 }));
    client.send({ type: "undo" });
    expect(client.isBusy).toBe(true);
    expect(commands()).toMatchObject([{ type: "undo", version: 7 }]);
    FakeSocket.last.receive({ type: "done", id: String(commands()[0]?.id), version: 8, is_repeated: false });
    expect(client.isBusy).toBe(false);
  });

  it("that renew the link tell the new key once they are carried out", () => {
    const client = connectedClient();
    client.send({ type: "renew_link", key: "A".repeat(24) });
    expect(client.renewedKey).toBeNull();
    FakeSocket.last.receive({ type: "done", id: String(commands()[0]?.id), version: 1, is_repeated: false });
    expect(client.renewedKey).toBe("A".repeat(24));
  });

  /** Refuse the first command, after an update to another version. */
  function refuse(code: string, current = snapshot({ version: 2 })) {
    FakeSocket.last.receive({ type: "update", snapshot: current });
    const { version } = current;
    FakeSocket.last.receive({ type: "refused", id: String(commands()[0]?.id), code, message: "no", version });
  }

  it("that are refused leave a reason and the current snapshot", () => {
    const client = connectedClient();
    client.send({ type: "undo" });
    refuse("fixed");
    expect(client.refusal?.code).toBe("fixed");
    expect([client.isBusy, client.snapshot?.version]).toEqual([false, 2]);
    client.send({ type: "end_turn" });
    expect(client.refusal).toBeNull();
  });

  it("that came too late are sent again if the position is the same", () => {
    const client = connectedClient();
    client.send({ type: "undo" });
    refuse("stale");
    expect(commands()).toMatchObject([
      { type: "undo", version: 1 },
      { type: "undo", version: 2 },
    ]);
    expect(client.refusal).toBeNull();
  });

  it("that came too late are not sent again with the same version", () => {
    const client = connectedClient();
    client.send({ type: "undo" });
    refuse("stale", snapshot({ version: 1 }));
    expect(commands()).toHaveLength(1);
    expect(client.isBusy).toBe(false);
  });

  it("that came too late are dropped if the position is another", () => {
    const client = connectedClient();
    client.send({ type: "undo" });
    refuse("stale", snapshot({ version: 2, table: duel({ turns: 1 }) }));
    expect(commands()).toHaveLength(1);
    expect([client.isBusy, client.refusal]).toEqual([false, null]);
  });

  it("that came too late are sent again if the position does not matter to them", () => {
    const client = connectedClient();
    client.send({ type: "take_back" });
    refuse("stale", snapshot({ version: 2, table: duel({ turns: 1 }) }));
    expect(commands()).toMatchObject([
      { type: "take_back", version: 1 },
      { type: "take_back", version: 2 },
    ]);
  });

  it("that could not be stored are still being carried out", () => {
    const client = connectedClient();
    client.send({ type: "undo" });
    refuse("unavailable");
    expect([client.isBusy, client.refusal]).toEqual([true, null]);
  });
});

describe("hints", () => {
  it("are for one version only", () => {
    const client = connectedClient();
    const candidates = [{ decision: "take a1", value: 0.5, line: ["take a1"], reasons: [], words: {} }];
    FakeSocket.last.receive({ type: "hint", id: "x", version: 1, candidates });
    expect(client.hint?.candidates[0]?.decision).toBe("take a1");
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ version: 1 }) });
    expect(client.hint).not.toBeNull();
    FakeSocket.last.receive({ type: "update", snapshot: snapshot({ version: 2 }) });
    expect(client.hint).toBeNull();
    FakeSocket.last.receive({ type: "hint", id: "x", version: 1, candidates });
    expect(client.hint).toBeNull(); // it came too late
  });
});

describe("presence", () => {
  it("changes the players without a new version", () => {
    const client = connectedClient();
    const players = [seated(0), seated(1, { is_connected: false })];
    FakeSocket.last.receive({ type: "presence", players, watchers: 2 });
    expect([client.watchers, client.snapshot?.version]).toEqual([2, 1]);
    expect(client.absentPlayers.map((one) => one.seat)).toEqual([1]);
  });

  it("counts neither oneself, nor bots, nor who resigned as absent", () => {
    const players = [
      seated(0, { is_connected: false }),
      bot(1, "greedy"),
      seated(2, { is_connected: false, has_resigned: true }),
      seated(3),
    ];
    expect(connectedClient(snapshot({ players })).absentPlayers).toEqual([]);
  });
});

it("keeps the reason why a match cannot be opened", () => {
  const client = connectedClient();
  FakeSocket.last.receive({ type: "error", code: "gone", message: "deleted" });
  FakeSocket.last.fail(4410);
  expect([client.failure?.code, client.status]).toEqual(["gone", "closed"]);
});
