/** The clock settings that the page offers. */

import { t } from "../i18n";
import type { ClockBody } from "./messages";

const DAY = 86_400; // seconds

export const CLOCKS: (ClockBody | null)[] = [
  null,
  { kind: "bank", seconds: 600, increment: 10 },
  { kind: "bank", seconds: 1500, increment: 15 },
  { kind: "turn", seconds: 120 },
  { kind: "turn", seconds: DAY },
  { kind: "turn", seconds: 3 * DAY },
];

export function formatClock(setting: ClockBody | null): string {
  if (!setting) return t("clockNone");
  const [days, minutes] = [setting.seconds / DAY, setting.seconds / 60];
  if (setting.kind === "bank") return t("clockBank", { minutes, seconds: setting.increment ?? 0 });
  if (days === 1) return t("clockDay");
  return days > 1 ? t("clockDays", { days }) : t("clockTurn", { minutes });
}

const twoDigits = (n: number) => String(n).padStart(2, "0");

/** Return a time as `mm:ss`, `h:mm:ss`, or days and hours. */
export function formatTimeLeft(seconds: number): string {
  const [days, hours] = [Math.floor(seconds / DAY), Math.floor(seconds / 3600)];
  if (days) return t("clockLeft", { days, hours: twoDigits(hours % 24) });
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return hours ? `${hours}:${rest}` : rest;
}
