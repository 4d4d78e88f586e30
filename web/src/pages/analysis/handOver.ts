/** A record that another page hands over to the analysis board. */

import { navigate } from "../../lib/router.svelte";

let waiting: { record: unknown; step: number } | null = null;

/** Open the analysis board with a record, after some of its decisions. */
export function analyseRecord(record: unknown, step: number): void {
  waiting = { record, step };
  navigate("/analysis");
}

/** Return the record that was handed over, once. */
export function takeRecord(): { record: unknown; step: number } | null {
  const taken = waiting;
  waiting = null;
  return taken;
}
