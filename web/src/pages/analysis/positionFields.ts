/** The fields of a position text, to be changed by hand; the server says whether they make a position. */

export const GAP = "-";
export const NONE = "none";

/** A position text taken apart: the game, and its fields in their order. */
export interface PositionFields {
  label: string;
  fields: ReadonlyMap<string, string>;
}

export type ReserveMark = "shown" | "own" | "hidden";

export function parseFields(text: string): PositionFields {
  const [label = "", ...pieces] = text.trim().split("/");
  const fields = new Map<string, string>();
  for (const piece of pieces) {
    const colon = piece.indexOf(":");
    if (colon > 0) fields.set(piece.slice(0, colon), piece.slice(colon + 1));
  }
  return { label, fields };
}

export function printFields({ label, fields }: PositionFields): string {
  return [label, ...[...fields].map(([key, value]) => `${key}:${value}`)].join("/");
}

/** Return the fields with one of them changed; an empty value removes it. */
export function withField(position: PositionFields, key: string, value: string): PositionFields {
  const fields = new Map(position.fields);
  if (value) fields.set(key, value);
  else fields.delete(key);
  return { label: position.label, fields };
}

export function listOf(position: PositionFields, key: string): string[] {
  const value = position.fields.get(key) ?? "";
  return value && value !== NONE ? value.split(",") : [];
}

/** Return the fields without what only states have: decks, and who has seen which hidden card. */
export function withoutDecks(position: PositionFields): PositionFields {
  const fields = new Map<string, string>();
  for (const [key, value] of position.fields) {
    if (/^(deck|known)/.test(key)) continue;
    fields.set(
      key,
      position.fields.has("view") || !key.startsWith("reserved") ? value : value.replaceAll(/(\d)\?/g, "$1"),
    );
  }
  return { label: position.label, fields };
}

/** Return the empty table of a dealt one: gaps in all rows, no tokens, nothing with the players. */
export function emptied(dealt: PositionFields): PositionFields {
  const fields = new Map<string, string>();
  for (const [key, value] of withoutDecks(dealt).fields) {
    if (isRow(key)) fields.set(key, value.replaceAll(/[^,]+/g, GAP));
    else if (key === "board") fields.set(key, value.replaceAll(/[^,]/g, "."));
    else if (key === "options") fields.set(key, value);
  }
  return { label: dealt.label, fields };
}

/** Return whether a field is a row of face-up cards. */
export function isRow(key: string): boolean {
  return /^([JD][123]|[CNR])$/.test(key);
}

/** Return the id of a card in a row: `J1` and `05` are `J1-05`, `C` and `09` are `C09`. */
export function idIn(row: string, item: string): string {
  return row.length > 1 ? `${row}-${item}` : `${row}${item}`;
}

/** Return the row or deck that a card belongs to, and its number there. */
export function deckOf(id: string): [row: string, item: string] {
  const [row = "", item] = id.split("-");
  return item === undefined ? [id.slice(0, 1), id.slice(1)] : [row, item];
}

/** Return the fields with a row of cards; nobles and royals have no gaps. */
export function withRow(position: PositionFields, row: string, items: string[]): PositionFields {
  return withField(position, row, items.join(","));
}

/** Return the text of the fields, in which nobles and royals that are missing are left out. */
export function printPosition(position: PositionFields): string {
  let printed = position;
  for (const row of ["N", "R"]) {
    if (!position.fields.has(row)) continue;
    const items = listOf(position, row).filter((item) => item !== GAP);
    printed = withField(printed, row, items.join(",") || NONE);
  }
  return printFields(printed);
}

/** Return the tokens of one kind changed by a number, as a field holds them. */
export function withTokens(letters: string, kind: string, change: number): string {
  if (change > 0) return letters + kind.repeat(change);
  let left = -change;
  return [...letters].filter((letter) => letter !== kind || left-- <= 0).join("");
}

/** Return the board with a token, or `.`, on a cell such as `c3`. */
export function withCell(board: string, cell: string, kind: string): string {
  const rows = board.split(",").map((row) => [...row]);
  const row = rows[Number(cell[1]) - 1];
  if (row) row["abcde".indexOf(cell[0] ?? "")] = kind;
  return rows.map((one) => one.join("")).join(",");
}

export function cellOf(board: string, cell: string): string {
  return board.split(",")[Number(cell[1]) - 1]?.["abcde".indexOf(cell[0] ?? "")] ?? ".";
}

/** Return an item of a reserve as everybody, only its owner, or the viewer does not know it. */
export function marked(id: string, mark: ReserveMark): string {
  const name = id.replace(/\?$/, "");
  if (mark === "hidden") return name.startsWith("??") ? name : `??${name[1] ?? ""}`;
  return mark === "own" ? `${name}?` : name;
}

export function markOf(item: string): ReserveMark {
  if (item.startsWith("??")) return "hidden";
  return item.endsWith("?") ? "own" : "shown";
}

/** Return all cards that the fields name. */
export function namedCards(position: PositionFields): Set<string> {
  const found = new Set<string>();
  for (const [key] of position.fields) {
    const items = listOf(position, key).filter((item) => item !== GAP && !item.startsWith("??"));
    if (isRow(key)) for (const item of items) found.add(idIn(key, item));
    if (/^(cards|reserved)\d/.test(key))
      for (const item of items) found.add(item.replace(/\?$/, "").replace(/^([JD]\d-\d\d)[a-z]$/, "$1"));
  }
  return found;
}
