/**
 * Secrets whose signs are escaped: `password\u003d…`, `&quot;`, `%3D`.
 *
 * The rules look at the text as it is meant. Only the signs between a name and its value are read: what they divide is
 * rarely escaped itself.
 */
import { without } from "../unseen-characters.ts";
import type { Found } from "./secret-finder.ts";

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
