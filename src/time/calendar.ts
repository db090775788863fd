/**
 * The calendar, without zones: a day is a number, counted from 1 January 1970.
 *
 * Weeks begin on Monday, and the first week of a year is the one with its first Thursday (ISO 8601). Months count from 0,
 * as everywhere in the language.
 */

/** Lengths of time. */
export const DAY_MS = 86_400_000;

interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** Days in a row. */
export interface DaySpan {
  first: number;
  days: number;
}

/** Days and months beyond the end are counted on into the next month or year. */
export const dayNumber = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day) / DAY_MS;

/** Null if the calendar has no such day. */
export function existingDay(year: number, month: number, day: number): number | null {
  const number = dayNumber(year, month, day);
  const found = dateOfDay(number);
  return found.month === month && found.day === day ? number : null;
}

export function dateOfDay(number: number): CivilDate {
  const date = new Date(number * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** 0 on Monday, 6 on Sunday. */
export const weekdayOf = (number: number): number => (((number + 3) % 7) + 7) % 7;

/** The same day some months later; the last of the month if that has no such day. */
export function monthsLater(number: number, months: number): number {
  const { year, month, day } = dateOfDay(number);
  const last = dayNumber(year, month + months + 1, 0);
  return Math.min(dayNumber(year, month + months, day), last);
}

export function isoWeekOf(number: number): number {
  const thursday = number - weekdayOf(number) + 3;
  return Math.floor((thursday - dayNumber(dateOfDay(thursday).year, 0, 1)) / 7) + 1;
}

/** The Monday of a week; null if the year has no such week. */
export function mondayOfWeek(year: number, week: number): number | null {
  const fourth = dayNumber(year, 0, 4);
  const monday = fourth - weekdayOf(fourth) + (week - 1) * 7;
  return isoWeekOf(monday) === week ? monday : null;
}

/** A time zone: what clocks show there. */
export interface Zone {
  /** As in the IANA database. */
  readonly name: string;
  /** How far clocks are ahead of UTC at this time. */
  offsetMs(at: number): number;
}

// Zones, and the way from a clock's time to the instant and back.
//
// A local time is written as the instant at which a clock in UTC shows it. Clocks are put forward and back: a local time
// may not exist, or twice. The first formatter of a process takes tens of milliseconds to make, so it is made when an offset is needed.

/** The last moment that a Date can represent. */
const LATEST_MS = 8.64e15;

export const UTC: Zone = { name: "UTC", offsetMs: () => 0 };

/** Null if the system knows no such zone. */
export function zoneNamed(name: string): Zone | null {
  if (name.toUpperCase() === "UTC") return UTC;
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
  // The system may prefer an older name of the same zone; only its upper and lower case is of use.
  const known = formatter.resolvedOptions().timeZone;
  return {
    name: known.toLowerCase() === name.toLowerCase() ? known : name,
    // A formatter throws on what is no date.
    offsetMs: (at) => (Math.abs(at) <= LATEST_MS ? offsetIn(formatter.format(at)) : 0),
  };
}

/** From a text such as "1/31/2026, GMT-05:00"; clocks once went by the sun, so there may be seconds. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds = "0"] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === "+" ? size : -size) * 1_000;
}

export const localTime = (at: number, zone: Zone): number => at + zone.offsetMs(at);

export const localDay = (at: number, zone: Zone): number => Math.floor(localTime(at, zone) / DAY_MS);

/** The instant of a local time: the first if it occurs twice; as much later as clocks were put forward if it was skipped. */
export const instantOf = (local: number, zone: Zone): number =>
  instantsOf(local, zone)[0] ?? local - zone.offsetMs(local - DAY_MS);

/**
 * The first instant of a day: midnight, or when clocks were put forward past it. Where midnight occurs twice, `after`
 * asks for the one after this instant.
 */
export const startOfDay = (day: number, zone: Zone, after = -Infinity): number =>
  instantsOf(day * DAY_MS, zone).find((at) => at > after) ?? firstAtOrAfter(day * DAY_MS, zone);

/** When clocks show this time: usually once. */
function instantsOf(local: number, zone: Zone): number[] {
  const offsets = new Set([zone.offsetMs(local - DAY_MS), zone.offsetMs(local + DAY_MS)]);
  return [...offsets]
    .map((offset) => local - offset)
    .filter((at) => localTime(at, zone) === local)
    .sort((one, other) => one - other);
}

/** When clocks were put forward past a time that they never showed. */
function firstAtOrAfter(local: number, zone: Zone): number {
  let [before, at] = [local - DAY_MS, local + DAY_MS];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (localTime(middle, zone) < local) before = middle;
    else at = middle;
  }
  return at;
}
