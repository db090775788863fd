/**
 * Reads phrases that name days: "tomorrow", "last friday", "next month", "3 march".
 *
 * A weekday named on itself is seven days off. Without a direction, a weekday or a day without a year is ambiguous:
 * `Tense` decides.
 */
import { type DaySpan, dateOfDay, dayNumber, existingDay, weekdayOf } from "./calendar.ts";
import { isoDays } from "./iso-time.ts";
import { MONTHS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS, monthNamed, weekdayNamed } from "./time-words.ts";

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
export function daysNamed(text: string, today: number, tense: Tense): DaySpan | null {
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
