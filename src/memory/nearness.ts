/**
 * Nearness: how probably two texts are about the same thing, in any language.
 *
 * It says nothing about whether one contradicts the other or repeats it; that is said only of texts that are equal but
 * for one opposite or one negation, or in nothing but articles and case. Whoever reads both judges the rest.
 */
import { COMPARED_CHARACTERS, maySayTheSame } from "../graph/likeness.ts";
import { ARTICLES, isNegation, negations, OPPOSITE_VERBS, uncontracted } from "../text/english.ts";
import { cutLine } from "../text/short-text.ts";
import { cjkBigrams, fold, isStopWord, sharedPart, stem, stems, words } from "../text/words.ts";
import type { NearKind } from "./near-pair.ts";

interface Likeness {
  /** How well the wordpieces of each are covered by the other; the mean of both. */
  covered: number;
  /** Null without vectors. */
  cosine: number | null;
}

/** Fitted on half of the labelled pairs, so that the other half keeps its partners (`npm run bench:near`). */
const WITH_VECTOR = { bias: -6.7, covered: 3.1, cosine: 11.8 };
const BY_WORDS = { bias: -3.7, covered: 11.1 };

/** From here on two are near. */
export const NEAR_LEAST = 0.5;
export const NEAR_MOST = 3;
/** An item whose odds are so many times worse than those of the nearest is only something similar. */
const ODDS_LESS = Math.exp(2);

/** From 0 to 1. */
export function nearness({ covered, cosine }: Likeness): number {
  const { bias, covered: share } = cosine === null ? BY_WORDS : WITH_VECTOR;
  return 1 / (1 + Math.exp(-(bias + share * covered + (cosine === null ? 0 : WITH_VECTOR.cosine * cosine))));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** With fewer, the words around them say more. */
const UNSPACED_LEAST = 4;

/**
 * Of scripts without spaces, of which the model knows little: which share of each text's characters the other has, the mean
 * of both; 0 for other scripts.
 */
export function sharedCharacters(one: string, two: string): number {
  const [left, right] = [one, two].map((text) => new Set(text.match(UNSPACED) ?? [])) as [Set<string>, Set<string>];
  if (Math.min(left.size, right.size) < UNSPACED_LEAST) return 0;
  const both = [...left].filter((character) => right.has(character)).length;
  return (both / left.size + both / right.size) / 2;
}

/** The nearest, as many as anybody reads. */
export function nearestOf<One extends { id: string; nearness: number }>(all: readonly One[]): One[] {
  const near = all
    .filter((one) => one.nearness >= NEAR_LEAST)
    .sort((one, two) => two.nearness - one.nearness || (one.id < two.id ? -1 : 1));
  const odds = (value: number) => value / Math.max(1e-9, 1 - value);
  const least = odds(near[0]?.nearness ?? 1) / ODDS_LESS;
  return near.filter((one) => odds(one.nearness) >= least).slice(0, NEAR_MOST);
}

const FRAME_WORDS = 3;

/** What the new text does to the older one, where nothing else is possible. */
export function sureKind(
  older: string,
  newer: string,
  exclude: (one: string, two: string, at: number) => boolean = areOpposite,
): NearKind | null {
  const [one, two] = [spoken(older), spoken(newer)];
  if (one.length === 0 || two.length === 0) return null;
  if (one.join(" ") === two.join(" ")) return "repeats";
  if (Math.min(one.length, two.length) < FRAME_WORDS) return null;
  if (one.length === two.length) {
    const differing = one.flatMap((word, at) => (word === two[at] ? [] : [at]));
    const [at] = differing;
    return differing.length === 1 && exclude(one[at!]!, two[at!]!, at!) ? "contradicts" : null;
  }
  const [plain, denied] = one.length < two.length ? [one, two] : [two, one];
  const isDenied =
    denied.length === plain.length + 1 &&
    denied.some((word, at) => isNegation(word) && same(denied.toSpliced(at, 1), plain));
  return isDenied ? "contradicts" : null;
}

const same = (one: readonly string[], two: readonly string[]): boolean => one.every((word, at) => word === two[at]);

const areOpposite = (one: string, two: string): boolean =>
  OPPOSITE_VERBS.some(([left, right]) => (left.test(one) && right.test(two)) || (right.test(one) && left.test(two)));

/** The first words say what a statement is about: another number there is another thing. */
const SUBJECT_WORDS = 2;

/**
 * Whether a text says otherwise than a decision or requirement, whose numbers are rules. Of any two texts another number is
 * not sure to contradict: it may be another value, but as well another issue, service or year.
 */
export const saysOtherwise = (rule: string, text: string): boolean =>
  sureKind(rule, text, (one, two, at) => areOpposite(one, two) || (at >= SUBJECT_WORDS && isOtherNumber(one, two))) ===
  "contradicts";

const isOtherNumber = (one: string, two: string): boolean =>
  /\d/.test(one) && withoutNumbers(one) === withoutNumbers(two);
const withoutNumbers = (word: string): string => word.replace(/[\d.:/-]*\d/g, "#");

/** The words in their order, without articles; contractions become two. */
const spoken = (text: string): string[] =>
  uncontracted(text)
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}$€£~/.-]+|[^\p{L}\p{N}%+#)]+$/gu, ""))
    .filter((word) => word !== "" && !ARTICLES.has(word))
    .map((word) =>
      /^[a-z]+$/.test(word) && !OPPOSITE_VERBS.flat().some((form) => form.test(word)) ? stem(word) : word,
    );

interface Word {
  /** As it is compared. */
  form: string;
  isName: boolean;
  tells: boolean;
}

const NAME = /\p{N}|\p{Ll}\p{Lu}|\p{Lu}{2}/u;
/** Shorter words say little in any language. */
const SUBJECT_CHARACTERS = 4;
/** Longer texts are compared by their beginnings. */
const PATTERN_WORDS = 80;

function wordsIn(text: string): Word[] {
  const bare = openingOf(text)
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  return bare
    .filter(Boolean)
    .slice(0, PATTERN_WORDS)
    .map((word, at): Word => {
      const isName = NAME.test(word) || (at > 0 && /^\p{Lu}/u.test(word));
      return { form: stem(fold(word)), isName, tells: isName || !isStopWord(word) };
    });
}

interface Pattern {
  /** How much two texts share in the same order. */
  share: number;
  /** Stretches of the first in whose place the other tells something else. */
  slots: Word[][];
  /** The first word that tells something. */
  first: Word | undefined;
}

function patternOf(left: readonly Word[], right: readonly Word[]): Pattern {
  const isSame = (row: number, column: number): boolean => left[row]?.form === right[column]?.form;
  // How many words the rests from here on have in common.
  const common = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  for (let row = left.length - 1; row >= 0; row -= 1)
    for (let column = right.length - 1; column >= 0; column -= 1)
      common[row]![column] = isSame(row, column)
        ? common[row + 1]![column + 1]! + 1
        : Math.max(common[row + 1]![column]!, common[row]![column + 1]!);
  const slots: Word[][] = [];
  let [own, others]: [Word[], Word[]] = [[], []];
  for (let row = 0, column = 0; row < left.length || column < right.length; ) {
    if (isSame(row, column)) {
      if (own.some(({ tells }) => tells) && others.some(({ tells }) => tells)) slots.push(own);
      [own, others, row, column] = [[], [], row + 1, column + 1];
    } else if (column === right.length || (row < left.length && common[row + 1]![column]! >= common[row]![column + 1]!))
      own.push(left[row++]!);
    else others.push(right[column++]!);
  }
  if (own.some(({ tells }) => tells) && others.some(({ tells }) => tells)) slots.push(own);
  const first = left.find(({ form, isName, tells }) => tells && (isName || form.length >= SUBJECT_CHARACTERS));
  return { share: common[0]![0]! / Math.max(1, left.length, right.length), slots, first };
}

const SAME_PATTERN_LEAST = 0.5;

/**
 * Whether two texts say the same of two things: made after one pattern, with another subject and another value. "The user
 * service uses port 4001" and "The order service uses port 4002" are about two services, "service 7" and "service 8" too.
 */
export function areOfTwoThings(one: string, other: string): boolean {
  const { share, slots, first } = patternOf(wordsIn(one), wordsIn(other));
  // What stands last is the value; a subject is what the text begins with, or a name.
  return (
    share >= SAME_PATTERN_LEAST &&
    slots
      .slice(0, -1)
      .flat()
      .some((word) => word === first || word.isName)
  );
}

/** Whether two subjects of decisions, such as "billing database" and "search database", are alike but not the same. */
export function areTwoSubjects(one: string, other: string): boolean {
  const { share, slots, first } = patternOf(wordsIn(one), wordsIn(other));
  return share >= SAME_PATTERN_LEAST && slots.flat().some((word) => word === first || word.isName);
}

const NAMED_PATTERN_LEAST = 0.4;

/** Whether a question names what one text says where the other, otherwise much like it, says something else. */
export function asksFor(question: string, one: string, other: string): boolean {
  const { share, slots } = patternOf(wordsIn(one), wordsIn(other));
  const asked = new Set(
    wordsIn(question)
      .filter(({ tells }) => tells)
      .map(({ form }) => form),
  );
  return share >= NAMED_PATTERN_LEAST && slots.flat().some(({ form, tells }) => tells && asked.has(form));
}

/** A statement stands at the beginning; the rest gives reasons and details. */
const NEAR_CHARACTERS = 600;
export const openingOf = (text: string): string => text.trim().slice(0, NEAR_CHARACTERS).toWellFormed();

/**
 * Near-duplicates: how alike two memories must be to be worth merging, and how they differ.
 *
 * The view is made of the texts' own words, in their order. Stop words are left out, but not negations, which turn the
 * meaning round.
 */
const SHOWN_CHARACTERS = 300;

/**
 * The words by which every near-duplicate of a memory is found, as long as the search is made from both: two that share
 * more than half of all their words share more than two thirds of those of the shorter one, so one of any third of its
 * words and one more is in both. `rarestFirst` are its terms; those with the same stem are one word.
 */
export function soughtTerms(rarestFirst: readonly string[], words: ReadonlySet<string>): string[] {
  const byStem = new Map<string, string>();
  for (const term of rarestFirst) if (!byStem.has(stem(term))) byStem.set(stem(term), term);
  return [...byStem.values()].slice(0, Math.floor(words.size / 3) + 1);
}

interface Alike<Entry> {
  entry: Entry;
  /** From 0 to 1. */
  likeness: number;
}

/** Those that probably say the same, most alike first. */
export function nearDuplicates<Entry extends { id: string; words: ReadonlySet<string> }>(
  memory: Entry,
  candidates: readonly Entry[],
): Alike<Entry>[] {
  return candidates
    .filter(({ id }) => id !== memory.id)
    .map((entry) => ({ entry, likeness: sharedPart(memory.words, entry.words) }))
    .filter(({ likeness }) => maySayTheSame(likeness))
    .sort((one, two) => two.likeness - one.likeness || (one.entry.id < two.entry.id ? -1 : 1));
}

export interface Difference {
  /** Words that only the first text has. */
  onlyFirst: string;
  onlySecond: string;
  /** Words that both have, as the first spells them. */
  both: string;
}

/** Where nothing else differs, small words do: on and off, opt-in and opt-out. */
export function differenceOf(first: string, second: string): Difference {
  const telling = differenceIn(first, second, (word) => !isStopWord(word) || negations(word) > 0);
  if (telling.onlyFirst !== "" || telling.onlySecond !== "") return telling;
  return { ...differenceIn(first, second, () => true), both: telling.both };
}

function differenceIn(first: string, second: string, isWanted: (word: string) => boolean): Difference {
  const [one, two] = [shownWords(first, isWanted), shownWords(second, isWanted)];
  const isIn = (text: string) => {
    const known = stems(text);
    return ({ roots }: ShownWord) => roots.every((root) => known.has(root));
  };
  const [inFirst, inSecond] = [isIn(first), isIn(second)];
  return {
    onlyFirst: joined(one.filter((word) => !inSecond(word))),
    onlySecond: joined(two.filter((word) => !inFirst(word))),
    both: joined(one.filter(inSecond)),
  };
}

interface ShownWord {
  word: string;
  /** What it is compared by: its stem, or its bigrams in a script without spaces. */
  roots: readonly string[];
}

/** Each once. */
function shownWords(text: string, isWanted: (word: string) => boolean): ShownWord[] {
  const found = new Map<string, ShownWord>();
  for (const word of words(text.slice(0, COMPARED_CHARACTERS))) {
    if (!isWanted(word)) continue;
    const bigrams = cjkBigrams(word);
    const roots = bigrams.length > 0 ? bigrams : [stem(fold(word))];
    const key = roots.join(" ");
    if (!found.has(key)) found.set(key, { word, roots });
  }
  return [...found.values()];
}

const joined = (shown: readonly ShownWord[]): string =>
  cutLine(shown.map(({ word }) => word).join(" "), SHOWN_CHARACTERS);

/** After this many extractions, or above this many active memories, duplicates are likely. */
const EXTRACTIONS_ENOUGH = 10;
const ACTIVE_ENOUGH = 80;

/** Why it is time to look for duplicates, or null. `extractions`: since memories were last merged. */
export function reasonToConsolidate(counts: { extractions: number; active: number }): string | null {
  if (counts.extractions >= EXTRACTIONS_ENOUGH) return `${counts.extractions} extractions since the last merger`;
  return counts.active > ACTIVE_ENOUGH ? `${counts.active} active memories` : null;
}
