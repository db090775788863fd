/** Decides when items are archived. */
const DAY_MS = 86_400_000;

/**
 * Evidence ages from when it was stored, not from when it was spoken: an old conversation imported today is relevant
 * today.
 */
export const evidenceCutoff = (now: number, { archiveDays }: { archiveDays: number }): number =>
  now - archiveDays * DAY_MS;
