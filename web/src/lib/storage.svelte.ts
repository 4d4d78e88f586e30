/** What this browser stores: preferences, the last choice of a game, keys of own games, and their results. */

import type { GameName, MatchCreated } from "./messages";
import type { FinishedGame } from "./results";

export type Language = "en" | "fr" | "es";
export type Theme = "system" | "dark" | "light";
export type TurnEndPause = "people" | "always" | "never";
export type Speed = "normal" | "fast" | "off";

export interface Settings {
  name: string;
  language: Language;
  theme: Theme;
  tokenMarks: boolean; // letters and patterns on tokens, for color vision
  speed: Speed; // of animations
  sound: boolean;
  log: boolean; // whether it is unfolded
  confirmRisky: boolean; // press twice to give a privilege away or to exceed the token limit
  pauseAtTurnEnd: TurnEndPause; // against whom a complete turn waits for "End turn"
}

export interface OwnGame {
  match: string;
  game: GameName;
  key: string; // of the seat to return to
  newKey?: string; // sent to the server to replace `key`, but not confirmed yet
  here: string[]; // keys of all seats at this screen, if several
  creator: string;
  invitations: { seat: number; link: string }[];
  watch: string;
  isLocalOnly: boolean;
  when: number;
}

/** Whom to play against: bots, people at this screen, or people by link. */
export type Mode = "bot" | "here" | "link";

/** What was chosen for the last new game. */
export interface GameChoice {
  mode: Mode;
  game: GameName;
  seats: number; // 0: the fewest of the game
  bots: string[]; // for the other seats; "" for a person
  names: string[]; // of the other people at this screen
  begins: number | null; // a seat, or null for a random one
  clock: number; // index into CLOCKS
  antiBlocking: boolean;
}

const LANGUAGES: readonly Language[] = ["en", "fr", "es"];

/** Return the first of the preferred language tags that the page speaks. */
export function matchLanguage(tags: readonly string[]): Language {
  for (const tag of tags) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return "en";
}

function read<T>(name: string, fallback: T): T {
  try {
    const text = localStorage.getItem(`parure.${name}`);
    return text ? (JSON.parse(text) as T) : fallback;
  } catch {
    return fallback;
  }
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(`parure.${name}`, JSON.stringify(value));
  } catch {
    // the page works without storage too
  }
}

const defaults: Settings = {
  name: "",
  language: matchLanguage(navigator.languages ?? [navigator.language]),
  theme: "dark",
  tokenMarks: false,
  speed: "normal",
  sound: false,
  log: true,
  confirmRisky: false,
  pauseAtTurnEnd: "people",
};

interface FormerSettings {
  asks: boolean;
  holds: TurnEndPause;
  motion: boolean;
}

/** Return stored settings under their present names: `asks`, `holds` and `motion` are those of version 0.1. */
function upgrade({ asks, holds, motion, ...rest }: Partial<Settings & FormerSettings>): Partial<Settings> {
  return {
    ...(motion === false && { speed: "off" }),
    ...rest,
    ...(asks !== undefined && { confirmRisky: asks }),
    ...(holds && { pauseAtTurnEnd: holds }),
  };
}

export const settings = $state<Settings>({ ...defaults, ...upgrade(read("settings", {})) });

export function saveSettings(): void {
  write("settings", settings);
}

const MAX_GAMES = 40;
export const games = $state<{ own: OwnGame[] }>({ own: read<OwnGame[]>("games", []) });

/** Store a match that was created in this browser. */
export function rememberCreated(created: MatchCreated, playsHere: boolean): OwnGame {
  const people = created.seats.filter((seat) => seat.key);
  const others = people.filter((seat) => seat.seat !== created.seat);
  return rememberGame({
    match: created.match,
    game: created.game,
    key: created.seats[created.seat]?.key ?? created.watch.key,
    here: playsHere ? people.map((seat) => seat.key as string) : [],
    creator: created.creator_key,
    invitations: playsHere ? [] : others.map(({ seat, link }) => ({ seat, link: link as string })),
    watch: created.watch.link,
    isLocalOnly: created.is_local_only,
    when: Date.now(),
  });
}

/** Store a match that was joined by a link, unless it is stored already. */
export function rememberJoined(match: string, game: GameName, key: string): void {
  if (games.own.some((own) => own.match === match)) return;
  const keys = key.split("+"); // the link to a rematch at one screen has several
  const blank = { creator: "", invitations: [], watch: "", isLocalOnly: false };
  const here = keys.length > 1 ? keys : [];
  rememberGame({ match, game, key: keys[0] ?? key, here, ...blank, when: Date.now() });
}

function rememberGame(game: OwnGame): OwnGame {
  games.own = [game, ...games.own.filter((own) => own.match !== game.match)].slice(0, MAX_GAMES);
  write("games", games.own);
  return game;
}

/** Return a random key for a link. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

/** Store a key before it is sent: if the answer is lost, either key may be the valid one. */
export function proposeKey(match: string, newKey: string): void {
  const game = ownGame(match);
  if (game) rememberGame({ ...game, newKey });
}

/** Store that a key has replaced another one. */
export function replaceKey(match: string, newKey: string): void {
  const game = ownGame(match);
  if (game) rememberGame({ ...game, key: newKey, newKey: undefined });
}

/** Return another key to try for a match if one opens nothing: an unconfirmed one, or the stored one. */
export function otherKey(match: string, key: string): string | undefined {
  const game = ownGame(match);
  return [game?.newKey, game?.key].find((one) => one && one !== key);
}

export function forgetGame(match: string): void {
  games.own = games.own.filter((own) => own.match !== match);
  write("games", games.own);
}

export function ownGame(match: string): OwnGame | undefined {
  return games.own.find((own) => own.match === match);
}

const firstChoice: GameChoice = {
  mode: "bot",
  game: "duel",
  seats: 0,
  bots: [],
  names: [],
  begins: null,
  clock: 0,
  antiBlocking: false,
};

export const lastChoice = $state<GameChoice>({ ...firstChoice, ...read<Partial<GameChoice>>("choice", {}) });

export function saveChoice(): void {
  write("choice", lastChoice);
}

const MAX_RESULTS = 1000;
export const results = $state<{ list: FinishedGame[] }>({ list: read<FinishedGame[]>("results", []) });

/** Store how a game of one's own ended; the result of a match that was played on replaces the former one. */
export function rememberResult(result: FinishedGame): void {
  const known = results.list.find((one) => one.match === result.match);
  if (known && JSON.stringify(known.outcome) === JSON.stringify(result.outcome)) return;
  storeResults([result, ...results.list.filter((one) => one.match !== result.match)]);
}

/** Remove the result of a match that goes on after its end was taken back. */
export function forgetResult(match: string): void {
  if (results.list.some((one) => one.match === match)) storeResults(results.list.filter((one) => one.match !== match));
}

export function forgetAllResults(): void {
  storeResults([]);
}

function storeResults(list: FinishedGame[]): void {
  results.list = list.toSorted((one, other) => other.when - one.when).slice(0, MAX_RESULTS);
  write("results", results.list);
}
