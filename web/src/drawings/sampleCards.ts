/** Cards that the home page shows as pictures; a test compares them with the files of the games. */

import type { CardInfo } from "../lib/messages";

const base = { bonus: 1, crowns: 0, ability: "" };

export const SAMPLE_CARDS: CardInfo[] = [
  { ...base, id: "D2-12", kind: "development", level: 2, color: "u", points: 3, cost: { u: 6 } },
  { ...base, id: "J3-08", kind: "jewel", level: 3, color: "r", points: 4, cost: { g: 2, r: 6, k: 2 } },
  { ...base, id: "D1-17", kind: "development", level: 1, color: "g", points: 0, cost: { r: 3 } },
  { ...base, id: "R2", kind: "royal", level: 0, color: "", bonus: 0, points: 2, ability: "again", cost: {} },
];
