/**
 * Days and times for people, by their own clock: 2026-03-05 and 14:05 in plain text, which is kept and read later; on a
 * terminal, today, yesterday, 3 days ago, 5 March, 5 March 2025. What is no moment is shown as it is.
 */
import { DAY_MS, type Zone } from "./calendar.ts";

const MONTHS = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];
const WEEK_DAYS = 7;

interface Now {
  now: number;
  zone: Zone;
}

/** The day, such as `2026-03-05`. */
export const dayIn = (moment: string | number, zone: Zone): string => onClock(moment, zone)?.day ?? String(moment);

/** In half the tokens of that: the day within this year, such as `5 Mar`; the month before it, such as `Mar 2025`. */
export function shortDay(at: number, { now, zone }: Now): string {
  const [then, today] = [at, now].map((time) => new Date(time + zone.offsetMs(time))) as [Date, Date];
  const [month, year] = [MONTHS[then.getUTCMonth()]!.slice(0, 3), then.getUTCFullYear()];
  return year === today.getUTCFullYear() ? `${then.getUTCDate()} ${month}` : `${month} ${year}`;
}

/** The day and the time, such as `2026-03-05 14:05`. */
export function timeIn(moment: string | number, zone: Zone): string {
  const shown = onClock(moment, zone);
  return shown ? `${shown.day} ${shown.time}` : String(moment);
}

function onClock(moment: string | number, zone: Zone): { day: string; time: string } | null {
  const at = typeof moment === "number" ? moment : Date.parse(moment);
  const local = new Date(at + zone.offsetMs(at));
  if (Number.isNaN(local.getTime())) return null;
  const [day, time] = local.toISOString().split("T") as [string, string];
  return { day, time: time.slice(0, 5) };
}

/** The day and the time, such as `yesterday, 14:05`. */
export function timeShown(iso: string, reader: Now): string {
  const shown = onClock(iso, reader.zone);
  return shown ? `${dayShown(iso, reader)}, ${shown.time}` : iso;
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
