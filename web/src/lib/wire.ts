/** What the server sends and takes: docs/server.md as types. */

export type Counts = Record<string, number>;
export type GameName = "splendor" | "duel" | "duel+counterfeiters";

export interface CardInfo {
  id: string;
  kind: "jewel" | "royal" | "counterfeiter" | "development" | "noble";
  level: number;
  color: string;
  bonus: number;
  points: number;
  crowns: number;
  ability: string;
  cost: Counts;
}

export interface Outcome {
  winners: number[];
  reason: string;
}

export interface PlayerView {
  seat: number;
  points: number;
  tokens: Counts;
  token_count: number;
  token_limit: number;
  bonuses: Counts;
  cards: string[];
  reserved: string[];
  reserve_limit: number;
  goals: Counts;
  nobles?: string[];
  points_by_color?: Counts;
  crowns?: number;
  privileges?: number;
  joker_colors?: Record<string, string>;
  royals?: string[];
  counterfeiters?: string[];
}

interface TableCommon {
  game: GameName;
  options: Record<string, boolean>;
  viewer: number | null;
  phase: string;
  seat: number;
  turns: number;
  outcome: Outcome | null;
  pyramid: (string | null)[][];
  deck_sizes: number[];
  buying: string | null;
  players: PlayerView[];
}

export interface DuelTable extends TableCommon {
  kind: "duel";
  board: Record<string, string>;
  bag: Counts;
  privileges: number;
  royals: string[];
  royal_deck_size: number;
  counterfeiters: (string | null)[];
  counterfeiter_deck_size: number;
}

export interface SplendorTable extends TableCommon {
  kind: "splendor";
  supply: Counts;
  nobles: string[];
}

export type Table = DuelTable | SplendorTable;

export interface Payment {
  decisions: string[];
  tokens: Counts;
  discounts?: string[];
}

export interface Choice {
  decision: string;
  tokens?: Counts;
  privilege?: boolean;
  over?: number;
  again?: boolean;
  completes?: boolean;
  wins?: boolean;
  hidden?: boolean;
  price?: Counts;
  payments?: Payment[];
  more_payments?: boolean;
}

export interface Unavailable {
  what: string;
  code: string;
  message: string;
  price?: Counts;
  missing?: Counts;
  short?: number;
}

export interface Turn {
  is_yours: boolean;
  is_complete: boolean;
  decisions: string[];
  provisional: number;
  can_undo: boolean;
  can_take_back: boolean;
  can_hint: boolean;
}

export interface Seated {
  seat: number;
  kind: "person" | "bot";
  name: string;
  bot: string | null;
  is_ready: boolean;
  is_connected: boolean;
  has_resigned: boolean;
  wants_rematch: boolean;
  away: number | null;
}

export interface ClockView {
  left: number[];
  running: number | null;
}

export interface LogLine {
  n: number;
  turn: number;
  seat: number;
  decision: string;
  card?: string;
  tokens?: Record<string, Counts>;
  taken?: Record<string, string>;
  laid?: Record<string, string>;
  privileges?: Counts;
  points?: Counts;
  crowns?: Counts;
  gained?: string[];
  came?: { level: number; slot: number; card: string }[];
  ends_turn?: boolean;
}

export interface Snapshot {
  version: number;
  table: Table;
  turn: Turn;
  choices: Choice[];
  unavailable: Unavailable[];
  players: Seated[];
  clock: ClockView | null;
  next: { match: string; key: string } | null;
  log: { start: number; lines: LogLine[] };
}

export interface ClockSetting {
  kind: "bank" | "turn";
  seconds: number;
  increment?: number;
}

export interface Hint {
  decision: string;
  gains: string[];
  candidates: { decision: string; share: number; value: number }[];
}

export type FromServer =
  | {
      type: "welcome";
      match: string;
      seat: number | null;
      clock_setting: ClockSetting | null;
      take_over_after: number;
      snapshot: Snapshot;
    }
  | { type: "update"; snapshot: Snapshot }
  | { type: "done"; id: string; version: number; is_repeated: boolean }
  | { type: "refused"; id: string; code: string; message: string; snapshot: Snapshot }
  | { type: "presence"; players: Seated[]; watchers: number }
  | ({ type: "hint"; id: string; version: number } & Hint)
  | { type: "error"; code: string; message: string }
  | { type: "pong" };

export type Command =
  | { type: "decide"; decisions: string[]; end_turn?: boolean }
  | { type: "end_turn" | "take_back" | "resign" | "rematch" | "sit_down" | "hint" }
  | { type: "undo"; all?: boolean }
  | { type: "take_over"; seat: number; bot: string };

export interface Catalogue {
  version: string;
  games: { game: GameName; least_players: number; most_players: number; options: string[] }[];
  bots: { bot: string; strength: number }[];
  is_local_only: boolean;
  take_over_after: number;
}

export interface NewPlayer {
  name?: string;
  bot?: string;
}

export interface NewMatch {
  game: GameName;
  options: Record<string, boolean>;
  players: NewPlayer[];
  begins: number | null;
  clock: ClockSetting | null;
}

export interface SeatLink {
  seat: number;
  name: string;
  bot: string | null;
  key: string | null;
  link: string | null;
}

export interface MatchCreated {
  match: string;
  game: GameName;
  seat: number;
  seats: SeatLink[];
  watch: { key: string; link: string };
  creator_key: string;
  is_local_only: boolean;
}

export interface MatchSummary {
  match: string;
  game: GameName;
  seat: number | null;
  players: string[];
  turns: number;
  to_move: number | null;
  is_over: boolean;
  result: Outcome | null;
  can_delete: boolean;
  created: number;
  changed: number;
}

export interface Replay {
  game: GameName;
  players: string[];
  steps: { table: Table; line: LogLine | null }[];
  result: Outcome | null;
}
