/** The choice of a new game: remembered, completed by what the server offers, and started. */

import { t, tDynamic, tError } from "../i18n";
import { catalogue, createMatch, ServerError } from "./api";
import { CLOCKS } from "./clocks";
import { botName, defaultBot } from "./format";
import type { Catalogue, NewPlayer } from "./messages";
import { navigate } from "./router.svelte";
import { lastChoice, rememberCreated, saveChoice, settings, type Mode } from "./storage.svelte";

const RETRY_AFTER = 2000; // milliseconds

export class NewGame {
  offered = $state.raw<Catalogue | null>(null);
  isStarting = $state(false);
  error = $state("");
  #isDestroyed = false;

  readonly info = $derived(this.offered?.games.find((one) => one.game === lastChoice.game));
  readonly least = $derived(this.info?.least_players ?? 2);
  readonly most = $derived(this.info?.most_players ?? 2);
  readonly count = $derived(Math.min(Math.max(lastChoice.seats, this.least), this.most));
  readonly bots = $derived(this.offered?.bots ?? []);
  readonly hasOption = $derived(Boolean(this.info?.options.includes("anti-blocking")));

  /** Ask the server what it offers, until it answers. */
  async load(): Promise<void> {
    try {
      this.offered = await catalogue();
      this.error = "";
    } catch {
      this.error = t("error.network");
      if (!this.#isDestroyed) setTimeout(() => void this.load(), RETRY_AFTER);
    }
  }

  destroy(): void {
    this.#isDestroyed = true;
  }

  /** Return the bot of another seat, 0 for the first; "" is a person. */
  opponent(i: number): string {
    const chosen = lastChoice.bots[i];
    if (lastChoice.mode !== "bot" && (i === 0 || !chosen)) return "";
    const isOffered = this.bots.some((one) => one.bot === chosen);
    return chosen && (isOffered || !this.offered) ? chosen : defaultBot(this.bots);
  }

  setOpponent(i: number, bot: string): void {
    const bots = [...lastChoice.bots];
    while (bots.length < i) bots.push("");
    bots[i] = bot;
    lastChoice.bots = bots;
  }

  setMode(mode: Mode): void {
    lastChoice.mode = mode;
    if (mode === "here") lastChoice.bots = lastChoice.bots.map((bot, i) => (i ? "" : bot));
  }

  /** The bots and people that the choice names. */
  get opponents(): string {
    const bots = Array.from({ length: this.count - 1 }, (_, i) => this.opponent(i)).filter(Boolean);
    if (lastChoice.mode === "here") return t("withFriendHere");
    if (lastChoice.mode === "link") return t("withFriendByLink");
    return t("against", {
      names: bots.length > 1 ? t("severalOpponents", { n: bots.length }) : botName(bots[0] ?? ""),
    });
  }

  /** The choice in one line: "Splendor Duel, against Tomás". */
  get summary(): string {
    return t("playNow", { game: tDynamic(lastChoice.game), opponents: this.opponents });
  }

  #players(): NewPlayer[] {
    const others = Array.from({ length: this.count - 1 }, (_, i): NewPlayer => {
      const bot = this.opponent(i);
      if (bot) return { bot };
      return { name: lastChoice.mode === "here" ? (lastChoice.names[i] ?? "").trim() : "" };
    });
    return [{ name: settings.name.trim() }, ...others];
  }

  /** Create the match that is chosen, and go to its table. */
  async start(): Promise<void> {
    this.isStarting = true;
    this.error = "";
    saveChoice();
    const { game, mode, begins, clock, antiBlocking } = lastChoice;
    try {
      const created = await createMatch({
        game,
        options: antiBlocking && this.hasOption ? { "anti-blocking": true } : {},
        players: this.#players(),
        begins: begins !== null && begins < this.count ? begins : null,
        clock: CLOCKS[clock] ?? null,
      });
      const own = rememberCreated(created, mode === "here");
      navigate(`/table/${own.match}#${own.key}`);
    } catch (reason) {
      this.error = tError(reason instanceof ServerError ? reason.code : "other");
    } finally {
      this.isStarting = false;
    }
  }
}
