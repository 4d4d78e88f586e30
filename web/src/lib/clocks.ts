/** The clocks that a match can be played with. */

import { say } from "../words";
import type { ClockSetting } from "./wire";

export const clocks: (ClockSetting | null)[] = [
  null,
  { kind: "bank", seconds: 600, increment: 10 },
  { kind: "bank", seconds: 1500, increment: 15 },
  { kind: "turn", seconds: 120 },
  { kind: "turn", seconds: 86_400 },
  { kind: "turn", seconds: 3 * 86_400 },
];

export function clockWords(setting: ClockSetting | null): string {
  if (!setting) return say("clockNone");
  const days = setting.seconds / 86_400;
  if (setting.kind === "bank") return say("clockBank", { minutes: setting.seconds / 60, seconds: setting.increment ?? 0 });
  if (days === 1) return say("clockDay");
  return days > 1 ? say("clockDays", { days }) : say("clockTurn", { minutes: setting.seconds / 60 });
}
