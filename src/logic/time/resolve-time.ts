/**
 * Resolves a time expression: "now", "next monday at 5pm", "3 days ago", "2026-02-25T19:30:00Z".
 *
 * It names an instant, and for filters a span: the whole day of "yesterday" or "3 days ago", the month of "last month".
 * The whole text must be an expression; dates inside a question are found by `date-mentions.ts`.
 */
import { DAY_MS } from "../../model/duration.ts";
import type { Zone } from "../../model/time/zone.ts";
import { type DaySpan, dayNumber, monthsLater } from "./calendar.ts";
import { type Tense, daysNamed } from "./date-phrase.ts";
import { isoInstant } from "./iso-time.ts";
import { COUNT, countOf } from "./time-words.ts";
import { instantOf, localDay, localTime, startOfDay } from "./zone.ts";

export interface TimeContext {
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
