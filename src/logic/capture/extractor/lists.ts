/** Keeps the items of a list together: a memory that begins or ends within one reads like a fragment. */
import { CAPTURED_CHARACTERS } from "../../../model/capture/stretch.ts";
import { joined, type Placed } from "./join-sentences.ts";

type Run = readonly Placed[];

const fits = (run: Run, first: number, last: number): boolean =>
  joined(run.slice(first, last + 1)).length <= CAPTURED_CHARACTERS;

/** Whether the sentences from the first to the last leave out items of a list for which there is room. */
export function cutsList(run: Run, first: number, last: number): boolean {
  const startsWithin = isSameList(run[first - 1], run[first]);
  if (startsWithin && fits(run, first - 1, last) && startOfPart(run, first) !== first) return true;
  return isSameList(run[last], run[last + 1]) && fits(run, first, last + 1);
}

/** A list that is too long for one memory is cut where the next item has no room. */
function startOfPart(run: Run, index: number): number {
  let start = index;
  while (isSameList(run[start - 1], run[start])) start -= 1;
  for (let next = start + 1; next <= index; next += 1) if (!fits(run, start, next)) start = next;
  return start;
}

const isSameList = (one: Placed | undefined, other: Placed | undefined): boolean =>
  one !== undefined &&
  one.passage === other?.passage &&
  one.unit.isItem &&
  other.unit.isItem &&
  one.unit.heading === other.unit.heading;
