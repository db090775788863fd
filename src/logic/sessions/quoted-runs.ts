/**
 * Tells an agent's own sentences from those that it read out: most five-word runs of a quotation occur in what its
 * tools printed, or in what was pasted.
 */
import { fold, words } from "../text/words.ts";

const RUN_WORDS = 5;
const QUOTED_SHARE = 1 / 3;

/** Hashes of the five-word runs of some texts. Made once for a session. */
export function runsOf(texts: Iterable<string>): ReadonlySet<number> {
  const runs = new Set<number>();
  for (const text of texts) for (const run of hashedRuns(text)) runs.add(run);
  return runs;
}

/** A sentence of fewer words is never a quotation. */
export function isQuotedFrom(runs: ReadonlySet<number>, sentence: string): boolean {
  const own = hashedRuns(sentence);
  const known = own.filter((run) => runs.has(run)).length;
  return known > 0 && known >= own.length * QUOTED_SHARE;
}

function hashedRuns(text: string): number[] {
  const hashes = words(text).map((word) => hashed(fold(word)));
  const runs: number[] = [];
  for (let start = 0; start + RUN_WORDS <= hashes.length; start += 1) {
    let run = 0;
    for (let index = start; index < start + RUN_WORDS; index += 1)
      run = (Math.imul(run, 0x01000193) ^ hashes[index]!) | 0;
    runs.push(run);
  }
  return runs;
}

/** FNV-1a. */
function hashed(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash;
}
