/**
 * Secrets that are written in pieces: adjacent or added string literals, and tokens that a terminal wrapped.
 *
 * Literals are joined before the rules look at them. Of a wrapped token the first line is found like any other; what
 * follows it is a part of it if it fills its line, is no longer than the one above and reads like no word.
 */
import { isRandom, readsLikeWords } from "./likeness.ts";
import type { Found } from "./secret-finder.ts";

/** Characters that take no place on a screen: copied into a token, they hide it from every rule. */
const UNSEEN = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;

export const hasUnseen = (text: string): boolean => UNSEEN.test(text);

interface Span {
  start: number;
  end: number;
}

/** Searches the text as it is seen; places are those of the whole text. */
export function findInSeen<T extends Span>(text: string, find: (seen: string) => T[]): T[] {
  if (!hasUnseen(text)) return find(text);
  const unseen = Array.from(text.matchAll(new RegExp(UNSEEN, "g")), ({ index }) => ({ start: index, end: index + 1 }));
  const { seen, placeOf } = without(text, unseen);
  return find(seen).map((one) => ({ ...one, start: placeOf(one.start), end: placeOf(one.end - 1) + 1 }));
}

/** The text without these parts of it, which are in order, or with one character for each. */
function without(
  text: string,
  removed: readonly (Span & { as?: string })[],
): { seen: string; placeOf: (at: number) => number } {
  const places = new Uint32Array(text.length + 1);
  const parts: string[] = [];
  let length = 0;
  let done = 0;
  const keep = (until: number) => {
    for (let at = done; at < until; at++) places[length++] = at;
    parts.push(text.slice(done, until));
  };
  for (const { start, end, as } of removed) {
    keep(start);
    if (as !== undefined) {
      places[length++] = start;
      parts.push(as);
    }
    done = end;
  }
  keep(text.length);
  places[length] = text.length;
  return { seen: parts.join(""), placeOf: (at) => places[at]! };
}

/** From the quote that closes a literal to behind the one that opens the next: an operator, a line break, or
 * both; or a line break that is escaped. */
const JUNCTION =
  /(?<=[\w+/=.~!-]{2})(["'`])(?:[ \t]{0,8}(?:\+|\.\.?|&|<>|\|\||\\)[ \t]{0,8}(?:\\?\r?\n[ \t]{0,60})?|[ \t]{0,8}\r?\n[ \t]{0,60}(?:(?:\+|\.\.?|&|<>|\|\|)[ \t]{0,8})?)[fbru@]?\1(?=[\w+/=.~!-]{2})|(?<=[\w+/=-]{8})\\\r?\n[ \t]{0,60}(?=[\w+/=-]{8})/g;

const MAY_JOIN = /["'`][ \t]{0,8}(?:[+.&<|\\]|\r?\n)|\w\\\r?\n/;
/** How much around the place where two literals meet is read again. */
const AROUND = 300;
/** The longest secret in pieces, with all that stands between them. */
const LONGEST_DIVIDED = 12_000;

/** What is found only once the literals that meet are joined. */
export function findDivided<T extends Found>(text: string, find: (joined: string) => T[]): T[] {
  const found: T[] = [];
  const joints = MAY_JOIN.test(text) ? junctions(text) : [];
  for (let first = 0, next = 1; first < joints.length; first = next++) {
    while (next < joints.length && joints[next]!.start - joints[next - 1]!.end < AROUND) next++;
    const near = joints.slice(first, next);
    const from = Math.max(0, near[0]!.start - AROUND);
    const removed = near.map(({ start, end }) => ({ start: start - from, end: end - from }));
    const { seen, placeOf } = without(text.slice(from, near.at(-1)!.end + AROUND), removed);
    for (const one of find(seen)) {
      const span = { ...one, start: from + placeOf(one.start), end: from + placeOf(one.end - 1) + 1 };
      const length = span.end - span.start;
      // What crosses no joint was found before, or the excerpt cut it.
      if (length > one.end - one.start && length <= LONGEST_DIVIDED) found.push(span);
    }
  }
  return found;
}

const junctions = (text: string): Found[] =>
  Array.from(text.matchAll(JUNCTION), ({ 0: all, index }) => ({ start: index, end: index + all.length }));

const LEAST_WRAPPED = 32;
const MOST_WRAPPED = 300;
const MOST_LINES = 24;
const REST = /\r?\n([ \t]{0,40})([\w+/=.~%-]{6,300})(?=["'`]?[ \t]{0,8}(?:\r?\n|$))/y;

/** The end of a secret that goes on in the next lines. */
export function endOfWrapped(text: string, start: number, end: number): number {
  // Looking back no further: a text may be one line with thousands of secrets.
  const reach = Math.max(0, end - MOST_WRAPPED);
  let width = end - (reach + text.slice(reach, Math.max(start, reach)).lastIndexOf("\n") + 1);
  if (width < LEAST_WRAPPED || !/[A-Za-z0-9+/_-]/.test(text.charAt(end - 1))) return end;
  let last = end;
  for (let line = 0; line < MOST_LINES; line++) {
    REST.lastIndex = last;
    const [all, blanks, rest] = REST.exec(text) ?? [];
    if (all === undefined || blanks!.length + rest!.length > width || !isRest(rest!)) return last;
    last += all.length;
    // Only the last line is shorter.
    if (blanks!.length + rest!.length < width) return last;
    width = blanks!.length + rest!.length;
  }
  return last;
}

const isRest = (rest: string): boolean =>
  /\d/.test(rest) && !/^[\d.]+$/.test(rest) && isRandom(rest) && !readsLikeWords(rest) && !/^[A-Za-z_]\w*=/.test(rest);

/**
 * Secrets whose signs are escaped: `password\u003d…`, `&quot;`, `%3D`.
 *
 * The rules look at the text as it is meant. Only the signs between a name and its value are read: what they divide is
 * rarely escaped itself.
 */
const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  amp: "&",
  lt: "<",
  gt: ">",
  equals: "=",
  colon: ":",
};

/** Blank, `"`, `&`, `'`, `:`, `<`, `=`, `>`, `?`, `{` and `}`, by number. */
const ESCAPED =
  /\\{1,4}(?:u00|x)(2[0267]|3[acdef]|7[bd])|%(?:25){0,2}(2[0267]|3[acdef]|7[bd])|&(?:#x0{0,4}(2[0267]|3[acdef]|7[bd])|#0{0,4}(3[2489]|58|6[0-3]|12[35])|(quot|apos|amp|lt|gt|equals|colon));/gi;
const MAY_BE_ESCAPED = /\\(?:u00|x)[237]|%(?:25|[237][0-9a-f])|&(?:#|[a-z]{2,6};)/i;

export const mayBeEscaped = (text: string): boolean => MAY_BE_ESCAPED.test(text);

/** What is found only once the signs are read. */
export function findEscaped<T extends Found>(text: string, find: (meant: string) => T[]): T[] {
  if (!mayBeEscaped(text)) return [];
  const escaped = Array.from(text.matchAll(ESCAPED), ({ index, 0: all, ...groups }) => ({
    start: index,
    end: index + all.length,
    as: signOf([groups[1], groups[2], groups[3]], groups[4], groups[5]),
  }));
  if (escaped.length === 0) return [];
  const { seen, placeOf } = without(text, escaped);
  return find(seen).map((one) => ({ ...one, start: placeOf(one.start), end: placeOf(one.end) }));
}

function signOf(hexadecimal: readonly (string | undefined)[], decimal = "", name = ""): string {
  const digits = hexadecimal.find((one) => one !== undefined);
  if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16));
  return decimal === "" ? NAMED[name.toLowerCase()]! : String.fromCharCode(Number(decimal));
}
