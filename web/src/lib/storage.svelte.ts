/** What this browser stores: name, language, preferences, and the keys of its own games. */

import type { GameName, MatchCreated } from "./messages";

export type Language = "en" | "fr" | "es";
export type Theme = "system" | "dark" | "light";
export type TurnEndPause = "people" | "always" | "never";

export interface Settings {
  name: string;
  language: Language;
  theme: Theme;
  motion: boolean;
  sound: boolean;
  log: boolean; // whether it is unfolded
  confirmRisky: boolean; // press twice to give a privilege away or to exceed the token limit
  pauseAtTurnEnd: TurnEndPause; // against whom a complete turn waits for "End turn"
}

export interface OwnGame {
  match: string;
  game: GameName;
  key: string; // of the seat to return to
  here: string[]; // keys of all seats at this screen, if several
  creator: string;
  invitations: { seat: number; link: string }[];
  watch: string;
  isLocalOnly: boolean;
  when: number;
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
  motion: true,
  sound: false,
  log: true,
  confirmRisky: false,
  pauseAtTurnEnd: "people",
};

/** Return stored settings under their present names: `asks` and `holds` are those of version 0.1. */
function upgrade({ asks, holds, ...rest }: Partial<Settings & { asks: boolean; holds: TurnEndPause }>) {
  return { ...rest, ...(asks !== undefined && { confirmRisky: asks }), ...(holds && { pauseAtTurnEnd: holds }) };
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

export function forgetGame(match: string): void {
  games.own = games.own.filter((own) => own.match !== match);
  write("games", games.own);
}

export function ownGame(match: string): OwnGame | undefined {
  return games.own.find((own) => own.match === match);
}
