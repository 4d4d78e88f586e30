/** What the player has chosen on the table but not yet done. */

import type { Client } from "./client.svelte";
import { cardOf, cellsOf, gemsOf, includesAll, parse } from "./decisions";
import { settings } from "./memory.svelte";
import type { Choice, Unavailable } from "./wire";

export class Play {
  cells = $state.raw<string[]>([]);
  gems = $state.raw<string[]>([]);
  card = $state.raw<string | null>(null);
  isPrivilege = $state(false);
  asked = $state.raw<string | null>(null); // the act that waits for a second press

  constructor(private readonly client: () => Client | null) {}

  snapshot = $derived.by(() => this.client()?.snapshot ?? null);
  choices = $derived.by<Choice[]>(() => (this.client()?.isBusy ? [] : (this.snapshot?.choices ?? [])));
  phase = $derived(this.snapshot?.table.phase ?? "");
  isMine = $derived(this.snapshot?.turn.is_yours ?? false);

  /** The choices that name cells, in the present mode. */
  #onBoard = $derived.by(() =>
    this.choices.filter((choice) => {
      const { verb } = parse(choice.decision);
      if (!cellsOf(choice).length) return false;
      return this.phase !== "turn" || (verb === "privilege") === this.isPrivilege;
    }),
  );
  #continuing = $derived(this.#onBoard.filter((choice) => includesAll(cellsOf(choice), this.cells)));

  /** The cells that begin or continue something legal. */
  litCells = $derived(new Set(this.#continuing.flatMap(cellsOf)));

  /** What the chosen cells are good for. */
  cellChoice = $derived(
    this.cells.length
      ? this.#continuing.find((choice) => cellsOf(choice).length === this.cells.length)
      : undefined,
  );

  #gemChoices = $derived(this.choices.filter((choice) => gemsOf(choice).length));
  #continuingGems = $derived(this.#gemChoices.filter((choice) => includesAll(gemsOf(choice), this.gems)));

  /** The gems of the supply that can be added. */
  litGems = $derived.by(() => {
    const lit = new Set<string>();
    for (const choice of this.#continuingGems)
      for (const gem of gemsOf(choice))
        if (includesAll(gemsOf(choice), [...this.gems, gem])) lit.add(gem);
    return lit;
  });
  gemChoice = $derived(
    this.gems.length
      ? this.#continuingGems.find((choice) => gemsOf(choice).length === this.gems.length)
      : undefined,
  );

  /** The choices about each card, deck, royal or noble. */
  byCard = $derived.by(() => {
    const map = new Map<string, Choice[]>();
    for (const choice of this.choices) {
      const card = cardOf(choice);
      if (card) map.set(card, [...(map.get(card) ?? []), choice]);
    }
    return map;
  });
  cardChoices = $derived(this.card ? (this.byCard.get(this.card) ?? []) : []);

  closed = $derived(
    new Map<string, Unavailable>((this.snapshot?.unavailable ?? []).map((one) => [one.what, one])),
  );

  /** Choices that are neither cells nor gems of the supply. */
  others = $derived(this.choices.filter((choice) => !cellsOf(choice).length && !gemsOf(choice).length));

  choice(decision: string): Choice | undefined {
    return this.choices.find((choice) => choice.decision === decision);
  }

  get canUsePrivilege(): boolean {
    return this.phase === "turn" && this.choices.some((choice) => choice.decision.startsWith("privilege "));
  }

  clear(): void {
    this.cells = [];
    this.gems = [];
    this.card = null;
    this.isPrivilege = false;
    this.asked = null;
  }

  togglePrivilege(): void {
    const on = !this.isPrivilege && this.canUsePrivilege;
    this.clear();
    this.isPrivilege = on;
  }

  toggleCell(cell: string): void {
    this.card = null;
    this.asked = null;
    if (this.cells.includes(cell)) this.cells = this.cells.filter((one) => one !== cell);
    else if (this.litCells.has(cell)) this.cells = [...this.cells, cell];
    else if (this.#onBoard.some((choice) => cellsOf(choice).includes(cell))) this.cells = [cell];
  }

  /** Add a cell while dragging. */
  dragTo(cell: string): void {
    if (!this.cells.includes(cell) && this.litCells.has(cell)) this.toggleCell(cell);
  }

  toggleGem(gem: string): void {
    this.card = null;
    this.asked = null;
    if (this.litGems.has(gem)) this.gems = [...this.gems, gem];
    else if (this.gems.includes(gem)) this.gems = this.gems.filter((one) => one !== gem);
    else if (this.#gemChoices.some((choice) => gemsOf(choice).includes(gem))) this.gems = [gem];
  }

  selectCard(card: string): void {
    const again = this.card === card;
    this.clear();
    this.card = again ? null : card;
  }

  /** Choose what a hint names, without doing it. */
  propose(decision: string): void {
    const choice = this.choice(decision);
    if (!choice) return;
    this.clear();
    this.isPrivilege = this.phase === "turn" && decision.startsWith("privilege ");
    this.cells = cellsOf(choice);
    this.gems = gemsOf(choice);
    this.card = cardOf(choice);
  }

  /** Do something; with the preference for it, only when pressed twice. */
  act(choice: Choice, decisions: string[] = [choice.decision]): void {
    const name = decisions.join("; ");
    if (settings.asks && (choice.privilege || choice.over) && this.asked !== name) {
      this.asked = name;
      return;
    }
    this.clear();
    this.client()?.send({ type: "decide", decisions, end_turn: this.endsByItself });
  }

  isAsked(choice: Choice, decisions: string[] = [choice.decision]): boolean {
    return this.asked === decisions.join("; ");
  }

  get endsByItself(): boolean {
    if (settings.holds !== "people") return settings.holds === "never";
    return (this.snapshot?.players.filter((player) => player.kind === "person").length ?? 0) < 2;
  }

  endTurn(): void {
    if (this.snapshot?.turn.is_complete) this.client()?.send({ type: "end_turn" });
  }

  undo(): void {
    this.clear();
    if (this.snapshot?.turn.can_undo) this.client()?.send({ type: "undo" });
  }

  takeBack(): void {
    this.clear();
    if (this.snapshot?.turn.can_take_back) this.client()?.send({ type: "take_back" });
  }
}
