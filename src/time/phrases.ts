/**
 * Resolves a time expression: "now", "next monday at 5pm", "3 days ago", "2026-02-25T19:30:00Z".
 *
 * It names an instant, and for filters a span: the whole day of "yesterday" or "3 days ago", the month of "last month".
 * The whole text must be an expression; dates inside a question are found by `date-mentions.ts`.
 */
import {
  dateOfDay,
  DAY_MS,
  dayNumber,
  type DaySpan,
  existingDay,
  instantOf,
  localDay,
  localTime,
  mondayOfWeek,
  monthsLater,
  startOfDay,
  weekdayOf,
  type Zone,
} from "./calendar.ts";

/** Reads ISO 8601: an instant with Z or an offset, a local time, or a local year, month, week or day. */
const TIME =
  /^(\d{4})-(\d{2})-(\d{2})[t ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)? ?(?:(z|utc)|([+-])(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?)?$/;
const DATE = /^(\d{4})(?:-w(\d{2})(?:-([1-7]))?|-(\d{2})(?:-(\d{2}))?)?$/;
/** Milliseconds since 1970, as `time` answers them; seconds would have ten digits. */
const EPOCH = /^\d{12,14}$/;

/** The instant of a text with a time, in lower case; null if it is none. */
function isoInstant(text: string, zone: Zone): number | null {
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
function isoDays(text: string): DaySpan | null {
  const match = DATE.exec(text);
  if (!match) return null;
  const [year, week, weekday, month, day] = match.slice(1).map((part) => (part === undefined ? null : Number(part)));
  if (week != null) {
    const monday = mondayOfWeek(year!, week);
    if (monday === null) return null;
    return weekday == null ? { first: monday, days: 7 } : { first: monday + weekday - 1, days: 1 };
  }
  if (month == null) return spanOfField(dayNumber(year!, 0, 1), dayNumber(year! + 1, 0, 1));
  const first = existingDay(year!, month - 1, day ?? 1);
  if (first === null) return null;
  return day == null ? spanOfField(first, dayNumber(year!, month, 1)) : { first, days: 1 };
}

const spanOfField = (first: number, next: number): DaySpan => ({ first, days: next - first });

/** The words that time expressions are made of, each list once. */
export const MONTHS = [
  ..."january february march april may june".split(" "),
  ..."july august september october november december".split(" "),
];
/** Shorter forms, without "may", which has none. */
export const SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec";

/** As the calendar counts them: Monday is 0. */
export const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const SHORT_WEEKDAYS = "mon|tues|tue|weds|wed|thurs|thur|thu|fri|sat|sun";

const NUMBERS = [
  ..."zero one two three four five six seven eight nine ten eleven twelve".split(" "),
  ..."thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" "),
];

/** Matches a count: digits or words. */
export const COUNT = `\\d{1,4}|${NUMBERS.slice(1).join("|")}|an?|(?:a )?couple(?: of)?|a few`;

export function countOf(written: string): number {
  if (/^\d/.test(written)) return Number(written);
  if (written.includes("couple")) return 2;
  return written === "a few" ? 3 : Math.max(1, NUMBERS.indexOf(written));
}

/** Of a month or its short form. */
export const monthNamed = (name: string): number => MONTHS.findIndex((one) => one.startsWith(name.slice(0, 3)));

export const weekdayNamed = (name: string): number => WEEKDAYS.findIndex((one) => one.startsWith(name.slice(0, 3)));

// Reads phrases that name days: "tomorrow", "last friday", "next month", "3 march".
//
// A weekday named on itself is seven days off. Without a direction, a weekday or a day without a year is ambiguous:
// `Tense` decides.

/**
 * past: of several possible days the last that has come, as for what was remembered; any: the coming weekday, and of a day
 * without a year the nearest.
 */
export type Tense = "past" | "any";

const DAYS_OFF: Readonly<Record<string, number>> = {
  "day before yesterday": -2,
  yesterday: -1,
  today: 0,
  tonight: 0,
  tomorrow: 1,
  "day after tomorrow": 2,
};
const DIRECTION = "last|past|previous|this|current|next|coming|following";
const WEEKDAY = new RegExp(`^(?:(?:on )?(?:(${DIRECTION}) )?)(${WEEKDAYS.join("|")}|${SHORT_WEEKDAYS})$`);
const UNIT = /^(last|previous|this|current|next) (week|weekend|month|quarter|year)$/;
const DAY_OF_WEEK = new RegExp(`^(${WEEKDAYS.join("|")}) (?:of )?(last|this|next) week$`);
const MONTH = `(?<name>${MONTHS.join("|")}|(?:${SHORT_MONTHS})\\.?)`;
const ORDINAL = "(?:st|nd|rd|th)?";
const YEAR = "(?: (?:of )?(?<year>\\d{4}))?";
const DAY_FIRST = new RegExp(`^(?:on )?(?<day>\\d{1,2})${ORDINAL}(?: of)? ${MONTH}${YEAR}$`);
const MONTH_FIRST = new RegExp(
  `^(?:(?:on|in) )?(?:(?<direction>${DIRECTION}) )?${MONTH}(?: (?:the )?(?<day>\\d{1,2})${ORDINAL})?${YEAR}$`,
);

/** The days that a phrase in lower case names; null if it names none. */
function daysNamed(text: string, today: number, tense: Tense): DaySpan | null {
  const phrase = text.replace(/^the /, "");
  const off = Object.hasOwn(DAYS_OFF, phrase) ? DAYS_OFF[phrase]! : null;
  if (off !== null) return { first: today + off, days: 1 };
  const [, direction, weekday] = WEEKDAY.exec(phrase) ?? [];
  if (weekday !== undefined) {
    return { first: today + daysTo(weekdayNamed(weekday), signOf(direction), today, tense), days: 1 };
  }
  const [, which, unit] = UNIT.exec(phrase) ?? [];
  if (unit !== undefined) return unitSpan(unit, signOf(which) ?? 0, today);
  const [, named, week] = DAY_OF_WEEK.exec(phrase) ?? [];
  if (named !== undefined) {
    return { first: unitSpan("week", signOf(week) ?? 0, today).first + weekdayNamed(named), days: 1 };
  }
  return isoDays(phrase.replace(/^(?:on|in) /, "")) ?? written(phrase, today, tense);
}

/** -1, 0 or 1; null without a word of direction. */
function signOf(direction: string | undefined): number | null {
  if (direction === undefined) return null;
  if (direction === "this" || direction === "current") return 0;
  return direction === "next" || direction === "coming" || direction === "following" ? 1 : -1;
}

function daysTo(weekday: number, sign: number | null, today: number, tense: Tense): number {
  const inWeek = weekday - weekdayOf(today);
  if (sign === 0) return inWeek;
  const isAhead = sign === null ? tense === "any" : sign > 0;
  return isAhead ? (inWeek + 7) % 7 || 7 : -((7 - inWeek) % 7 || 7);
}

function unitSpan(unit: string, sign: number, today: number): DaySpan {
  const { year, month } = dateOfDay(today);
  if (unit === "week" || unit === "weekend") {
    const monday = today - weekdayOf(today) + sign * 7;
    return unit === "week" ? { first: monday, days: 7 } : { first: monday + 5, days: 2 };
  }
  if (unit === "year") return monthsSpan(year + sign, 0, 12);
  return unit === "month" ? monthsSpan(year, month + sign, 1) : monthsSpan(year, (Math.floor(month / 3) + sign) * 3, 3);
}

function monthsSpan(year: number, month: number, months: number): DaySpan {
  const first = dayNumber(year, month, 1);
  return { first, days: dayNumber(year, month + months, 1) - first };
}

/** A month by its name, or a day in it. */
function written(phrase: string, today: number, tense: Tense): DaySpan | null {
  const { direction, name, day, year } = (DAY_FIRST.exec(phrase) ?? MONTH_FIRST.exec(phrase))?.groups ?? {};
  if (name === undefined || (direction !== undefined && year !== undefined)) return null;
  const named = { month: monthNamed(name), day: day === undefined ? null : Number(day) };
  const inYear = (one: number) => spanIn(one, named);
  if (year !== undefined) return inYear(Number(year));
  const own = dateOfDay(today).year;
  // Eight years may lie between two leap days.
  const spans = Array.from({ length: 17 }, (_, index) => inYear(own - 8 + index)).filter((span) => span !== null);
  return chosen(spans, signOf(direction), today, tense);
}

function spanIn(year: number, { month, day }: { month: number; day: number | null }): DaySpan | null {
  if (day === null) return monthsSpan(year, month, 1);
  const first = existingDay(year, month, day);
  return first === null ? null : { first, days: 1 };
}

/** Of the same date in several years, in order. */
function chosen(spans: readonly DaySpan[], sign: number | null, today: number, tense: Tense): DaySpan | null {
  const own = dateOfDay(today).year;
  if (sign === 0) return spans.find(({ first }) => dateOfDay(first).year === own) ?? null;
  if (sign === 1) return spans.find(({ first }) => first > today) ?? null;
  if (sign === -1) return spans.findLast(({ first, days }) => first + days <= today) ?? null;
  if (tense === "past") return spans.findLast(({ first }) => first <= today) ?? null;
  return spans.toSorted((one, other) => distance(one, today) - distance(other, today))[0] ?? null;
}

const distance = ({ first, days }: DaySpan, today: number): number =>
  Math.max(first - today, 0, today - (first + days - 1));

interface TimeContext {
  nowMs: number;
  zone: Zone;
  /** "any" when omitted. */
  tense?: Tense;
}

export interface ResolvedTime {
  /** The instant that is meant; of a day or longer, its beginning. */
  atMs: number;
  /** The span that is meant; empty for an instant. */
  startMs: number;
  /** The first instant after it. */
  endMs: number;
}

interface Reading extends TimeContext {
  text: string;
  today: number;
  tense: Tense;
}

const LONGEST = 100;
/** Years are written with four digits. */
const [EARLIEST, LATEST] = [dayNumber(1, 0, 2) * DAY_MS, dayNumber(9999, 11, 31) * DAY_MS];
const SECOND_MS = 1_000;
const CLOCK_MS: Readonly<Record<string, number>> = { second: SECOND_MS, minute: 60_000, hour: 3_600_000 };
const UNIT_NAMES = ["second", "minute", "hour", "day", "week", "fortnight", "year"];
const UNITS = "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?|yrs?";
const AMOUNT = `half an hour|(?:${COUNT}) (?:${UNITS})|\\d{1,4}(?:${UNITS}|[smhdwy])`;
const AMOUNTS = `(?:${AMOUNT})(?:(?: and)? (?:${AMOUNT}))*`;
const EACH_AMOUNT = new RegExp(`(?<![a-z])(?:${AMOUNT})(?![a-z])`, "g");
const AGO = new RegExp(`^(${AMOUNTS}) (?:ago|back|before now|earlier)$`);
const AHEAD = new RegExp(`^(?:in|after) (${AMOUNTS})$|^(${AMOUNTS}) (?:from now|later|hence)$`);
const ROLLING = new RegExp(`^(?:in |within )?(?:the )?(last|past|next|coming) (?:(${AMOUNTS})|(day|week|month|year))$`);
const EDGE = /^(?:the )?(start|beginning|end) of (?:the )?(.+)$/;
/** Hours of the day; a night ends the next morning. */
const PARTS: Readonly<Record<string, readonly [number, number]>> = {
  morning: [6, 12],
  afternoon: [12, 18],
  evening: [18, 24],
  night: [18, 30],
};
const PART = /^(?:(.+) )?(morning|afternoon|evening|night)$/;
const CLOCK =
  "noon|midday|midnight|\\d{1,2}(?::\\d{2}(?::\\d{2})?)? ?(?:am|pm|a\\.m\\.?|p\\.m\\.?)|\\d{1,2}:\\d{2}(?::\\d{2})?";
const CLOCK_LAST = new RegExp(`^(?:(.+?) )?(?:at )?(${CLOCK})$`);
const CLOCK_FIRST = new RegExp(`^(?:at )?(${CLOCK}) (?:on )?(.+)$`);

/** Null if the text is no time expression. */
export function resolveTime(words: string, { nowMs, zone, tense = "any" }: TimeContext): ResolvedTime | null {
  if (words.length > LONGEST) return null;
  const text = words
    .toLowerCase()
    .replace(/[\s,]+/gu, " ")
    .trim();
  const reading = { text, nowMs, zone, tense, today: localDay(nowMs, zone) };
  const found = read(reading);
  const isInRange = found !== null && found.startMs >= EARLIEST && found.atMs >= EARLIEST && found.endMs <= LATEST;
  return isInRange ? found : null;
}

function read(reading: Reading): ResolvedTime | null {
  const { text, nowMs, zone } = reading;
  if (/^(?:right |just )?now$/.test(text)) return instant(nowMs);
  const absolute = isoInstant(text, zone);
  if (absolute !== null) return instant(absolute);
  const part = partOfDay(reading);
  if (part) return part;
  const days = daysNamed(text, reading.today, reading.tense);
  if (days) return spanOf(days, zone);
  return relative(reading) ?? edge(reading) ?? clockTime(reading);
}

const instant = (atMs: number): ResolvedTime => ({ atMs, startMs: atMs, endMs: atMs });

function spanOf({ first, days }: DaySpan, zone: Zone): ResolvedTime {
  const startMs = startOfDay(first, zone);
  return { atMs: startMs, startMs, endMs: startOfDay(first + days, zone) };
}

/** "3 days ago", "in two weeks", "last 24 hours". */
function relative({ text, nowMs, zone }: Reading): ResolvedTime | null {
  const back = AGO.exec(text)?.[1];
  const ahead = AHEAD.exec(text);
  const amounts = back ?? ahead?.[1] ?? ahead?.[2];
  if (amounts !== undefined) {
    const { atMs, isExact } = shifted(amounts, back === undefined ? 1 : -1, nowMs, zone);
    return isExact ? instant(atMs) : { ...spanOf({ first: localDay(atMs, zone), days: 1 }, zone), atMs };
  }
  const [, direction, several, unit] = ROLLING.exec(text) ?? [];
  if (direction === undefined) return null;
  const sign = direction === "last" || direction === "past" ? -1 : 1;
  const { atMs } = shifted(several ?? `a ${unit}`, sign, nowMs, zone);
  return sign < 0 ? { atMs, startMs: atMs, endMs: nowMs } : { atMs: nowMs, startMs: nowMs, endMs: atMs };
}

/** Days and longer keep the time of day; only hours and shorter name an exact time. */
function shifted(amounts: string, sign: number, nowMs: number, zone: Zone): { atMs: number; isExact: boolean } {
  let [months, days, milliseconds] = [0, 0, 0];
  for (const [amount] of amounts.matchAll(EACH_AMOUNT)) {
    const [, count = "", unit = ""] = /^(\d+|.+(?= )) ?(.+)$/.exec(amount) ?? [];
    const name = unitNamed(unit);
    const many = sign * (count === "half an" ? 0.5 : countOf(count));
    if (name === "year") months += many * 12;
    else if (name === "month") months += many;
    else if (name in CLOCK_MS) milliseconds += many * CLOCK_MS[name]!;
    else days += many * (name === "fortnight" ? 14 : name === "week" ? 7 : 1);
  }
  if (months === 0 && days === 0) return { atMs: nowMs + milliseconds, isExact: true };
  const day = monthsLater(localDay(nowMs, zone), months) + days;
  const timeOfDay = localTime(nowMs, zone) - localDay(nowMs, zone) * DAY_MS;
  return { atMs: instantOf(day * DAY_MS + timeOfDay, zone) + milliseconds, isExact: milliseconds !== 0 };
}

/** The first letter tells; an "m" alone is a minute. */
const unitNamed = (unit: string): string =>
  unit.startsWith("mo") ? "month" : UNIT_NAMES.find((name) => name.startsWith(unit.charAt(0)))!;

/** "end of last week"; the end is its last millisecond. */
function edge(reading: Reading): ResolvedTime | null {
  const [, which, whole] = EDGE.exec(reading.text) ?? [];
  if (whole === undefined) return null;
  const text = whole === "day" ? "today" : /^(?:week|month|quarter|year)$/.test(whole) ? `this ${whole}` : whole;
  const days = daysNamed(text, reading.today, reading.tense);
  if (!days) return null;
  const { startMs, endMs } = spanOf(days, reading.zone);
  return which === "end" ? { atMs: endMs - 1, startMs: endMs - 1, endMs } : instant(startMs);
}

/** "this morning", "tomorrow evening", "last night". */
function partOfDay({ text, today, tense, zone }: Reading): ResolvedTime | null {
  const [, named = "", part] = text === "tonight" ? ["", "today", "night"] : (PART.exec(text) ?? []);
  if (part === undefined) return null;
  const plain: Readonly<Record<string, number>> = { this: 0, last: -1, next: 1 };
  const day = Object.hasOwn(plain, named) ? today + plain[named]! : oneDay(named, today, tense);
  if (day === null) return null;
  const [from, to] = PARTS[part]!;
  const startMs = instantOf(atHour(day, from), zone);
  return { atMs: startMs, startMs, endMs: instantOf(atHour(day, to), zone) };
}

const atHour = (day: number, hours: number): number => day * DAY_MS + hours * CLOCK_MS["hour"]!;

/** "5pm", "at 17:30", "tomorrow at noon". Alone, it is today; in the past, the last such time. */
function clockTime(reading: Reading): ResolvedTime | null {
  const { text, today, tense, zone, nowMs } = reading;
  const last = CLOCK_LAST.exec(text);
  const [, first, rest] = last ? [] : (CLOCK_FIRST.exec(text) ?? []);
  const clock = last?.[2] ?? first;
  const timeMs = clock === undefined ? null : timeOfClock(clock);
  if (timeMs === null) return null;
  const named = last ? last[1] : rest;
  if (named !== undefined && named !== "at") {
    const day = oneDay(named, today, tense);
    return day === null ? null : instant(instantOf(day * DAY_MS + timeMs, zone));
  }
  const at = instantOf(today * DAY_MS + timeMs, zone);
  return instant(tense === "past" && at > nowMs ? instantOf((today - 1) * DAY_MS + timeMs, zone) : at);
}

/** Null for longer spans. */
function oneDay(text: string, today: number, tense: Tense): number | null {
  const days = daysNamed(text, today, tense);
  return days?.days === 1 ? days.first : null;
}

function timeOfClock(text: string): number | null {
  if (text === "midnight") return 0;
  if (text === "noon" || text === "midday") return 12 * CLOCK_MS["hour"]!;
  const [, hours, minutes = "0", seconds = "0", half] = /^(\d+)(?::(\d+)(?::(\d+))?)? ?([ap])?/.exec(text) ?? [];
  const hour = Number(hours);
  const isPossible = half === undefined ? hour < 24 : hour >= 1 && hour <= 12;
  if (!isPossible || Number(minutes) > 59 || Number(seconds) > 59) return null;
  const ofDay = half === undefined ? hour : (hour % 12) + (half === "p" ? 12 : 0);
  return ((ofDay * 60 + Number(minutes)) * 60 + Number(seconds)) * SECOND_MS;
}
