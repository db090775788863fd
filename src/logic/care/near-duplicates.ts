/**
 * Near-duplicates: how alike two memories must be to be worth merging, and how they differ.
 *
 * The view is made of the texts' own words, in their order. Stop words are left out, but not negations, which turn the
 * meaning round.
 */
import { cutLine } from "../../model/text/cut.ts";
import { maySayTheSame } from "../graph/likeness.ts";
import { COMPARED_CHARACTERS } from "../memory/compared-text.ts";
import { negations } from "../text/english.ts";
import { stem } from "../text/stem.ts";
import { cjkBigrams, fold, isStopWord, sharedPart, stems, words } from "../text/words.ts";

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

export interface Alike<Entry> {
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

export function differenceOf(first: string, second: string): Difference {
  const [one, two] = [shownWords(first), shownWords(second)];
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
function shownWords(text: string): ShownWord[] {
  const found = new Map<string, ShownWord>();
  for (const word of words(text.slice(0, COMPARED_CHARACTERS))) {
    if (isStopWord(word) && negations(word) === 0) continue;
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
