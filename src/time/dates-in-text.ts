/**
 * Finds dates in a question, and computes how near a time is to them.
 *
 * Recognised are days, months, years, and phrases such as "two weeks ago". A month without a year
 * means that month of any year. Ambiguous words ("may", "march", "dec") count only where they
 * must be a month. A day that does not exist is no date.
 */
import { dateOfDay, DAY_MS, localDay, localTime, monthsLater, weekdayOf, type Zone } from "./calendar.ts";
import { COUNT, countOf, monthNamed, MONTHS, SHORT_MONTHS, weekdayNamed, WEEKDAYS } from "./phrases.ts";

export interface DateMention {
  year: number | null;
  /** 0 to 11; null for a whole year. */
  month: number | null;
  day: number | null;
  /** How many days after this day belong to the date as well. */
  reachDays?: number;
}

/** Also names or other words: a month only next to a number, or after a word that introduces a date. */
const DOUBTFUL: ReadonlySet<string> = new Set(["jan", "mar", "sep", "dec", "may"]);
/** Words that introduce a date. */
const LEADING = "on|in|of|during|since|until|by|before|after|from|last|this|early|late|mid";
const YEAR = "(?:19|20)\\d{2}";
const WORD_END = "(?![\\p{L}\\p{N}\\p{M}_])";

/** Every date has one of these. Most questions have none, and are spared the patterns of all scripts. */
const HINT = /\d{4}|day|ago|(?:last|this) (?:night|week|month|year)|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/;

/** Made anew for each question: the engine keeps what it has compiled. */
const patterns = () => ({
  iso: whole(`(\\d{4})-(\\d{2})-(\\d{2})|(${YEAR})-(\\d{2})`),
  written: whole(
    `(?:(?<leading>${LEADING})[ -](?:the )?)?(?:(?<before>\\d{1,2})(?:st|nd|rd|th)?(?<of> of)? )?` +
      `(?<name>${MONTHS.join("|")}|(?:${SHORT_MONTHS})\\.?)` +
      `(?: (?<after>\\d{1,2})(?<ordinal>st|nd|rd|th)?${WORD_END})?(?:(?:,| of)? (?<year>\\d{4})${WORD_END})?`,
  ),
  /** Not the beginning of a numeric date or of a decimal number. */
  wholeYear: whole(`(?:in|during|since|of|early|late|mid)[ -](${YEAR})(?![-.,/]\\d)`),
  ago: whole(`(${COUNT}) (day|week|month|year)s? ago`),
  aroundNow: whole("(last|this) (week|month|year)"),
  weekday: whole(`(?:last|on) (${WEEKDAYS.join("|")})(?!${NO_WEEKDAY})`),
  daysBack: [
    { words: whole("today"), days: 0 },
    { words: whole("yesterday|last night"), days: 1 },
  ],
});
type Patterns = ReturnType<typeof patterns>;

/** If a date follows, that is the day; "on Saturday mornings" means no particular day. */
const NO_WEEKDAY =
  `,? (?:on )?(?:the )?(?:\\d|(?:${MONTHS.join("|")}|${SHORT_MONTHS})${WORD_END})` +
  `| (?:morning|afternoon|evening|night)s`;
/** What may follow a day in May; anything else after "12 may" or "may 10" makes "may" a verb. */
const AFTER_MAY =
  / ?(?:$|[^\p{L}\p{N}\p{M}_ ]|(?:of|in|at|when|and|was|were|did|with|for|from|until|on|about)(?= |$))/uy;
/** Words after which "march" is a verb. */
const BEFORE_MARCH = /(?:^| )(?:i|we|you|they|he|she|will|must|can|could|should) $/;
/** A question with more dates than this asks for none of them in particular. */
const MENTIONS_LIMIT = 64;
const LEAP_YEAR = 2024;

/** Matches whole words only, in any script. */
function whole(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_])(?:${pattern})${WORD_END}`, "gu");
}

/** The zone is asked only if the question has a date that counts from today. */
export function datesIn(question: string, now: number, zone: Zone): DateMention[] {
  const text = question.toLowerCase().replace(/\s+/gu, " ");
  const found = new Map<string, DateMention>();
  if (!HINT.test(text)) return [];
  for (const mention of mentionsIn(text, patterns(), () => localDay(now, zone))) {
    const { year, month, day, reachDays } = mention;
    if (isPossible(mention)) found.set(`${year} ${month} ${day} ${reachDays}`, mention);
    if (found.size === MENTIONS_LIMIT) break;
  }
  return [...found.values()];
}

function* mentionsIn(text: string, known: Patterns, today: () => number): Generator<DateMention> {
  for (const [, year, month, day, yearAlone, monthAlone] of text.matchAll(known.iso)) {
    yield { year: Number(year ?? yearAlone), month: Number(month ?? monthAlone) - 1, day: numberOrNull(day) };
  }
  yield* writtenIn(text, known);
  for (const [, count, unit] of text.matchAll(known.ago)) yield unitsBack(countOf(count ?? ""), unit ?? "", today());
  for (const [, which, unit] of text.matchAll(known.aroundNow)) {
    yield unit === "week"
      ? weekOf(today(), which === "last")
      : unitsBack(which === "last" ? 1 : 0, unit ?? "", today());
  }
  for (const [, name] of text.matchAll(known.weekday)) {
    const back = (weekdayOf(today()) - weekdayNamed(name ?? "") + 7) % 7;
    yield dateOfDay(today() - (back || 7));
  }
  for (const { words, days } of known.daysBack) if (text.search(words) !== -1) yield dateOfDay(today() - days);
}

/** Months by name, and years alone. */
function* writtenIn(text: string, { written, wholeYear }: Patterns): Generator<DateMention> {
  const ends = new Set<number>();
  for (const match of text.matchAll(written)) {
    if (!isDate(match, text)) continue;
    const { before, name = "", after, year } = match.groups ?? {};
    ends.add(match.index + match[0].length);
    yield { year: numberOrNull(year), month: monthNamed(name), day: numberOrNull(before ?? after) };
  }
  for (const match of text.matchAll(wholeYear)) {
    // "March of 2025" means only that month.
    const isVisible = ends.has(match.index + match[0].length);
    if (!isVisible) yield { year: Number(match[1]), month: null, day: null };
  }
}

function isDate(match: RegExpExecArray, text: string): boolean {
  const { leading, before, of, name, after, ordinal, year } = match.groups ?? {};
  if (year !== undefined) return true;
  const isDay = before !== undefined || after !== undefined;
  if (name === "march" && leading === undefined && before === undefined)
    return !BEFORE_MARCH.test(text.slice(Math.max(0, match.index - 10), match.index));
  if (name === "may" && (isDay || leading === "this")) {
    // "this may be", "12 may be", "the 3rd may be", "may 10 people"
    const isSure = of !== undefined || ordinal !== undefined || (leading !== undefined && leading !== "this");
    AFTER_MAY.lastIndex = match.index + match[0].length;
    return isSure || AFTER_MAY.test(text);
  }
  return !DOUBTFUL.has((name ?? "").replace(".", "")) || isDay || leading !== undefined;
}

const numberOrNull = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));

/** "Days ago" and "weeks ago" give a day, "months ago" a month, "years ago" a year. */
function unitsBack(count: number, unit: string, today: number): DateMention {
  if (unit === "year") return { year: dateOfDay(today).year - count, month: null, day: null };
  if (unit === "month") return { ...dateOfDay(monthsLater(today, -count)), day: null };
  return dateOfDay(today - count * (unit === "week" ? 7 : 1));
}

/** Weeks begin on Monday. "Last week" may also be counted from today: about a week ago. */
function weekOf(today: number, isLast: boolean): DateMention {
  const begun = weekdayOf(today);
  const [first, last] = isLast ? [Math.max(10, begun + 7), Math.min(4, begun + 1)] : [begun, 0];
  return { ...dateOfDay(today - first), reachDays: first - last };
}

/** `Date.UTC` rolls a day that does not exist over into the next month. */
function isPossible({ year, month, day }: DateMention): boolean {
  const date = new Date(Date.UTC(year ?? LEAP_YEAR, month ?? 0, day ?? 1));
  return date.getUTCMonth() === (month ?? 0) && (year === null || date.getUTCFullYear() === year);
}

/** 1 within a day of a given day, or in a given range, month or year; less nearby; 0 elsewhere. */
export function dateNearness(mentions: readonly DateMention[], at: number, zone: Zone): number {
  if (mentions.length === 0) return 0;
  // As a clock in UTC would show it.
  const date = new Date(localTime(at, zone));
  return mentions.reduce((nearest, mention) => Math.max(nearest, nearness(mention, date)), 0);
}

function nearness({ year, month, day, reachDays }: DateMention, date: Date): number {
  const own = date.getUTCFullYear();
  if (month === null) return own === year ? 1 : own - 1 === year && date.getUTCMonth() === 0 ? 0.3 : 0;
  if (day !== null) {
    // Around New Year, the nearest such day may be in the previous or next year.
    const years = year === null ? [own - 1, own, own + 1] : [year];
    const midnight = Math.floor(date.getTime() / DAY_MS) * DAY_MS;
    const away = years.map((one) => daysOutside((midnight - Date.UTC(one, month, day)) / DAY_MS, reachDays ?? 0));
    const days = Math.min(...away);
    return days <= (reachDays === undefined ? 1 : 0) ? 1 : days <= 10 ? 0.5 : 0;
  }
  const isIn = (months: number) => {
    const asked = new Date(Date.UTC(year ?? own, month + months));
    return asked.getUTCMonth() === date.getUTCMonth() && (year === null || asked.getUTCFullYear() === own);
  };
  return isIn(0) ? 1 : isIn(1) ? 0.3 : 0;
}

/** Days before the first or after the last day of the range. */
const daysOutside = (since: number, reach: number): number => Math.max(-since, 0, since - reach);

/**
 * Reads dates as people write them, as `2026-01-31`.
 *
 * Year first, day first and month names are read. `04/05/2020` is May to some and April to others: ambiguous dates are
 * not read.
 */
const MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH = "(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const BETWEEN = "[\\s,.-]{1,3}";

const YEAR_FIRST = /(?<!\d)(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/;
const YEAR_LAST = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/;
const YEAR_MONTH_DAY = new RegExp(`(?<!\\d)(\\d{4})${BETWEEN}${MONTH}${BETWEEN}(\\d{1,2})(?!\\d)`, "i");
const DAY_MONTH_YEAR = new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?${BETWEEN}${MONTH}${BETWEEN}(\\d{4})(?!\\d)`, "i");
const MONTH_DAY_YEAR = new RegExp(`\\b${MONTH}${BETWEEN}(\\d{1,2})(?:st|nd|rd|th)?${BETWEEN}(\\d{4})(?!\\d)`, "i");

/** The first date in a line, or null. */
export function writtenDate(line: string): string | null {
  const named = YEAR_MONTH_DAY.exec(line) ?? null;
  if (named) return dateOf(named[1]!, monthOf(named[2]!), named[3]!);
  const dayFirst = DAY_MONTH_YEAR.exec(line);
  if (dayFirst) return dateOf(dayFirst[3]!, monthOf(dayFirst[2]!), dayFirst[1]!);
  const monthFirst = MONTH_DAY_YEAR.exec(line);
  if (monthFirst) return dateOf(monthFirst[3]!, monthOf(monthFirst[1]!), monthFirst[2]!);
  const yearFirst = YEAR_FIRST.exec(line);
  if (yearFirst) return dateOf(yearFirst[1]!, yearFirst[3]!, yearFirst[4]!);
  const yearLast = YEAR_LAST.exec(line);
  return yearLast ? withYearLast(yearLast) : null;
}

function withYearLast([, first, mark, second, year]: RegExpExecArray): string | null {
  if (Number(second) > 12) return dateOf(year!, first!, second!);
  const isAmbiguous = mark === "/" && Number(first) <= 12 && first !== second;
  return isAmbiguous ? null : dateOf(year!, second!, first!);
}

const monthOf = (name: string): string => `${MONTH_NAMES.indexOf(name.toLowerCase()) + 1}`;

/** Null if the calendar has no such day. */
function dateOf(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}
