/**
 * Dates in a question, and how near a moment is to them.
 *
 * Only what is written counts: a day, a month, or words such as "yesterday". A month without
 * a year means that month of any year. "may" is a month only where it must be one. A day that
 * no calendar has is no date.
 */
export interface DateMention {
  year: number | null;
  /** 0 to 11. */
  month: number;
  day: number | null;
}

const DAY_MS = 86_400_000;
const MONTHS = [
  ..."january february march april may june".split(" "),
  ..."july august september october november december".split(" "),
];
const ISO = whole(`(\\d{4})-(\\d{2})(?:-(\\d{2}))?`);
const WRITTEN = whole(
  `(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? )?(${MONTHS.join("|")})` +
    `(?: (\\d{1,2})(?:st|nd|rd|th)?(?![\\p{L}\\p{N}\\p{M}_]))?(?:,? (\\d{4}))?`,
);
const AGO = whole(`(\\d{1,3}) (day|week)s? ago`);
const DAYS_BACK = [
  { words: whole("today"), days: 0 },
  { words: whole("yesterday"), days: 1 },
  { words: whole("last week|a week ago"), days: 7 },
];
const MAY_AS_MONTH = whole("(?:in|of|during|since|until|by|last|this|early|late|mid) may");
/** Who names more than these asks for none of them in particular. */
const MENTIONS_LIMIT = 64;
const LEAP_YEAR = 2024;

/** Whole words only, in any script. */
function whole(pattern: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}\\p{M}_])(?:${pattern})(?![\\p{L}\\p{N}\\p{M}_])`, "gu");
}

export function datesIn(question: string, now: number): DateMention[] {
  const text = question.toLowerCase();
  const found = new Map<string, DateMention>();
  for (const mention of mentionsIn(text, now)) {
    if (isPossible(mention)) found.set(`${mention.year} ${mention.month} ${mention.day}`, mention);
    if (found.size === MENTIONS_LIMIT) break;
  }
  return [...found.values()];
}

function* mentionsIn(text: string, now: number): Generator<DateMention> {
  for (const [, year, month, day] of text.matchAll(ISO)) {
    yield { year: Number(year), month: Number(month) - 1, day: numberOrNull(day) };
  }
  const isMayMonth = text.search(MAY_AS_MONTH) !== -1;
  for (const [, before, name, after, year] of text.matchAll(WRITTEN)) {
    const day = before ?? after;
    if (name === "may" && day === undefined && year === undefined && !isMayMonth) continue;
    yield { year: numberOrNull(year), month: MONTHS.indexOf(name ?? ""), day: numberOrNull(day) };
  }
  for (const [, count, unit] of text.matchAll(AGO)) {
    yield dayOf(now - Number(count) * (unit === "week" ? 7 : 1) * DAY_MS);
  }
  for (const { words, days } of DAYS_BACK) if (text.search(words) !== -1) yield dayOf(now - days * DAY_MS);
}

const numberOrNull = (digits: string | undefined): number | null => (digits === undefined ? null : Number(digits));

function dayOf(at: number): DateMention {
  const date = new Date(at);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** A date rolls over into the next month where its own is too short for it. */
function isPossible({ year, month, day }: DateMention): boolean {
  const date = new Date(Date.UTC(year ?? LEAP_YEAR, month, day ?? 1));
  return date.getUTCMonth() === month && (year === null || date.getUTCFullYear() === year);
}

/** 1 within a day of what is asked, or in the month asked; less nearby; 0 elsewhere. */
export function dateNearness(mentions: readonly DateMention[], at: number): number {
  const date = new Date(at);
  return mentions.reduce((nearest, mention) => Math.max(nearest, nearness(mention, date)), 0);
}

function nearness({ year, month, day }: DateMention, date: Date): number {
  const own = date.getUTCFullYear();
  if (day !== null) {
    // Around New Year, the nearest day of that name may lie in the year before or after.
    const years = year === null ? [own - 1, own, own + 1] : [year];
    const midnight = Math.floor(date.getTime() / DAY_MS) * DAY_MS;
    const days = Math.min(...years.map((one) => Math.abs(Date.UTC(one, month, day) - midnight) / DAY_MS));
    return days <= 1 ? 1 : days <= 10 ? 0.5 : 0;
  }
  const isIn = (months: number) => {
    const asked = new Date(Date.UTC(year ?? own, month + months));
    return asked.getUTCMonth() === date.getUTCMonth() && (year === null || asked.getUTCFullYear() === own);
  };
  return isIn(0) ? 1 : isIn(1) ? 0.3 : 0;
}
