/** The server's HTTP API. */

import type {
  CardInfo,
  Catalogue,
  GameName,
  MatchCreated,
  MatchSummary,
  CreateMatch,
  NewPlayer,
  Replay,
} from "./messages";

export class ServerError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function request<T>(path: string, key?: string, init: RequestInit = {}): Promise<T> {
  const headers = new Headers(init.headers);
  if (key) headers.set("Authorization", `Bearer ${key}`);
  if (init.body) headers.set("Content-Type", "application/json");
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, { ...init, headers });
  } catch {
    throw new ServerError(0, "network", "the server does not answer");
  }
  if (response.status === 204) return undefined as T;
  const body = await response.json().catch(() => null);
  if (!response.ok) {
    const error = body?.error;
    throw new ServerError(response.status, error?.code ?? "network", error?.message ?? response.statusText);
  }
  return body as T;
}

const post = (body: unknown): RequestInit => ({ method: "POST", body: JSON.stringify(body) });

export const catalogue = () => request<Catalogue>("catalogue");
export const createMatch = (match: CreateMatch) => request<MatchCreated>("matches", undefined, post(match));
export const continueRecord = (record: unknown, step: number, players: NewPlayer[], creator: number) =>
  request<MatchCreated>("matches/import", undefined, post({ record, at: step, players, creator }));
export const summary = (match: string, key: string) => request<MatchSummary>(`matches/${match}`, key);
export const deleteMatch = (match: string, key: string) =>
  request<undefined>(`matches/${match}`, key, { method: "DELETE" });
export const replayOfMatch = (match: string, key: string) => request<Replay>(`matches/${match}/replay`, key);
export const replayOfRecord = (record: unknown) => request<Replay>("replays", undefined, post({ record }));
export const recordOfMatch = (match: string, key: string) => request<unknown>(`matches/${match}/record`, key);

export type CardBook = ReadonlyMap<string, CardInfo>;

const books = new Map<GameName, Promise<CardBook>>();

/** Return the printed cards of a game by id; each game is fetched once. */
export function cardBook(game: GameName): Promise<CardBook> {
  let book = books.get(game);
  if (!book) {
    book = request<{ cards: CardInfo[] }>(`cards/${encodeURIComponent(game)}`).then(
      ({ cards }) => new Map(cards.map((card) => [card.id, card])),
    );
    book.catch(() => books.delete(game));
    books.set(game, book);
  }
  return book;
}
