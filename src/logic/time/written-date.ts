/**
 * Reads dates as people write them, as `2026-01-31`.
 *
 * Year first, day first and month names are read. `04/05/2020` is May to some and April to others: ambiguous dates are
 * not read.
 */
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
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

const monthOf = (name: string): string => `${MONTHS.indexOf(name.toLowerCase()) + 1}`;

/** Null if the calendar has no such day. */
function dateOf(year: string, month: string, day: string): string | null {
  const text = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}
