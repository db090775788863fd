/** Moments as people say them: "5 minutes ago", "yesterday at 14:05", "Monday at 9:10", "3 March". */
export interface Sayer {
  readonly now: number;
  readonly zone: string;
  readonly language: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export function spokenDate(moment: string, { now, zone, language }: Sayer): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return moment;
  const passed = now - at;
  if (passed >= -MINUTE_MS && passed < MINUTE_MS) return "just now";
  if (passed > 0 && passed < HOUR_MS) return ago(Math.floor(passed / MINUTE_MS), "minute");
  const format = (options: Intl.DateTimeFormatOptions) =>
    formatter(language, { timeZone: zone, ...options }).format(at);
  const time = () => format({ hour: "numeric", minute: "2-digit" });
  const days = dayNumber(now, zone) - dayNumber(at, zone);
  if (days === 0)
    return passed > 0 && passed < 6 * HOUR_MS ? ago(Math.floor(passed / HOUR_MS), "hour") : `today at ${time()}`;
  if (days === 1) return `yesterday at ${time()}`;
  if (days === -1) return `tomorrow at ${time()}`;
  if (days > 1 && days < 7) return `${format({ weekday: "long" })} at ${time()}`;
  const isThisYear = yearOf(at, zone) === yearOf(now, zone);
  return format({ day: "numeric", month: "long", ...(isThisYear ? {} : { year: "numeric" }) });
}

/** For whoever wants to know exactly. */
export function exactDate(moment: string, { zone, language }: Sayer): string {
  const at = Date.parse(moment);
  if (Number.isNaN(at)) return moment;
  return formatter(language, { timeZone: zone, dateStyle: "full", timeStyle: "medium" }).format(at);
}

/** A heading above everything of one day. */
export function spokenDay(moment: string, { now, zone, language }: Sayer): string {
  const at = Date.parse(moment);
  const days = dayNumber(now, zone) - dayNumber(at, zone);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const isThisYear = yearOf(at, zone) === yearOf(now, zone);
  return formatter(language, {
    timeZone: zone,
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(isThisYear ? {} : { year: "numeric" }),
  }).format(at);
}

/** Making one takes longer than drawing a row, so each is made once. */
const formatters = new Map<string, Intl.DateTimeFormat>();
function formatter(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([language, options]);
  const made = formatters.get(key) ?? new Intl.DateTimeFormat(language, options);
  formatters.set(key, made);
  return made;
}

/** The page speaks English, so its dates do too: as the person's English writes them, if a browser prefers one. */
export const spokenLanguage = (preferred: readonly string[]): string =>
  preferred.find((language) => /^en\b/i.test(language)) ?? "en-GB";

const ago = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"} ago`;

const partsIn = (at: number, zone: string): string =>
  formatter("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);
/** Days are compared as dates in the zone, because not every day has 24 hours. */
const dayNumber = (at: number, zone: string): number => Math.round(Date.parse(partsIn(at, zone)) / DAY_MS);
const yearOf = (at: number, zone: string): string => partsIn(at, zone).slice(0, 4);
