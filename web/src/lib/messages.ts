/**
 * The messages between page and server.
 *
 * Generated from the Python types by `make types`: do not edit.
 */

/** Tokens, bonuses or prices by letter; zeros are left out. */
export type Counts = Record<string, number>;

/** The games that can be played. */
export type GameName = "splendor" | "duel" | "duel+counterfeiters";

export type AnyCommand = Decide | EndTurn | Undo | TakeBack | Resign | Rematch | TakeOver | SitDown | RenewLink | Hint;

export type AnyIncoming =
  | Hello
  | Ping
  | ReadLog
  | ReadSteps
  | Decide
  | EndTurn
  | Undo
  | TakeBack
  | Resign
  | Rematch
  | TakeOver
  | SitDown
  | RenewLink
  | Hint;

export type AnyOutgoing = Welcome | Update | Done | Refused | LogPage | Steps | Presence | HintGiven | Failure | Pong;

export type AnyPlayerData = DuelPlayerData | SplendorPlayerData;

export type AnyViewData = DuelViewData | SplendorViewData;

/** The first message: the key of the link that was opened, and the name of the person. */
export interface Hello {
  type: "hello";
  key: string;
  name?: string | null;
  /** with it, opening a second seat does not count as sharing */
  creator?: string | null;
}

/** Check the connection; answered by `pong`, and by `update` if the client's version is old. */
export interface Ping {
  type: "ping";
  /** of the last snapshot that the client has */
  version?: number | null;
}

/** Ask for the lines of the log before a line; answered by `log`. */
export interface ReadLog {
  type: "log";
  before: number;
}

/** Ask for the table before and after each of some lines of the log; answered by `steps`. */
export interface ReadSteps {
  type: "steps";
  /** the first line */
  start: number;
  /** the line after the last one */
  end: number;
}

/** A command to a match. */
export interface Command {
  /** chosen by the client; a repeated command is carried out once */
  id: string;
  /** of the last snapshot that the client has */
  version: number;
}

/** Take some decisions, together or not at all; only the last one may reveal something. */
export interface Decide extends Command {
  type: "decide";
  decisions: string[];
  /** hand the turn over if they complete it */
  end_turn?: boolean;
}

/** Hand over a turn that is complete. */
export interface EndTurn extends Command {
  type: "end_turn";
}

/** Take back the last command of the own turn. */
export interface Undo extends Command {
  type: "undo";
  /** everything in the turn that can be taken back */
  all?: boolean;
}

/** Go back to the start of the own last turn; against bots only. */
export interface TakeBack extends Command {
  type: "take_back";
}

/** Resign. With two seats the game ends; with more a bot plays on. */
export interface Resign extends Command {
  type: "resign";
}

/** Ask for, or agree to, another game with the same players. */
export interface Rematch extends Command {
  type: "rematch";
}

/** Let a bot play for a seat whose person has been away for some time. */
export interface TakeOver extends Command {
  type: "take_over";
  seat: number;
  bot: string;
}

/** Take the own seat back from the bot that took it over. */
export interface SitDown extends Command {
  type: "sit_down";
}

/**
 * Replace the key of the own seat; connections with the old one are closed.
 *
 * The client chooses the new key, so that it is not locked out if the answer is lost.
 */
export interface RenewLink extends Command {
  type: "renew_link";
  /** random: base64 of at least 18 bytes */
  key: string;
}

/** Ask what a bot would do; answered by `hint`. Changes nothing. */
export interface Hint extends Command {
  type: "hint";
}

/** A request for a new match. The first player is the creator. */
export interface CreateMatch {
  game?: GameName;
  options?: Record<string, boolean>;
  players: NewPlayer[];
  /** index into `players`; null: random */
  begins?: number | null;
  clock?: ClockBody | null;
}

/** A player of a new match: a person with a name, which may be empty, or a bot. */
export interface NewPlayer {
  name?: string;
  bot?: string | null;
}

/** A time control: `bank` is for the whole game with an increment per turn, `turn` per turn. */
export interface ClockBody {
  kind: "bank" | "turn";
  seconds: number;
  increment?: number;
}

/** A request for a match that continues a record. */
export interface ImportMatch {
  record: Record<string, unknown>;
  /** decisions to keep; null: all */
  at?: number | null;
  /** in the order of the seats */
  players: NewPlayer[];
  /** the creator's seat */
  creator?: number;
  clock?: ClockBody | null;
  /** the cards that nobody has seen; between persons they always are */
  shuffle?: boolean;
}

/** A request for the replay of a record. */
export interface ReplayRequest {
  record: Record<string, unknown>;
}

/** A request for a position: exactly one of `text`, `view` and `game` (a new deal). */
export interface OpenPosition {
  text?: string | null;
  /** the data of a view */
  view?: Record<string, unknown> | null;
  game?: GameName | null;
  players?: number | null;
  options?: Record<string, boolean>;
  /** whose view; null: as it is */
  viewer?: number | "all" | null;
  /** give a view's hidden cards places at random */
  deal?: boolean;
}

/** A request for all positions of a record. */
export interface OpenRecord {
  record: Record<string, unknown>;
}

/** A request to play a decision of the seat to move. */
export interface PlayDecision {
  text: string;
  decision: string;
  /** false: cards and tokens are drawn at random */
  enter_chance?: boolean;
  cards?: string[];
  tokens?: string | null;
}

/** A request for an analysis. */
export interface AnalysePosition {
  text: string;
  lines?: number;
}

/** The answer to `hello`. Its log has the last lines; `log` reads earlier ones. */
export interface Welcome {
  type: "welcome";
  match: string;
  /** null: a watcher */
  seat: number | null;
  clock_setting: Clock | null;
  /** seconds that a person must be away */
  take_over_after: number;
  /** the creator imported the match with its decks, and may know every card */
  has_known_decks: boolean;
  snapshot: Snapshot;
}

/** A time control: `bank` is for the whole game with an increment per turn, `turn` per turn. */
export interface Clock {
  kind: "bank" | "turn";
  seconds: number;
  increment: number;
}

/** Everything that a viewer may know at a version. */
export interface Snapshot {
  version: number;
  table: AnyViewData;
  turn: TurnStatus;
  /** the legal decisions of the viewer */
  choices: DecisionPreview[];
  unavailable: UnavailableAction[];
  /** what can be reserved now, gold included */
  reserves: ReserveOption[];
  /** seats that can reach a goal in their next turn, as far as the viewer knows */
  can_win: number[];
  players: SeatStatus[];
  clock: ClockStatus | null;
  next: NextMatch | null;
  log: LogTail;
}

/** What the views of all games share; `kind` is the family of games. */
export interface ViewData {
  game: GameName;
  options: Record<string, boolean>;
  seats: number;
  /** null: a watcher */
  viewer: number | null;
  /** to move */
  seat: number;
  /** as in the rules; at a table also `end`: the turn is complete, not handed over */
  phase: string;
  /** completed */
  turns: number;
  outcome: Outcome | null;
  /** levels 1 to 3; null for a gap */
  pyramid: (string | null)[][];
  /** of levels 1 to 3 */
  deck_sizes: number[];
  buying: Purchase | null;
  players: PlayerData[];
  /** the printed facts of every card named here */
  cards?: Record<string, Record<string, unknown>>;
}

/** The table of Duel. */
export interface DuelViewData extends ViewData {
  kind: "duel";
  buying: DuelPurchase | null;
  players: DuelPlayerData[];
  /** the letter on each cell that is not empty */
  board: Record<string, string>;
  bag: Counts;
  /** on the table */
  privileges: number;
  /** face up */
  royals: string[];
  royal_deck_size: number;
  /** the three slots of the row; null for a gap */
  counterfeiters: (string | null)[];
  counterfeiter_deck_size: number;
  known_in_decks: KnownCard[];
  turn: DuelTurn;
  /** cards that may be reserved now */
  reserves_left: number;
  collecting: TokenCollection | null;
  /** the royal is chosen for C09 */
  is_bribe: boolean;
  looking: DeckLook | null;
}

/**
 * How a game ended: the winning seats and why.
 *
 * No winner is a draw; several winners share the victory.
 */
export interface Outcome {
  winners: number[];
  reason: string;
}

/** A card that is being paid for, and the payment so far. */
export interface Purchase {
  card: string;
  /** after bonuses and the discounts used so far */
  price: Counts;
  /** gold paid in place of each kind */
  gold_laid: Counts;
  /** the first payment decision still allowed, in their order; null: any */
  step: string | null;
}

/** A card that is being paid for, and the payment so far; or a joker that takes its color. */
export interface DuelPurchase extends Purchase {
  /** of a Counterfeiter already owned */
  is_use: boolean;
  /** of the discount at `step` */
  uses: number;
}

/** What a seat holds in every game. */
export interface PlayerData {
  seat: number;
  points: number;
  tokens: Counts;
  /** the tokens that count toward the limit */
  token_count: number;
  token_limit: number;
  bonuses: Counts;
  /** bought, in the order of their deck */
  cards: string[];
  /** in the order they came; `??2` is an unknown card of level 2 */
  reserved: string[];
  /** the reserved cards that everyone knows */
  shown: string[];
  reserve_limit: number;
  /** what it takes to win: points, and in Duel crowns and color */
  goals: Counts;
}

/** A seat of Duel. */
export interface DuelPlayerData extends PlayerData {
  points_by_color: Counts;
  crowns: number;
  privileges: number;
  royals: string[];
  counterfeiters: string[];
  /** the color chosen for each joker bought */
  joker_colors: Record<string, string>;
  /** in a row, begun while holding all gold and pearls */
  blocked_turns: number;
  /** of blocking, and has not answered yet */
  is_warned: boolean;
}

/** A card in a deck whose place the viewer knows. */
export interface KnownCard {
  level: number;
  /** 0 for the top */
  depth: number;
  card: string;
}

/** What has happened in this turn so far. */
export interface DuelTurn {
  has_replenished: boolean;
  /** the seat has another turn after this one */
  goes_again: boolean;
  /** Counterfeiter cards used in the window */
  used: string[];
  is_window_past: boolean;
  /** anti-blocking: `claim` is legal */
  can_claim: boolean;
  /** still to be taken for crowns */
  royals_due: number;
  /** places emptied: 0 to 11 in the pyramid, 12 to 14 Counterfeiters */
  gaps: number[];
}

/** Tokens being taken from the board by an ability. */
export interface TokenCollection {
  ability: string;
  /** the letters of which one may be taken now */
  kinds: string;
  /** of the card with the ability */
  color: string;
  /** tokens that may still be taken */
  left: number;
}

/** The cards on top of a deck that the seat to move is looking at. */
export interface DeckLook {
  level: number;
  /** of cards */
  number: number;
}

/** The table of Splendor. */
export interface SplendorViewData extends ViewData {
  kind: "splendor";
  players: SplendorPlayerData[];
  supply: Counts;
  nobles: string[];
  /** turns passed in a row */
  passes: number;
  /** a seat has reached the goal */
  is_last_round: boolean;
}

/** A seat of Splendor. */
export interface SplendorPlayerData extends PlayerData {
  nobles: string[];
}

/** The turn in progress, and what the viewer can do about it. */
export interface TurnStatus {
  is_yours: boolean;
  /** only `end_turn` and `undo` are left */
  is_complete: boolean;
  /** of this turn, as the viewer may know them */
  decisions: string[];
  /** the number of decisions at the end of them that can still be undone */
  provisional: number;
  can_undo: boolean;
  can_take_back: boolean;
  can_hint: boolean;
}

/** A legal decision and what it would do. What is left out is false, 0 or empty. */
export interface DecisionPreview {
  decision: string;
  /** gained, or below 0 lost, by its seat at once; chance left out */
  tokens?: Record<string, number>;
  /** to the opponent */
  gives_privilege?: boolean;
  /** tokens that will have to be returned */
  over_limit?: number;
  gives_extra_turn?: boolean;
  completes_turn?: boolean;
  wins?: boolean;
  /** a hidden card or the result of chance: cannot be undone */
  reveals?: boolean;
  /** of a card, after bonuses */
  price?: Counts;
  /** first the plainest: no discount, no more gold than needed */
  payments?: Payment[];
  /** through the phase `pay` */
  has_more_payments?: boolean;
}

/** One way to pay for a card. */
export interface Payment {
  /** all of them, `buy …` first */
  decisions: string[];
  /** paid */
  tokens: Counts;
  /** the decisions among them that are discounts */
  discounts?: string[];
}

/** A card that cannot be bought, or a kind of action that cannot be taken, and why. */
export interface UnavailableAction {
  /** a card, or `reserve`, `replenish`, `privilege`, `take` */
  what: string;
  /** for programs; of a card `tokens`, `bonus`, `phase` or `turn` */
  code: string;
  /** in English */
  message: string;
  /** of the card, after bonuses */
  price?: Counts;
  /** tokens that the seat lacks, gold not yet used */
  missing?: Counts;
  /** the number of them that gold cannot replace */
  short?: number;
}

/** A card or deck that can be reserved now. What is left out is false, 0 or empty. */
export interface ReserveOption {
  /** or `deck1` to `deck3` */
  card: string;
  /** the decisions of each way, the suggested one first */
  ways: string[][];
  takes_gold?: boolean;
  /** tokens that will have to be returned */
  over_limit?: number;
  /** a hidden card: cannot be undone */
  reveals?: boolean;
}

/** Who plays at a seat. */
export interface SeatStatus {
  seat: number;
  kind: "person" | "bot";
  name: string;
  /** the bot that plays now */
  bot: string | null;
  /** false: the bot is still being compiled */
  is_ready: boolean;
  is_connected: boolean;
  has_resigned: boolean;
  wants_rematch: boolean;
  /** seconds since the person was connected; null: is now */
  away: number | null;
}

/** The time left for each seat at the moment of sending. */
export interface ClockStatus {
  /** milliseconds */
  left: number[];
  /** the seat whose clock runs */
  running: number | null;
}

/** The rematch, with the viewer's own key to it. */
export interface NextMatch {
  match: string;
  key: string;
}

/**
 * The end of the log; it replaces what the client has from line `start` on.
 *
 * It has a limited number of lines. A client whose log ends before `start` has missed some: it
 * drops the earlier ones, or asks for them with `log`.
 */
export interface LogTail {
  start: number;
  lines: GameEvent[];
}

/** One decision and what everybody could see of it. What is left out did not happen. */
export interface GameEvent {
  /** of the decision in the game, from 0 */
  number: number;
  /** the number of the turn, from 0 */
  turn: number;
  seat: number;
  /** as the viewer may know it, chance included: `replenish > wkg`, `keep ??` */
  decision: string;
  /** the card that the decision names, as the viewer may know it */
  card?: string;
  /** by seat: gained, or below 0 lost */
  tokens?: Record<string, Record<string, number>>;
  /** the board cells emptied, with their tokens */
  taken?: Record<string, string>;
  /** the board cells filled */
  laid?: Record<string, string>;
  /** by seat: gained or lost */
  privileges?: Record<string, number>;
  points?: Record<string, number>;
  crowns?: Record<string, number>;
  /** cards, royals, nobles, Counterfeiters now before the seat */
  gained?: string[];
  /** cards that came into face-up places */
  arrivals?: Arrival[];
  ends_turn?: boolean;
}

/** A card that came into a face-up place. */
export interface Arrival {
  /** 0: the Counterfeiter row */
  level: number;
  slot: number;
  card: string;
}

/** The match has changed. */
export interface Update {
  type: "update";
  snapshot: Snapshot;
}

/** A command was carried out. */
export interface Done {
  type: "done";
  id: string;
  version: number;
  /** it had been carried out before */
  is_repeated: boolean;
}

/**
 * A command was not carried out; nothing has changed.
 *
 * Everything that the viewer may know was sent before, as `welcome` or `update`.
 */
export interface Refused {
  type: "refused";
  id: string;
  code: string;
  message: string;
  /** of the last snapshot that was sent */
  version: number;
}

/** Earlier lines of the log, from line `start` on. */
export interface LogPage {
  type: "log";
  start: number;
  lines: GameEvent[];
}

/**
 * The table before and after each of some lines of the log, without provisional decisions.
 *
 * It has a limited number of lines: the last of those that were asked for.
 */
export interface Steps {
  type: "steps";
  start: number;
  lines: GameEvent[];
  /** one more than lines: before the first, then after each */
  tables: AnyViewData[];
}

/** Who is connected now. */
export interface Presence {
  type: "presence";
  players: SeatStatus[];
  watchers: number;
}

/** The best decisions of the position that `version` names, the best one first. */
export interface HintGiven {
  type: "hint";
  id: string;
  version: number;
  /** one to three */
  candidates: HintCandidate[];
}

/** A decision that is worth considering. */
export interface HintCandidate {
  decision: string;
  /** the chance to win after it: 1 is a sure victory */
  value: number;
  /** what is expected, this decision first, until chance enters */
  line: string[];
  reasons: Reason[];
  /** the reasons by language: `en`, `fr`, `es`; `{2}` is the name of seat 2 */
  words: Record<string, string>;
}

/** One thing that a decision brings. What a code does not need is left out. */
export interface Reason {
  code:
    | "do"
    | "then"
    | "wins"
    | "points"
    | "crowns"
    | "bonus"
    | "tile"
    | "effect"
    | "privilege"
    | "extra-turn"
    | "points-left"
    | "crowns-left"
    | "affordable"
    | "nearer"
    | "tile-nearer"
    | "denies"
    | "leaves"
    | "gives-privilege"
    | "returns"
    | "reply";
  decision?: string;
  /** with a decision: what is paid for */
  card?: string;
  /** of a Counterfeiter card */
  effect?: string;
  /** points, crowns, bonuses or tokens */
  count?: number;
  /** of a bonus: how many the seat has then; of a card for others: its crowns */
  total?: number;
  /** the letter of a bonus */
  color?: string;
  /** the other seat that is concerned */
  seat?: number | null;
  /** gained, or below 0 lost, by the seat that decides */
  tokens?: Record<string, number>;
}

/** A message could not be accepted; the socket is closed after this. */
export interface Failure {
  type: "error";
  code: string;
  message: string;
}

/** The answer to `ping`. */
export interface Pong {
  type: "pong";
}

/** All cards of a game. */
export interface Cards {
  game: GameName;
  cards: CardInfo[];
}

/** What is printed on a card, noble, royal or Counterfeiter. */
export interface CardInfo {
  id: string;
  kind: "jewel" | "royal" | "counterfeiter" | "development" | "noble";
  level: number;
  /** a token letter, `joker`, or nothing */
  color: string;
  bonus: number;
  points: number;
  crowns: number;
  ability: string;
  /** by letter; for a noble the bonuses needed */
  cost: Record<string, number>;
}

/** The games and bots of a server, and the settings that the page needs. */
export interface Catalogue {
  version: string;
  games: GameInfo[];
  bots: BotInfo[];
  is_local_only: boolean;
  take_over_after: number;
}

/** A game that can be played. */
export interface GameInfo {
  game: GameName;
  least_players: number;
  most_players: number;
  options: string[];
}

/** A bot that can be chosen as a player. */
export interface BotInfo {
  bot: string;
  /** for sorting; higher is stronger */
  strength: number;
}

/** The body of every error response. */
export interface ErrorBody {
  error: ErrorDetail;
}

/** What went wrong: a code for programs, a message for people. */
export interface ErrorDetail {
  code: string;
  message: string;
}

/** A new match with all its keys. No later response contains them. */
export interface MatchCreated {
  match: string;
  game: GameName;
  /** the creator's */
  seat: number;
  seats: SeatLink[];
  watch: WatchLink;
  creator_key: string;
  /** whether the links work on this machine only */
  is_local_only: boolean;
  /** whether the decks are those of an imported record */
  has_known_decks: boolean;
}

/** A seat of a new match; a bot's seat has no key. */
export interface SeatLink {
  seat: number;
  name: string;
  bot: string | null;
  key: string | null;
  link: string | null;
}

/** The key and link for watchers. */
export interface WatchLink {
  key: string;
  link: string;
}

/** The state of a match in short, for a player's list of matches. */
export interface MatchSummary {
  match: string;
  game: GameName;
  seat: number | null;
  /** the seat of the person who invites the others */
  creator: number | null;
  players: string[];
  clock: ClockBody | null;
  turns: number;
  to_move: number | null;
  is_over: boolean;
  result: Outcome | null;
  can_delete: boolean;
  created: number;
  /** when something changed that all may see */
  changed: number;
}

/** A whole game to look at. */
export interface Replay {
  game: GameName;
  players: string[];
  steps: ReplayStep[];
  result: Outcome | null;
}

/** The table after some decisions, with every reserved card named, and what led there. */
export interface ReplayStep {
  table: AnyViewData;
  /** null before the first decision */
  line: GameEvent | null;
}

/** A review, or as much of it as is computed. It is made from what each mover knew. */
export interface ReviewProgress {
  status: "waiting" | "running" | "done";
  /** decisions */
  reviewed: number;
  /** of the whole game */
  decisions: number;
  /** the number of turns that the client has already */
  start: number;
  /** the following ones */
  turns: ReviewedTurn[];
  /** the chance of each seat after the last reviewed turn */
  values: number[];
  /** empty until the review is done */
  seats: SeatReview[];
  /** by language; `{0}` is the name of seat 0, and so on */
  story: Record<string, string>;
}

/** One turn. Chances and losses are fractions: 0.05 are 5 points in a hundred. */
export interface TurnReview {
  /** its number, from 0 */
  turn: number;
  seat: number;
  /** the number of its first decision in the record */
  start: number;
  /** as the record spells them */
  decisions: string[];
  /** the mover's chance to win, with the best decisions */
  before: number;
  /** the same when the turn is over and chance has had its part */
  after: number;
  /** what the decisions gave away */
  loss: number;
  kind: "" | "inaccuracy" | "mistake" | "blunder";
  /** the best alternative at the decision that lost most; what was played if none did */
  best: string;
  /** the number of that decision in the record */
  step: number;
  /** what would have been expected, `best` first */
  line: string[];
  /** for `best` */
  reasons: Reason[];
  /** in words */
  reason: string;
  /** what chance brought the mover in this turn */
  luck: number;
  /** the chance of each seat before the turn */
  values: number[];
  /** what chance brought each seat */
  lucks: number[];
  /** the standard error of `luck` */
  luck_error: number;
  /** there was nothing to choose */
  is_forced: boolean;
}

/** One turn, with the reasons for what was better in words. */
export interface ReviewedTurn extends TurnReview {
  /** by language; `{2}` is the name of seat 2 */
  words: Record<string, string>;
}

/** One seat over the whole game. */
export interface SeatReview {
  name: string;
  /** 0 to 100; null if the seat had nothing to choose */
  accuracy: number | null;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** the sum over all turns, also those of others */
  luck: number;
  /** its standard error */
  luck_error: number;
}

/** A position on the analysis board. */
export interface BoardPosition {
  text: string;
  table: AnyViewData;
  /** whether nothing is hidden: the decks are known too */
  is_state: boolean;
  /** the decisions of the seat to move that the viewer can name */
  choices: DecisionPreview[];
  /** purchases of reserved cards that the viewer does not know, if they are so */
  guesses: string[];
}

/** All positions of a record. */
export interface BoardRecord {
  game: GameName;
  players: string[];
  steps: BoardStep[];
}

/** A position of a record, and what led there. */
export interface BoardStep {
  text: string;
  /** null before the first decision */
  line: GameEvent | null;
}

/** What came of a decision: a position and an event, or what has to be entered first. */
export interface BoardAnswer {
  position: BoardPosition | null;
  event: GameEvent | null;
  pending: PendingChance | null;
}

/** What chance has to bring before a decision is played. */
export interface PendingChance {
  cards: PendingCard[];
  tokens: PendingTokens | null;
}

/** A card that a decision brings into sight, and that has to be entered. */
export interface PendingCard {
  /** `row`, `reserve`, `cards` (before a seat) or `deck` (the viewer looks at it) */
  place: string;
  /** that it comes from: `1`, `2`, `3`, `C` or `R` */
  deck: string;
  /** its number in that place */
  slot: number;
  /** whose reserve or cards */
  seat: number | null;
  /** all cards that it may be */
  options: string[];
}

/** Tokens that a decision draws from the bag, and that have to be entered. */
export interface PendingTokens {
  number: number;
  /** that they fill, in the order of the tokens; none: a seat gets them */
  cells: string[];
  bag: Counts;
}

/** What the engine has found so far; one line of the answer. */
export interface EngineReport {
  /** the expected score of each seat */
  values: number[];
  /** the best first */
  choices: EngineChoice[];
  iterations: number;
  /** the game is over, or won in this turn for certain */
  is_exact: boolean;
  is_final: boolean;
  /** why there is no analysis; the report is then final */
  error: string | null;
}

/** A decision that the engine considers. */
export interface EngineChoice {
  decision: string;
  /** of the visits of the search, 0 to 1 */
  share: number;
  /** the expected score of each seat after it: 1 is a sure victory */
  values: number[];
  /** what is expected, this decision first, until chance enters */
  line: string[];
  /** the reasons in words, by language: `en`, `fr`, `es` */
  words: Record<string, string>;
}
