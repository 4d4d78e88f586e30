/** What the player has selected on the table but not submitted yet. */

import type { Client } from "./client.svelte";
import { cardOf, cellsOf, gemsOf, includesAll, parseDecision } from "./decisions";
import { settings } from "./storage.svelte";
import type { DecisionPreview, UnavailableAction } from "./messages";

export class Selection {
  cells = $state.raw<string[]>([]);
  gems = $state.raw<string[]>([]);
  card = $state.raw<string | null>(null);
  isPrivilegeMode = $state(false);
  awaitingConfirmation = $state.raw<string | null>(null); // the action that waits for a second press

  constructor(private readonly client: () => Client | null) {}

  snapshot = $derived.by(() => this.client()?.snapshot ?? null);
  choices = $derived.by<DecisionPreview[]>(() => (this.client()?.isBusy ? [] : (this.snapshot?.choices ?? [])));
  phase = $derived(this.snapshot?.table.phase ?? "");
  isOwnTurn = $derived(this.snapshot?.turn.is_yours ?? false);

  /** The choices that name cells; in privilege mode, those that use a privilege. */
  #boardChoices = $derived.by(() =>
    this.choices.filter((choice) => {
      const { verb } = parseDecision(choice.decision);
      if (!cellsOf(choice).length) return false;
      return this.phase !== "turn" || (verb === "privilege") === this.isPrivilegeMode;
    }),
  );
  #matchingChoices = $derived(this.#boardChoices.filter((choice) => includesAll(cellsOf(choice), this.cells)));

  /** The cells that start a legal choice or extend the selected cells to one. */
  selectableCells = $derived(new Set(this.#matchingChoices.flatMap(cellsOf)));

  /** The choice that the selected cells make up. */
  cellChoice = $derived(
    this.cells.length
      ? this.#matchingChoices.find((choice) => cellsOf(choice).length === this.cells.length)
      : undefined,
  );

  #gemChoices = $derived(this.choices.filter((choice) => gemsOf(choice).length));
  #matchingGemChoices = $derived(this.#gemChoices.filter((choice) => includesAll(gemsOf(choice), this.gems)));

  /** The gems of the supply that can be added to the selection. */
  selectableGems = $derived.by(() => {
    const gems = new Set<string>();
    for (const choice of this.#matchingGemChoices)
      for (const gem of gemsOf(choice)) if (includesAll(gemsOf(choice), [...this.gems, gem])) gems.add(gem);
    return gems;
  });
  gemChoice = $derived(
    this.gems.length
      ? this.#matchingGemChoices.find((choice) => gemsOf(choice).length === this.gems.length)
      : undefined,
  );

  /** The choices about each card, deck, royal or noble. */
  choicesByCard = $derived.by(() => {
    const map = new Map<string, DecisionPreview[]>();
    for (const choice of this.choices) {
      const card = cardOf(choice);
      if (card) map.set(card, [...(map.get(card) ?? []), choice]);
    }
    return map;
  });
  cardChoices = $derived(this.card ? (this.choicesByCard.get(this.card) ?? []) : []);

  /** Why a card or an action is not available, by its name. */
  unavailable = $derived(
    new Map<string, UnavailableAction>((this.snapshot?.unavailable ?? []).map((one) => [one.what, one])),
  );

  /** The choices that name neither cells nor gems of the supply. */
  otherChoices = $derived(this.choices.filter((choice) => !cellsOf(choice).length && !gemsOf(choice).length));

  choice(decision: string): DecisionPreview | undefined {
    return this.choices.find((choice) => choice.decision === decision);
  }

  get canUsePrivilege(): boolean {
    return this.phase === "turn" && this.choices.some((choice) => choice.decision.startsWith("privilege "));
  }

  clear(): void {
    this.cells = [];
    this.gems = [];
    this.card = null;
    this.isPrivilegeMode = false;
    this.awaitingConfirmation = null;
  }

  togglePrivilege(): void {
    const isOn = !this.isPrivilegeMode && this.canUsePrivilege;
    this.clear();
    this.isPrivilegeMode = isOn;
  }

  toggleCell(cell: string): void {
    this.card = null;
    this.awaitingConfirmation = null;
    if (this.cells.includes(cell)) this.cells = this.cells.filter((one) => one !== cell);
    else if (this.selectableCells.has(cell)) this.cells = [...this.cells, cell];
    else if (this.#boardChoices.some((choice) => cellsOf(choice).includes(cell))) this.cells = [cell];
  }

  /** Add a cell while dragging. */
  dragTo(cell: string): void {
    if (!this.cells.includes(cell) && this.selectableCells.has(cell)) this.toggleCell(cell);
  }

  toggleGem(gem: string): void {
    this.card = null;
    this.awaitingConfirmation = null;
    if (this.selectableGems.has(gem)) this.gems = [...this.gems, gem];
    else if (this.gems.includes(gem)) this.gems = this.gems.filter((one) => one !== gem);
    else if (this.#gemChoices.some((choice) => gemsOf(choice).includes(gem))) this.gems = [gem];
  }

  selectCard(card: string): void {
    const isDeselected = this.card === card;
    this.clear();
    this.card = isDeselected ? null : card;
  }

  /** Select what a decision names, as a hint does, without submitting it. */
  selectDecision(decision: string): void {
    const choice = this.choice(decision);
    if (!choice) return;
    this.clear();
    this.isPrivilegeMode = this.phase === "turn" && decision.startsWith("privilege ");
    this.cells = cellsOf(choice);
    this.gems = gemsOf(choice);
    this.card = cardOf(choice);
  }

  /** Submit a choice; a risky one only at the second press, if the player prefers that. */
  submit(choice: DecisionPreview, decisions: string[] = [choice.decision]): void {
    const name = decisions.join("; ");
    if (settings.confirmRisky && (choice.gives_privilege || choice.over_limit) && this.awaitingConfirmation !== name) {
      this.awaitingConfirmation = name;
      return;
    }
    this.clear();
    this.client()?.send({ type: "decide", decisions, end_turn: this.endsTurnAutomatically });
  }

  isAwaitingConfirmation(choice: DecisionPreview, decisions: string[] = [choice.decision]): boolean {
    return this.awaitingConfirmation === decisions.join("; ");
  }

  get endsTurnAutomatically(): boolean {
    if (settings.pauseAtTurnEnd !== "people") return settings.pauseAtTurnEnd === "never";
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
