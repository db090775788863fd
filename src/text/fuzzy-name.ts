/**
 * Finds symbol names by a name that may be misspelt.
 *
 * Case and separators never count against a name. An exact name comes first, then one that begins with the query,
 * contains it, differs by a few letters as a whole or word by word, and last one that has its letters in order. Lengths
 * are bounded, so no name takes long.
 */
import { fold, identifierParts, words } from "./words.ts";

export interface NameMatch {
  /** Index into the given names. */
  index: number;
  /** 1 is an exact match; every match returned is above 0. */
  score: number;
}

interface Form {
  bare: string;
  /** One bit per letter and digit that occurs. */
  letters: number;
}

interface AskedName extends Form {
  text: string;
  parts: string[];
  /** How many of its letters a name may lack and still match. */
  typos: number;
}

const LONGEST_QUERY = 64;
const LONGEST_COMPARED = 96;
const MOST_TYPOS = 3;
/** A part below this similarity counts as another word. */
const LEAST_LIKENESS = 0.6;
const LEAST_SUBSEQUENCE = 3;
/** Matches nearly all names; a pattern that handles every script is several times slower. */
const PLAIN_NAME = /^\w+$/;
const PLAIN_PARTS = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;

/** The best matches, best first; ties by length, then by name. */
export function rankNames(query: string, names: readonly string[], limit: number): NameMatch[] {
  const asked = askedOf(query.trim().slice(0, LONGEST_QUERY));
  if (asked.bare === "") return [];
  const scores = new Map<string, number>();
  const found: NameMatch[] = [];
  for (const [index, name] of names.entries()) {
    const known = scores.get(name);
    const score = known ?? likeness(asked, name);
    if (known === undefined) scores.set(name, score);
    if (score > 0) found.push({ index, score });
  }
  const nameAt = ({ index }: NameMatch): string => names[index] ?? "";
  return found
    .sort((a, b) => b.score - a.score || nameAt(a).length - nameAt(b).length || compare(nameAt(a), nameAt(b)))
    .slice(0, limit);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function likeness(asked: AskedName, name: string): number {
  if (name === asked.text) return 1;
  const form = formOf(name.slice(0, LONGEST_COMPARED));
  // Most names are dismissed here: the checks below cost a hundred times as much.
  if (form.bare === "" || bitsIn(asked.letters & ~form.letters) > asked.typos) return 0;
  if (form.bare === asked.bare) return name.toLowerCase() === asked.text.toLowerCase() ? 0.98 : 0.95;
  const share = Math.min(asked.bare.length, form.bare.length) / Math.max(asked.bare.length, form.bare.length);
  if (form.bare.startsWith(asked.bare)) return 0.8 + 0.1 * share;
  const whole = nearness(asked, form);
  const contained = form.bare.includes(asked.bare) ? 0.65 + 0.1 * share : 0;
  const misspelt = whole > 0 ? 0.6 + 0.3 * whole : 0;
  const byWords = byParts(asked, partsOf(name.slice(0, LONGEST_COMPARED)), form.bare.length);
  return Math.max(contained, misspelt, byWords) || bySubsequence(asked.bare, form.bare, share);
}

function askedOf(text: string): AskedName {
  const parts = partsOf(text);
  const form = formOf(text);
  const typos = Math.max(
    typosIn(form.bare),
    parts.reduce((sum, part) => sum + typosIn(part), 0),
  );
  return { ...form, text, parts, typos };
}

/** How many letters of a word may be wrong. */
const typosIn = (word: string): number => Math.min(MOST_TYPOS, Math.floor(word.length / 3));

function formOf(name: string): Form {
  const bare = PLAIN_NAME.test(name) ? name.replaceAll("_", "").toLowerCase() : words(name).map(fold).join("");
  return { bare, letters: lettersOf(bare) };
}

function partsOf(name: string): string[] {
  if (PLAIN_NAME.test(name)) return name.match(PLAIN_PARTS)?.map((part) => part.toLowerCase()) ?? [];
  return words(name).flatMap((word) => {
    const own = identifierParts(word);
    return own.length > 0 ? own.map(fold) : [fold(word)];
  });
}

function lettersOf(text: string): number {
  let letters = 0;
  for (let index = 0; index < text.length; index++) letters |= 1 << text.charCodeAt(index) % 31;
  return letters;
}

/** Similarity of two whole words: 1 is identical, 0 too far apart to be a typo. */
function nearness(query: Form, name: Form): number {
  const bound = typosIn(query.bare);
  if (Math.abs(query.bare.length - name.bare.length) > bound) return 0;
  // A typo changes at most two kinds of letters.
  if (bitsIn(query.letters ^ name.letters) > 2 * bound) return 0;
  const distance = editDistance(query.bare, name.bare, bound);
  return distance > bound ? 0 : 1 - distance / Math.max(query.bare.length, name.bare.length);
}

/** Every word of the query is similar to one in the name: `creat_parsr` matches `createFileParser`. */
function byParts(asked: AskedName, parts: readonly string[], length: number): number {
  let sum = 0;
  for (const part of asked.parts) {
    const best = Math.max(0, ...parts.map((other) => partLikeness(part, other)));
    if (best < LEAST_LIKENESS) return 0;
    sum += best * part.length;
  }
  const covered = Math.min(1, asked.bare.length / length);
  return (0.4 + 0.15 * covered) * (sum / asked.bare.length);
}

function partLikeness(asked: string, part: string): number {
  if (asked === part) return 1;
  if (asked.length >= 2 && part.startsWith(asked)) return 0.9;
  const bound = typosIn(asked);
  if (bound === 0 || Math.abs(asked.length - part.length) > bound) return 0;
  const distance = editDistance(asked, part, bound);
  return distance > bound ? 0 : 1 - distance / Math.max(asked.length, part.length);
}

function bySubsequence(asked: string, name: string, share: number): number {
  if (asked.length < LEAST_SUBSEQUENCE || asked[0] !== name[0]) return 0;
  let next = 0;
  for (let index = 0; index < name.length && next < asked.length; index++) if (name[index] === asked[next]) next += 1;
  return next === asked.length ? 0.1 + 0.3 * share : 0;
}

function bitsIn(value: number): number {
  let bits = 0;
  for (let rest = value; rest !== 0; rest &= rest - 1) bits += 1;
  return bits;
}

/**
 * Counts insertions, deletions, replacements and swaps of neighbours; a result above the bound is only known to be too
 * large.
 */
export function editDistance(from: string, to: string, bound: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
      current.push(distance);
      least = Math.min(least, distance);
    }
    if (least > bound) return bound + 1;
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
