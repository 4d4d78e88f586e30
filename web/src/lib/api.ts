/** The HTTP side of the server. */

import type { CardInfo, Catalogue, GameName, MatchCreated, MatchSummary, NewMatch, NewPlayer, Replay } from "./wire";

export class ServerError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function ask<T>(path: string, key?: string, init: RequestInit = {}): Promise<T> {
  const headers = new Headers(init.headers);
  if (key) headers.set("Authorization", `Bearer ${key}`);
  if (init.body) headers.set("Content-Type", "application/json");
  let answer: Response;
  try {
    answer = await fetch(`/api/${path}`, { ...init, headers });
  } catch {
    throw new ServerError(0, "network", "the server does not answer");
  }
  if (answer.status === 204) return undefined as T;
  const body = await answer.json().catch(() => null);
  if (!answer.ok) {
    const error = body?.error;
    throw new ServerError(answer.status, error?.code ?? "network", error?.message ?? answer.statusText);
  }
  return body as T;
}

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

export const catalogue = () => ask<Catalogue>("catalogue");
export const createMatch = (match: NewMatch) => ask<MatchCreated>("matches", undefined, post(match));
export const goOnFrom = (record: unknown, at: number, players: NewPlayer[], creator: number) =>
  ask<MatchCreated>("matches/import", undefined, post({ record, at, players, creator }));
export const summary = (match: string, key: string) => ask<MatchSummary>(`matches/${match}`, key);
export const deleteMatch = (match: string, key: string) =>
  ask<void>(`matches/${match}`, key, { method: "DELETE" });
export const replayOfMatch = (match: string, key: string) => ask<Replay>(`matches/${match}/replay`, key);
export const replayOfRecord = (record: unknown) => ask<Replay>("replays", undefined, post({ record }));
export const recordOfMatch = (match: string, key: string) => ask<unknown>(`matches/${match}/record`, key);

export type CardBook = ReadonlyMap<string, CardInfo>;

const books = new Map<GameName, Promise<CardBook>>();

/** The printed cards of a game, asked for once. */
export function cardBook(game: GameName): Promise<CardBook> {
  let book = books.get(game);
  if (!book) {
    book = ask<{ cards: CardInfo[] }>(`cards/${encodeURIComponent(game)}`).then(
      ({ cards }) => new Map(cards.map((card) => [card.id, card])),
    );
    book.catch(() => books.delete(game));
    books.set(game, book);
  }
  return book;
}
