/**
 * Repeats: passages of documents that nearly say the same are shown once.
 *
 * The one from the file that changed last stays, in the place of the best of them. Of files that changed at the same
 * time, as after a checkout, the best stays.
 */
import { cosine } from "./quantise.ts";

/** At this cosine two passages differ in a few words at most. */
export const SAME_PASSAGE_COSINE = 0.95;

export interface ComparedPassage {
  /** Null if it has none yet; then only equal text counts. */
  vector: Float32Array | null;
  text: string;
}

/** Groups of entries that nearly repeat the first of their group, in order. */
export function repeatGroups<Entry extends ComparedPassage>(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const groups: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const group = groups.find(([first]) => isRepeat(first, entry));
    if (group) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

export function isRepeat(one: ComparedPassage, two: ComparedPassage): boolean {
  if (one.vector && two.vector) return cosine(one.vector, two.vector) >= SAME_PASSAGE_COSINE;
  return plain(one.text) === plain(two.text);
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();

interface Placed {
  score: number;
  match: number;
}

/** The entry of the group that was changed last, in the place of the first. */
export function latestOf<Entry extends Placed>(
  [first, ...others]: readonly [Entry, ...Entry[]],
  changedAt: (entry: Entry) => number,
): Entry {
  const latest = others.reduce((best, other) => (changedAt(other) > changedAt(best) ? other : best), first);
  return { ...latest, score: first.score, match: first.match };
}
