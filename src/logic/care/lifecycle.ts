/** When things leave: what was kept before this time is archived. */
const DAY_MS = 86_400_000;

/**
 * Evidence ages from when it was kept, not from when it was said: an old conversation that is taken in today is of
 * interest today.
 */
export const evidenceLeavesBefore = (now: number, { archiveDays }: { archiveDays: number }): number =>
  now - archiveDays * DAY_MS;
