/** The server's HTTP API. */

import type {
  BoardAnswer,
  BoardPosition,
  BoardRecord,
  CardInfo,
  Catalogue,
  GameName,
  EngineReport,
  MatchCreated,
  MatchSummary,
  CreateMatch,
  NewPlayer,
  OpenPosition,
  PlayDecision,
  Replay,
  ReviewProgress,
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
export const reviewOfMatch = (match: string, key: string, from: number) =>
  request<ReviewProgress>(`matches/${match}/review?from=${from}`, key);
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

// --- the analysis board

export const openPosition = (body: OpenPosition) => request<BoardPosition>("analysis/position", undefined, post(body));
export const openRecord = (record: unknown) => request<BoardRecord>("analysis/record", undefined, post({ record }));
export const playDecision = (body: PlayDecision) => request<BoardAnswer>("analysis/play", undefined, post(body));

/** Call back with each report of an analysis until it is final or the signal aborts it. */
export async function runEngine(
  text: string,
  lines: number,
  signal: AbortSignal,
  report: (report: EngineReport) => void,
): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch("/api/analysis/engine", { ...post({ text, lines }), headers, signal });
  if (!response.ok || !response.body) {
    const error = (await response.json().catch(() => null))?.error;
    throw new ServerError(response.status, error?.code ?? "network", error?.message ?? response.statusText);
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const pieces = (buffer + value).split("\n");
    buffer = pieces.pop() ?? "";
    for (const piece of pieces) report(JSON.parse(piece) as EngineReport);
  }
}
