/** Counts by day as bars of equal width, with nothing left out between the first and the last. */
export interface Bar {
  readonly day: string;
  readonly count: number;
  /** Of the tallest. */
  readonly share: number;
}

const DAY_MS = 86_400_000;
const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The days up to `today`, between `least` and `most`; those without anything have a bar of nothing. */
export function barsOf(
  days: readonly { day: string; count: number }[],
  today: number,
  { least, most }: { least: number; most: number },
): Bar[] {
  const counts = new Map(days.map(({ day, count }) => [day, count]));
  const last = Date.parse(isoDay(today));
  const known = Math.min(Date.parse(days[0]?.day ?? isoDay(today)), last - (least - 1) * DAY_MS);
  const first = Math.max(known, last - (most - 1) * DAY_MS);
  const tallest = Math.max(1, ...counts.values());
  const bars: Bar[] = [];
  for (let at = first; at <= today; at += DAY_MS) {
    const count = counts.get(isoDay(at)) ?? 0;
    bars.push({ day: isoDay(at), count, share: count / tallest });
  }
  return bars;
}
