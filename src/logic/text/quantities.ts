/**
 * Quantities: the numbers of a text in one notation, and what each of them counts.
 *
 * "8 GB" equals "8GB", "15 minutes" 900 seconds, "twenty" 20 and "2 am" 02:00. Two numbers can be compared only if they
 * measure the same kind of thing, or if the same word stands beside them.
 */
import { isAscii } from "./ascii.ts";
import { stem } from "./stem.ts";
import { fold, isStopWord } from "./words.ts";

export type Measure = "duration" | "size" | "frequency" | "clock" | "date" | "percent" | "count";

export interface Quantity {
  measure: Measure;
  /** In the smallest unit; a version is kept as written, because 3.10 is not 3.1. */
  value: string;
  /** The first spelling of the unit; empty for a plain count. */
  unit: string;
  /** Stems of the words beside it: "port 8080" and "3 retries" are about port and retries. */
  about: readonly string[];
}

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
const KIB = 1_024;
type Unit = readonly [measure: Measure, factor: number, name: string];
const UNITS: Readonly<Record<string, Unit>> = {
  ...named("duration", 1, "ms msec millisecond milliseconds millisekunden"),
  ...named("duration", SECOND, "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒"),
  ...named("duration", 60 * SECOND, "min mins minute minutes minuten minuto minutos 分钟"),
  ...named("duration", 3_600 * SECOND, "h hr hrs hour hours stunde stunden heure heures hora horas 小时"),
  ...named("duration", DAY, "d day days tag tage tagen jour jours dia dias 天 日"),
  ...named("duration", 7 * DAY, "week weeks woche wochen semaine semaines semana semanas 周"),
  ...named("duration", 30 * DAY, "month months monat monate monaten mois mes meses 个月"),
  ...named("duration", 365 * DAY, "year years jahr jahre jahren an ans ano anos 年"),
  ...named("size", 1, "byte bytes"),
  ...named("size", KIB, "kb kib kilobyte kilobytes"),
  ...named("size", KIB ** 2, "mb mib megabyte megabytes"),
  ...named("size", KIB ** 3, "gb gib gigabyte gigabytes"),
  ...named("size", KIB ** 4, "tb tib terabyte terabytes"),
  ...named("frequency", 1, "hz hertz"),
  ...named("frequency", 1e3, "khz kilohertz"),
  ...named("frequency", 1e6, "mhz megahertz"),
  ...named("frequency", 1e9, "ghz gigahertz"),
  ...named("percent", 1, "% percent prozent"),
};
const WORDS: Readonly<Record<string, number>> = {
  ...counted(1, "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"),
  ...counted(17, "seventeen eighteen nineteen twenty"),
  ...counted(1, "first second third fourth fifth sixth seventh eighth ninth tenth"),
  ...counted(2, "zwei drei vier funf sechs sieben acht neun zehn"),
  ...counted(2, "deux trois quatre cinq six sept huit neuf dix"),
  ...counted(2, "dos tres cuatro cinco seis siete ocho nueve diez"),
  ...{ twice: 2, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90, hundred: 100 },
};
const MULTIPLES: Readonly<Record<string, number>> = { k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, billion: 1e9 };
const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;
const ORDINAL = /^(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th)$/;
const ORDINALS: ReadonlySet<string> = new Set(["first", "second"]);
/** May stand between a number and the word it belongs to. */
const BESIDE_WORDS = 2;
const COPULA = /^(?:is|are|was|ist|est|es|equals)$/;
const CLAUSE_WORDS = 8;

function named(measure: Measure, factor: number, names: string): Record<string, Unit> {
  const spellings = names.split(" ");
  return Object.fromEntries(spellings.map((spelling) => [spelling, [measure, factor, spellings[0]!] as const]));
}

function counted(from: number, names: string): Record<string, number> {
  return Object.fromEntries(names.split(" ").map((name, index) => [name, from + index]));
}

/** "Minutes", "GB": part of a quantity. */
export const isUnit = (word: string): boolean => Object.hasOwn(UNITS, word.replace(/^[\d.,]+/, ""));

/** "Twenty", but not "third", which says which one. */
export const isNumberWord = (word: string): boolean => Object.hasOwn(WORDS, word) && !ORDINAL.test(word);

/** Words, numbers with their separators, and percent signs. */
const tokensIn = (text: string): readonly string[] =>
  (isAscii(text)
    ? text.match(/v?\d+(?:[.,:]\d+)*|%|[A-Za-z][A-Za-z0-9]*|[.;!?](?=\s)/g)
    : text.match(
        /v?\d+(?:[.,:]\d+)*|%|[\p{Script=Han}]+|(?:(?!\p{Script=Han})[\p{L}\p{M}])+(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}])*|[.;!?](?=\s)/gu,
      )) ?? [];

export function quantitiesIn(text: string): Quantity[] {
  const tokens = tokensIn(fold(text.normalize("NFC")));
  const found: Quantity[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const isWritten = /^v?\d/.test(token);
    const spelled = Object.hasOwn(WORDS, token) ? WORDS[token] : undefined;
    if (!isWritten && (spelled === undefined || !isCount(tokens, at))) continue;
    const digits = isWritten ? token : String(spelled);
    found.push(readAt(tokens, at, digits));
  }
  return found;
}

/** A spelled number counts only before what it counts: "two retries", but not "the one that". */
function isCount(tokens: readonly string[], at: number): boolean {
  const next = tokens[at + 1] ?? "";
  if (ORDINALS.has(tokens[at]!)) return false;
  if (tokens[at] === "twice") return true;
  if (/^(?:[.;!?]|)$/.test(next)) return /^(?:to|from)$/.test(tokens[at - 1] ?? "");
  return /^\p{L}/u.test(next) && !isStopWord(next);
}

function readAt(tokens: readonly string[], at: number, digits: string): Quantity {
  const about = aboutAt(tokens, at);
  const next = tokens[at + 1] ?? "";
  const clock = clockOf(digits, next);
  if (clock !== null) return { measure: "clock", value: clock, unit: "", about };
  const date = dateOf(tokens, at, digits);
  if (date !== null) return { measure: "date", value: date, unit: "", about };
  const [measure, factor, unit] = unitOf(next) ?? ["count", 1, ""];
  const plain = digits.replace(/,(?=\d{3}(?!\d))/g, "");
  const number = Number(plain);
  if (measure !== "count" && Number.isFinite(number)) {
    return { measure, value: String(number * factor), unit, about: aboutAt(tokens, at + 1, at) };
  }
  const multiple = Object.hasOwn(MULTIPLES, next) ? MULTIPLES[next]! : 1;
  if (multiple > 1 && Number.isFinite(number)) {
    const value = String(Math.round(number * multiple));
    return { measure: "count", value, unit: perAt(tokens, at + 1), about: aboutAt(tokens, at + 1, at) };
  }
  return {
    measure: "count",
    value: plain.replace(/^v?0*(?=\d)/, "").replace(/\.0$/, ""),
    unit: perAt(tokens, at),
    about,
  };
}

/** "60 requests per minute": a rate is compared only with one of the same unit. */
function perAt(tokens: readonly string[], at: number): string {
  const per = tokens.slice(at + 1, at + 4).indexOf("per");
  const word = per < 0 ? "" : (tokens[at + 2 + per] ?? "");
  return unitOf(word)?.[2] ?? word;
}

/** Chinese writes no space after a unit. */
function unitOf(word: string): Unit | undefined {
  if (Object.hasOwn(UNITS, word)) return UNITS[word];
  const unit = Object.keys(UNITS).find((name) => /^\p{Script=Han}/u.test(name) && word.startsWith(name));
  return unit === undefined ? undefined : UNITS[unit];
}

function clockOf(digits: string, next: string): string | null {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(digits) ?? [];
  if (hour !== undefined) return `${hourOf(Number(hour), next)}:${minute}`;
  if (!/^\d{1,2}$/.test(digits) || !/^(?:am|pm|uhr)$/.test(next)) return null;
  return `${hourOf(Number(digits), next)}:00`;
}

/** Midnight is 12 am, noon 12 pm. */
function hourOf(hour: number, next: string): number {
  if (next !== "am" && next !== "pm") return hour % 24;
  return (hour % 12) + (next === "pm" ? 12 : 0);
}

function dateOf(tokens: readonly string[], at: number, digits: string): string | null {
  if (!/^\d{1,2}$/.test(digits)) return null;
  const [before, after] = [tokens[at - 1] ?? "", tokens[at + 1] ?? ""];
  const isAfter = MONTH.test(after) && (after !== "may" || endsDate(tokens[at + 2]));
  const month = isAfter ? after : MONTH.test(before) ? before : null;
  return month === null ? null : `${MONTHS.indexOf(month.slice(0, 3)) + 1}-${Number(digits)}`;
}

/** "Up to 9 may run": a verb follows where it is no month. */
const endsDate = (next: string | undefined): boolean => next === undefined || /^(?:[.;!?]|\d{4})$/.test(next);

/** The nearest telling word on each side, within the sentence. */
function aboutAt(tokens: readonly string[], at: number, from = at): string[] {
  const near = (start: number, step: 1 | -1): string[] => {
    for (let index = start + step, left = BESIDE_WORDS; left > 0; index += step, left--) {
      const word = tokens[index];
      if (word === undefined || /^[.;!?]$/.test(word)) return [];
      if (/^[\p{L}%]/u.test(word) && !isStopWord(word) && !Object.hasOwn(WORDS, word)) return [stem(word)];
    }
    return [];
  };
  return [...new Set([...near(from, -1), ...near(at, 1), ...beforeCopula(tokens, from)])];
}

/** In "the minimum Python version is 3.11" the number belongs to all of them. */
function beforeCopula(tokens: readonly string[], at: number): string[] {
  if (!COPULA.test(tokens[at - 1] ?? "")) return [];
  const clause = tokens.slice(Math.max(0, at - 1 - CLAUSE_WORDS), at - 1);
  const own = clause.slice(clause.findLastIndex((word) => /^[.;!?]$/.test(word)) + 1);
  return own.filter((word) => /^\p{L}/u.test(word) && !isStopWord(word)).map(stem);
}

/**
 * Whether two quantities say something about the same thing: surely, if the same word stands beside both; perhaps, if
 * they only measure the same.
 */
export function comparability(one: Quantity, two: Quantity): "sure" | "possible" | null {
  if (one.measure !== two.measure) return null;
  if (one.measure === "clock" || one.measure === "date") return "sure";
  if (one.about.some((word) => two.about.includes(word))) {
    return one.measure === "count" && one.unit !== two.unit ? null : "sure";
  }
  return one.measure === "count" ? null : "possible";
}

/** In different units a month is thirty days or four weeks, and a gigabyte 1,000 megabytes or 1,024. */
const ROUNDING = 0.08;

export function areEqual(one: Quantity, two: Quantity): boolean {
  if (one.measure !== two.measure) return one.value === two.value;
  if (one.value === two.value) return true;
  if (one.measure === "count" || one.unit === two.unit) return false;
  const [left, right] = [Number(one.value), Number(two.value)];
  return Math.abs(left - right) <= ROUNDING * Math.max(left, right);
}
