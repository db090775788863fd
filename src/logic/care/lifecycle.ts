/** Decides when items are archived. */
import { DAY_MS } from "../../model/duration.ts";

/**
 * Evidence ages from when it was stored, not from when it was spoken: an old conversation imported today is relevant
 * today.
 */
export const evidenceCutoff = (now: number, { archiveDays }: { archiveDays: number }): number =>
  now - archiveDays * DAY_MS;
