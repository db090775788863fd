/**
 * Shortlist: which of many passages are worth a close look.
 *
 * Scoring a passage costs ten times what listing it under its words does. So passages are
 * first sorted into groups that hold the same words, and the groups with the most telling
 * words are chosen. A group stays together: inside it only a close look can tell.
 */
import { inverseFrequency } from "./relevance.ts";

/** So many are enough: what ranks among the first fifty is nearly always among them. */
const ENOUGH_PASSAGES = 500;
const ENOUGH_PER_WANTED = 2;
/** A group that would make it more than this is left out, if there are some better ones. */
const MOST_PASSAGES = 2_000;
const SOME_PASSAGES = 100;

export interface Shortlist {
  passages: number[];
  /** Nothing was left out. */
  isWhole: boolean;
}

interface Group {
  /** How telling its words are. */
  worth: number;
  passages: number;
  isChosen: boolean;
}

/** `lists` has the passages of each word, `total` counts all passages there are, `wanted` those that will be taken. */
export function shortlist(lists: readonly (readonly number[])[], total: number, wanted: number): Shortlist {
  const last = lists.reduce((largest, list) => list.reduce((a, b) => Math.max(a, b), largest), 0);
  /** The group of each passage; the first one holds no word. */
  const groupOf = new Uint32Array(last + 1);
  const groups: Group[] = [{ worth: 0, passages: 0, isChosen: false }];
  for (const list of lists) addWord(list, inverseFrequency(list.length, total), groupOf, groups);
  const isWhole = choose(groups.slice(1), wanted);
  const passages: number[] = [];
  for (const list of lists) {
    for (const passage of list) {
      if (groups[groupOf[passage]!]!.isChosen) passages.push(passage);
      // It may stand in other lists too.
      groupOf[passage] = 0;
    }
  }
  return { passages, isWhole };
}

/** Moves each passage of a word from its group to the one that holds this word besides. */
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

/** Marks the best groups. Those of equal worth stand or fall together. Answers whether all were chosen. */
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
