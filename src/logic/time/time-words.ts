/** The words that time expressions are made of, each list once. */

export const MONTHS = [
  ..."january february march april may june".split(" "),
  ..."july august september october november december".split(" "),
];
/** Shorter forms, without "may", which has none. */
export const SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec";

/** As the calendar counts them: Monday is 0. */
export const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
export const SHORT_WEEKDAYS = "mon|tues|tue|weds|wed|thurs|thur|thu|fri|sat|sun";

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
