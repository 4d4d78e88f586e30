/** What this browser remembers: name, language, preferences, and the keys of its own games. */

import type { GameName, MatchCreated } from "./wire";

export type Language = "en" | "fr" | "es";
export type Theme = "system" | "dark" | "light";
export type TurnEnd = "people" | "always" | "never";

export interface Settings {
  name: string;
  language: Language;
  theme: Theme;
  motion: boolean;
  sound: boolean;
  log: boolean; // whether it is unfolded
  asks: boolean; // before a privilege is given away or tokens go over the limit
  holds: TurnEnd; // when the end of a turn waits for a press
}

export interface OwnGame {
  match: string;
  game: GameName;
  key: string; // the one to come back with
  here: string[]; // keys of all seats at this screen, if several
  creator: string;
  invitations: { seat: number; link: string }[];
  watch: string;
  isLocalOnly: boolean;
  when: number;
}

const LANGUAGES: readonly Language[] = ["en", "fr", "es"];

function browserLanguage(): Language {
  for (const tag of navigator.languages ?? [navigator.language]) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return "en";
}

function read<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`parure.${name}`);
    return text ? (JSON.parse(text) as T) : otherwise;
  } catch {
    return otherwise;
  }
}

function keep(name: string, value: unknown): void {
  try {
    localStorage.setItem(`parure.${name}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing can still play
  }
}

const standard: Settings = {
  name: "",
  language: browserLanguage(),
  theme: "dark",
  motion: true,
  sound: false,
  log: true,
  asks: false,
  holds: "people",
};

export const settings = $state<Settings>({ ...standard, ...read("settings", {}) });

export function keepSettings(): void {
  keep("settings", settings);
}

const MOST_GAMES = 40;
export const games = $state<{ own: OwnGame[] }>({ own: read<OwnGame[]>("games", []) });

/** Remember a match that was made here. */
export function rememberCreated(created: MatchCreated, playsHere: boolean): OwnGame {
  const mine = created.seats[created.seat]?.key ?? created.watch.key;
  const people = created.seats.filter((seat) => seat.key);
  return rememberGame({
    match: created.match,
    game: created.game,
    key: mine,
    here: playsHere ? people.map((seat) => seat.key as string) : [],
    creator: created.creator_key,
    invitations: playsHere
      ? []
      : people
          .filter((seat) => seat.seat !== created.seat)
          .map((seat) => ({ seat: seat.seat, link: seat.link as string })),
    watch: created.watch.link,
    isLocalOnly: created.is_local_only,
    when: Date.now(),
  });
}

/** Remember a match that was joined by a link, or touch one that is known. */
export function rememberJoined(match: string, game: GameName, key: string): void {
  if (games.own.some((own) => own.match === match)) return;
  const keys = key.split("+"); // a rematch at one screen has several
  const blank = { creator: "", invitations: [], watch: "", isLocalOnly: false };
  const here = keys.length > 1 ? keys : [];
  rememberGame({ match, game, key: keys[0] ?? key, here, ...blank, when: Date.now() });
}

function rememberGame(game: OwnGame): OwnGame {
  games.own = [game, ...games.own.filter((own) => own.match !== game.match)].slice(0, MOST_GAMES);
  keep("games", games.own);
  return game;
}

export function forgetGame(match: string): void {
  games.own = games.own.filter((own) => own.match !== match);
  keep("games", games.own);
}

export function ownGame(match: string): OwnGame | undefined {
  return games.own.find((own) => own.match === match);
}
