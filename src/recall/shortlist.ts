/**
 * Chooses which of many passages are worth scoring.
 *
 * Scoring a passage costs ten times as much as reading it from the word lists. So passages are
 * first grouped by the words they contain, and the groups with the most informative words are
 * chosen. A group is never split, because only scoring can order its passages.
 */
import { inverseFrequency } from "./coverage.ts";

/** Enough: the best fifty are nearly always among this many. */
const ENOUGH_PASSAGES = 500;
const ENOUGH_PER_WANTED = 2;
/** A group that would exceed this is left out, if there are enough better ones. */
const MOST_PASSAGES = 2_000;
const SOME_PASSAGES = 100;

interface Shortlist {
  passages: number[];
  /** Whether nothing was left out. */
  isWhole: boolean;
}

interface Group {
  /** How informative its words are. */
  worth: number;
  passages: number;
  isChosen: boolean;
}

/** `lists` has the passages of each word, `total` is the number of all passages, `wanted` the number to be used. */
export function shortlist(lists: readonly (readonly number[])[], total: number, wanted: number): Shortlist {
  const last = lists.reduce((largest, list) => list.reduce((a, b) => Math.max(a, b), largest), 0);
  /** The group of each passage; the first group has no words. */
  const groupOf = new Uint32Array(last + 1);
  const groups: Group[] = [{ worth: 0, passages: 0, isChosen: false }];
  for (const list of lists) addWord(list, inverseFrequency(list.length, total), groupOf, groups);
  const isWhole = choose(groups.slice(1), wanted);
  const passages: number[] = [];
  for (const list of lists) {
    for (const passage of list) {
      if (groups[groupOf[passage]!]!.isChosen) passages.push(passage);
      // It may appear in other lists too.
      groupOf[passage] = 0;
    }
  }
  return { passages, isWhole };
}

/** Moves each passage of a word from its group to the group that has this word in addition. */
function addWord(list: readonly number[], worth: number, groupOf: Uint32Array, groups: Group[]): void {
  const next = new Uint32Array(groups.length);
  for (const passage of list) {
    const from = groupOf[passage]!;
    if (next[from] === 0) {
      next[from] = groups.push({ worth: groups[from]!.worth + worth, passages: 0, isChosen: false }) - 1;
    }
    groupOf[passage] = next[from]!;
    groups[from]!.passages -= 1;
    groups[next[from]!]!.passages += 1;
  }
}

/** Marks the best groups; those of equal worth are chosen together or not at all. Returns whether all were chosen. */
function choose(groups: readonly Group[], wanted: number): boolean {
  const byWorth = Map.groupBy(
    groups.filter(({ passages }) => passages > 0),
    ({ worth }) => worth,
  );
  let chosen = 0;
  for (const [, equals] of [...byWorth].sort(([left], [right]) => right - left)) {
    const count = equals.reduce((sum, { passages }) => sum + passages, 0);
    const isTooMany = chosen >= Math.max(SOME_PASSAGES, wanted) && chosen + count > MOST_PASSAGES;
    if (chosen >= Math.max(ENOUGH_PASSAGES, ENOUGH_PER_WANTED * wanted) || isTooMany) return false;
    for (const group of equals) group.isChosen = true;
    chosen += count;
  }
  return true;
}
