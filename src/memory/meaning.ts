/**
 * Decides whether an edit keeps the meaning.
 *
 * Better wording revises a memory in place. A changed number, name or negation, or mostly new words, change the
 * meaning: then the old memory is closed and kept as history.
 */
import { negations } from "../text/english.ts";
import { titled } from "../text/short-text.ts";
import { fold, isStopWord, jaccard, stem, words } from "../text/words.ts";
import type { Item } from "./item.ts";

const SAME_WORDS_LEAST = 0.6;
const CAPITAL_INSIDE_SENTENCE = /(?<=[^\s.!?:]\s+["'(`]?)\p{Lu}/uy;
const CAPITAL_INSIDE_WORD = /\p{Ll}\p{Lu}/u;

export function replacesMeaning(before: string, after: string): boolean {
  if (before.trim() === after.trim()) return false;
  return (
    jaccard(before, after) < SAME_WORDS_LEAST ||
    listed(numbers(before)) !== listed(numbers(after)) ||
    negations(before) !== negations(after) ||
    (hasOwnName(before, after) && hasOwnName(after, before))
  );
}

/** A negation on one side only, or a number or name in the place of another. */
export const differInValue = (one: string, two: string): boolean =>
  negations(one) !== negations(two) ||
  (hasOwnNumber(one, two) && hasOwnNumber(two, one)) ||
  (hasOwnName(one, two) && hasOwnName(two, one));

/** Whether two memories say different things, however many words they share: nobody merges them into one. */
export const sayDifferentThings = (one: Said, two: Said): boolean => {
  const [first, second] = [titled(one.title, one.content), titled(two.title, two.content)];
  const isOtherCompound = hasOwnCompound(first, second) && hasOwnCompound(second, first);
  return isOtherCompound || differInValue(first, second) || differInOneWord(first, second);
};

type Said = Pick<Item, "title" | "content">;

/** Where one word stands in the place of another, which is seldom only another word for the same. */
function differInOneWord(one: string, two: string): boolean {
  const [first, second] = [byStem(one), byStem(two)];
  const [own, other] = [onlyIn(first, second), onlyIn(second, first)];
  if (own.length !== 1 || other.length !== 1) return false;
  return !(isStopWord(own[0]!) && isStopWord(other[0]!));
}

const byStem = (text: string): Map<string, string> =>
  new Map(words(text).map((word) => [stem(fold(word)), fold(word)]));

const onlyIn = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] =>
  [...one].flatMap(([root, word]) => (other.has(root) ? [] : [word]));

/** "opt-in" and "opt-out" are two words, though the parts of one may stand elsewhere in the other text. */
function hasOwnCompound(text: string, other: string): boolean {
  const known = new Set(compounds(other));
  return compounds(text).some((compound) => !known.has(compound));
}

const compounds = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu)?.map(fold) ?? [];

function hasOwnNumber(text: string, other: string): boolean {
  const known = new Set(numbers(other));
  return numbers(text).some((number) => !known.has(number));
}

/** Whether the text has a name that the other lacks; if both do, one name replaced another. */
function hasOwnName(text: string, other: string): boolean {
  const known = new Set(words(other).map(fold));
  return names(text).some((name) => !known.has(fold(name)));
}

/**
 * Words capitalised within a sentence, or with a capital inside. Checked word by word: a single pattern would be
 * quadratic.
 */
export function names(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].flatMap(({ 0: word, index }) => {
    CAPITAL_INSIDE_SENTENCE.lastIndex = index;
    if (CAPITAL_INSIDE_SENTENCE.test(text)) return [word];
    const letters = [...word.matchAll(/\p{L}+/gu)].find(([run]) => CAPITAL_INSIDE_WORD.test(run));
    return letters ? [word.slice(letters.index)] : [];
  });
}

const listed = (found: readonly string[]): string => found.toSorted().join(" ");

export function numbers(text: string): string[] {
  return text.match(/\d+(?:[.,:]\d+)*/g) ?? [];
}
