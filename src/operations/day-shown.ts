/** Days and times as a person says them, by their own clock: today, yesterday, 3 days ago, 5 March, 5 March 2025. */
import { DAY_MS } from "../model/duration.ts";
import type { Zone } from "../model/time/zone.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const WEEK_DAYS = 7;

interface Now {
  now: number;
  zone: Zone;
}

/** The day and the time, such as `yesterday, 14:05`. */
export function timeShown(iso: string, { now, zone }: Now): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const local = new Date(at + zone.offsetMs(at)).toISOString();
  return `${dayShown(iso, { now, zone })}, ${local.slice(11, 16)}`;
}

export function dayShown(iso: string, { now, zone }: Now): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return iso;
  const [then, today] = [at, now].map((time) => Math.floor((time + zone.offsetMs(time)) / DAY_MS)) as [number, number];
  const ago = today - then;
  if (ago === 0) return "today";
  if (ago === 1) return "yesterday";
  if (ago > 1 && ago < WEEK_DAYS) return `${ago} days ago`;
  const date = new Date(then * DAY_MS);
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}`;
  return date.getUTCFullYear() === new Date(today * DAY_MS).getUTCFullYear() ? day : `${day} ${date.getUTCFullYear()}`;
}
