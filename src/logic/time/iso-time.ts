/** Reads ISO 8601: an instant with Z or an offset, a local time, or a local year, month, week or day. */
import type { Zone } from "../../model/time/zone.ts";
import { type DaySpan, dayNumber, existingDay, mondayOfWeek } from "./calendar.ts";
import { instantOf } from "./zone.ts";

const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)? ?(?:(z|utc)|([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?)?$/;
const DATE = /^(\d{4})(?:-w(\d{2})(?:-([1-7]))?|-(\d{2})(?:-(\d{2}))?)?$/;
/** Milliseconds since 1970, as `time` answers them; seconds would have ten digits. */
const EPOCH = /^\d{12,14}$/;

/** The instant of a text with a time, in lower case; null if it is none. */
export function isoInstant(text: string, zone: Zone): number | null {
  if (EPOCH.test(text)) return Number(text);
  const match = TIME.exec(text);
  if (!match) return null;
  const [year, month, day, hours, minutes, seconds] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const number = existingDay(year!, month! - 1, day!);
  if (number === null || hours! > 23 || minutes! > 59 || seconds! > 59) return null;
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const local = (((number * 24 + hours!) * 60 + minutes!) * 60 + seconds!) * 1_000 + milliseconds;
  const [utc, sign, ...offset] = match.slice(8);
  if (utc === undefined && sign === undefined) return instantOf(local, zone);
  const [ahead, aheadMinutes, aheadSeconds] = offset.map((part) => Number(part ?? 0));
  const offsetMs = ((ahead! * 60 + aheadMinutes!) * 60 + aheadSeconds!) * 1_000;
  return local - (sign === "-" ? -offsetMs : offsetMs);
}

/** The days of a text without a time. */
export function isoDays(text: string): DaySpan | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, week, weekday, month, day] = match.slice(1).map((part) => (part === undefined ? null : Number(part)));
  if (week != null) {
    const monday = mondayOfWeek(year!, week);
    if (monday === null) return null;
    return weekday == null ? { first: monday, days: 7 } : { first: monday + weekday - 1, days: 1 };
  }
  if (month == null) return spanOf(dayNumber(year!, 0, 1), dayNumber(year! + 1, 0, 1));
  const first = existingDay(year!, month - 1, day ?? 1);
  if (first === null) return null;
  return day == null ? spanOf(first, dayNumber(year!, month, 1)) : { first, days: 1 };
}

const spanOf = (first: number, next: number): DaySpan => ({ first, days: next - first });
