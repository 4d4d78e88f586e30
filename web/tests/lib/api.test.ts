import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cardBook, continueRecord, deleteMatch, ServerError, summary } from "../../src/lib/api";
import { card } from "../fixtures";

const fetch = vi.fn();

beforeEach(() => {
  fetch.mockReset();
  vi.stubGlobal("fetch", fetch);
});
afterEach(() => vi.unstubAllGlobals());

function answer(body: unknown, status = 200): void {
  fetch.mockResolvedValueOnce(new Response(status === 204 ? null : JSON.stringify(body), { status }));
}

describe("requests", () => {
  it("carry the key of the match", async () => {
    answer({ match: "m1" });
    expect(await summary("m1", "secret")).toEqual({ match: "m1" });
    const [path, { headers }] = fetch.mock.calls[0] as [string, { headers: Headers }];
    expect(path).toBe("/api/matches/m1");
    expect(headers.get("Authorization")).toBe("Bearer secret");
  });

  it("send JSON", async () => {
    answer({ match: "m2" });
    await continueRecord({ game: "duel" }, 6, [{ name: "Ann" }, { bot: "greedy" }], 0);
    const [path, { method, body }] = fetch.mock.calls[0] as [string, RequestInit];
    expect([path, method]).toEqual(["/api/matches/import", "POST"]);
    expect(JSON.parse(body as string)).toEqual({
      record: { game: "duel" },
      at: 6,
      players: [{ name: "Ann" }, { bot: "greedy" }],
      creator: 0,
    });
  });

  it("may be answered by nothing", async () => {
    answer(null, 204);
    expect(await deleteMatch("m1", "secret")).toBeUndefined();
  });
});

describe("errors", () => {
  it("have the server's code", async () => {
    answer({ error: { code: "gone", message: "deleted" } }, 410);
    await expect(summary("m1", "k")).rejects.toMatchObject({ status: 410, code: "gone", message: "deleted" });
  });

  it("of a proxy, which are not JSON, count as network errors", async () => {
    fetch.mockResolvedValueOnce(new Response("<h1>Bad gateway</h1>", { status: 502, statusText: "Bad Gateway" }));
    await expect(summary("m1", "k")).rejects.toMatchObject({ status: 502, code: "network", message: "Bad Gateway" });
  });

  it("of the connection count as network errors", async () => {
    fetch.mockRejectedValueOnce(new TypeError("failed to fetch"));
    await expect(summary("m1", "k")).rejects.toBeInstanceOf(ServerError);
  });
});

describe("cardBook", () => {
  it("is fetched once for each game, and again only after an error", async () => {
    answer({ error: { code: "unavailable", message: "" } }, 503);
    await expect(cardBook("duel+counterfeiters")).rejects.toMatchObject({ code: "unavailable" });
    answer({ cards: [card("J1-01"), card("J1-02")] });
    const book = await cardBook("duel+counterfeiters");
    expect([...book.keys()]).toEqual(["J1-01", "J1-02"]);
    expect(await cardBook("duel+counterfeiters")).toBe(book);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(fetch.mock.calls[1]?.[0]).toBe("/api/cards/duel%2Bcounterfeiters");
  });
});
