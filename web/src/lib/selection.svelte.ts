/** What the player has selected on the table but not submitted yet. */

import type { TableClient } from "./client.svelte";
import { cardOf, cellsOf, gemsOf, includesAll, kindOf, parseDecision } from "./decisions";
import { settings } from "./storage.svelte";
import type { DecisionPreview, ReserveOption, UnavailableAction } from "./messages";

export class Selection {
  cells = $state.raw<string[]>([]);
  gems = $state.raw<string[]>([]);
  card = $state.raw<string | null>(null);
  returned = $state.raw<string[]>([]); // own tokens to return, one kind for each
  goldWay = $state(0); // which gold is taken with the card: an index of `reserve.ways`
  isPrivilegeMode = $state(false);
  awaitingConfirmation = $state.raw<string | null>(null); // the action that waits for a second press

  constructor(private readonly client: () => TableClient | null) {}

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

  /** How the selected card or deck can be reserved. */
  reserve = $derived.by<ReserveOption | undefined>(() =>
    this.client()?.isBusy ? undefined : this.snapshot?.reserves.find((one) => one.card === this.card),
  );

  /** What else can be done with the selected card. */
  cardActs = $derived(
    this.cardChoices.filter((choice) => !this.reserve || parseDecision(choice.decision).verb !== "reserve"),
  );

  /** The cells whose gold can be taken with the selected card, in the order of `reserve.ways`. */
  goldCells = $derived((this.reserve?.ways ?? []).flatMap(([first = ""]) => cellsOf({ decision: first })));

  /** The cell whose gold is taken with the selected card. */
  goldCell = $derived(this.goldCells[this.goldWay]);

  /** The kinds of token that may be returned, and how many tokens must be. */
  #returnChoices = $derived(this.choices.filter((choice) => parseDecision(choice.decision).verb === "discard"));
  returnCount = $derived.by(() => {
    const player = this.snapshot && this.snapshot.table.players[this.snapshot.table.seat];
    return this.#returnChoices.length && player ? player.token_count - player.token_limit : 0;
  });

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
    this.#deselect();
    this.#dropHint();
  }

  #deselect(): void {
    this.cells = [];
    this.gems = [];
    this.card = null;
    this.returned = [];
    this.goldWay = 0;
    this.isPrivilegeMode = false;
    this.awaitingConfirmation = null;
  }

  /** A hint belongs to what it selected: it disappears with that. */
  #dropHint(): void {
    const client = this.client();
    if (client) client.hint = null;
  }

  togglePrivilege(): void {
    const isOn = !this.isPrivilegeMode && this.canUsePrivilege;
    this.clear();
    this.isPrivilegeMode = isOn;
  }

  toggleCell(cell: string): void {
    if (this.goldCells.includes(cell)) {
      this.goldWay = this.goldCells.indexOf(cell);
      return;
    }
    this.#dropHint();
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
    this.#dropHint();
    this.card = null;
    this.awaitingConfirmation = null;
    if (this.selectableGems.has(gem)) this.gems = [...this.gems, gem];
    else if (this.gems.includes(gem)) this.gems = this.gems.filter((one) => one !== gem);
    else if (this.#gemChoices.some((choice) => gemsOf(choice).includes(gem))) this.gems = [gem];
  }

  canReturn(kind: string): boolean {
    const player = this.snapshot?.table.players[this.snapshot.table.seat];
    const held = (player?.tokens[kind] ?? 0) - this.returned.filter((one) => one === kind).length;
    const isLegal = this.#returnChoices.some((choice) => kindOf(choice) === kind);
    return isLegal && held > 0 && this.returned.length < this.returnCount;
  }

  /** Choose one more token of a kind to return; if there can be no more, none of that kind. */
  toggleReturn(kind: string): void {
    this.#dropHint();
    this.awaitingConfirmation = null;
    if (this.canReturn(kind)) this.returned = [...this.returned, kind];
    else this.returned = this.returned.filter((one) => one !== kind);
  }

  /** Return all chosen tokens at once. */
  submitReturn(): void {
    const decisions = this.returned.map((kind) => `discard ${kind}`);
    if (decisions.length === this.returnCount) this.#send(decisions);
  }

  /** Reserve the selected card or deck, together with the gold. */
  submitReserve(): void {
    const decisions = this.reserve?.ways[this.goldWay] ?? this.reserve?.ways[0];
    if (!this.reserve || !decisions) return;
    this.submit({ decision: decisions.join("; "), over_limit: this.reserve.over_limit ?? 0 }, [...decisions]);
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
    this.#deselect();
    this.isPrivilegeMode = this.phase === "turn" && decision.startsWith("privilege ");
    this.cells = cellsOf(choice);
    this.gems = gemsOf(choice);
    this.card = cardOf(choice);
    if (this.returnCount) this.returned = [kindOf(choice) ?? ""].filter(Boolean);
  }

  /** Submit a choice; a risky one only at the second press, if the player prefers that. */
  submit(choice: DecisionPreview, decisions: string[] = [choice.decision]): void {
    const name = decisions.join("; ");
    if (settings.confirmRisky && (choice.gives_privilege || choice.over_limit) && this.awaitingConfirmation !== name) {
      this.awaitingConfirmation = name;
      return;
    }
    this.#send(decisions);
  }

  #send(decisions: string[]): void {
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
