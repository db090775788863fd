/**
 * Nearness: how probably two texts are about the same thing, in any language.
 *
 * It says nothing about whether one contradicts the other or repeats it; that is said only of texts that are equal but
 * for one number, one opposite or one negation, or in nothing but articles and case. Whoever reads both judges the rest.
 */
import type { NearKind } from "../../model/memory/near.ts";
import { ARTICLES, OPPOSITE_VERBS, isNegation } from "../text/english.ts";
import { stem } from "../text/stem.ts";
import { fold } from "../text/words.ts";

export interface Likeness {
  /** How well the wordpieces of each are covered by the other; the mean of both. */
  covered: number;
  /** Null without vectors. */
  cosine: number | null;
}

/** Fitted on half of the labelled pairs, so that the other half keeps its partners (`npm run bench:near`). */
const WITH_VECTOR = { bias: -6.2, covered: 3.1, cosine: 11.8 };
const BY_WORDS = { bias: -3.7, covered: 11.1 };

/** From here on two are near. */
export const NEAR_LEAST = 0.5;
export const NEAR_MOST = 3;
/** From here on a new decision replaces the older one unless a person says otherwise. */
export const REPLACED_LEAST = 0.75;
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

/** The first words say what a statement is about: another number there is another thing. */
const SUBJECT_WORDS = 2;
const FRAME_WORDS = 3;

/** What the new text does to the older one, where nothing else is possible. */
export function sureKind(older: string, newer: string): NearKind | null {
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
  const isDenied = denied.length === plain.length + 1 && denied.some((word, at) => isNegation(word) && same(denied.toSpliced(at, 1), plain)); // prettier-ignore
  return isDenied ? "contradicts" : null;
}

const same = (one: readonly string[], two: readonly string[]): boolean => one.every((word, at) => word === two[at]);

function exclude(one: string, two: string, at: number): boolean {
  const isNumber = /\d/.test(one) && withoutNumbers(one) === withoutNumbers(two);
  if (isNumber) return at >= SUBJECT_WORDS;
  return OPPOSITE_VERBS.some(([left, right]) => (left.test(one) && right.test(two)) || (right.test(one) && left.test(two))); // prettier-ignore
}

const SHORTENED: Readonly<Record<string, string>> = { ca: "can", sha: "shall", wo: "will" };

/** The words in their order, without articles; contractions become two. */
const spoken = (text: string): string[] =>
  fold(text)
    .replaceAll("’", "'")
    .replace(/\bcannot\b/g, "can not")
    .replace(/\b([a-z]{2,6})n't\b/g, (_, word: string) => `${SHORTENED[word] ?? word} not`)
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}$€£~/.-]+|[^\p{L}\p{N}%+#)]+$/gu, ""))
    .filter((word) => word !== "" && !ARTICLES.has(word))
    .map((word) =>
      /^[a-z]+$/.test(word) && !OPPOSITE_VERBS.flat().some((form) => form.test(word)) ? stem(word) : word,
    );

const FIRST_WORDS = 3;

/**
 * Whether two texts are members of a series: equal but for their numbers, of which one of the first words has its own.
 * "Service 7 listens on port 8007" and "Service 8 listens on port 8008" are about two services.
 */
export function isOfSeries(one: string, other: string): boolean {
  const [left, right] = [one.split(/\s+/), other.split(/\s+/)];
  if (left.length !== right.length) return false;
  const differing = left.flatMap((word, at) => (word === right[at] ? [] : [at]));
  const isNumber = (at: number) => /\d/.test(left[at]!) && withoutNumbers(left[at]!) === withoutNumbers(right[at]!);
  return differing.length >= 2 && differing[0]! < FIRST_WORDS && differing.every(isNumber);
}

const withoutNumbers = (word: string): string => word.replace(/[\d.:/-]*\d/g, "#");

/** A statement stands at the beginning; the rest gives reasons and details. */
const COMPARED_CHARACTERS = 600;
export const openingOf = (text: string): string => text.trim().slice(0, COMPARED_CHARACTERS).toWellFormed();
