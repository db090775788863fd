/**
 * Chooses what a stretch of work teaches.
 *
 * Each step takes the window with the best product of how likely it is worth keeping and how much of it is not told
 * yet, so that twelve memories tell twelve things. No sentence is told twice.
 */
import { STRETCH_MEMORIES, type Captured } from "../../../model/capture/stretch.ts";
import { stem } from "../../text/stem.ts";
import { fold, identifierParts, isStopWord, tellingStems, words } from "../../text/words.ts";
import { described, isFix, isStated } from "./describe.ts";
import { CUES } from "./cues.ts";
import { featuresOf, surroundingsOf } from "./features.ts";
import { likelihood } from "./likelihood.ts";
import type { Notes } from "./notes.ts";
import { windowsOf, type Window } from "./windows.ts";
import { part, takesBack } from "./withdrawn.ts";

interface Candidate {
  window: Window;
  stems: ReadonlySet<string>;
  likelihood: number;
}

/** Below this, a memory is more likely useless than not. */
const LEAST_LIKELY = 0.36;
const LEAST_EXPLAINED = 0.45;
const LEAST_REMARK = 0.5;
/** What the person laid down is worth keeping, whatever the words around it. */
const STATED = 0.85;
/** Comes first, because it is short and would lose against longer windows. */
const MOST_STATED = 4;
/** An error and what helped against it. */
const FIXED = 0.6;
/** The subject of a commit sums up the work. */
const COMMITTED = 0.5;
/** Prefers what is likely worth keeping to what is new. */
const CAUTION = 2;
/** Of its words; more of them in one other memory, and it says the same in other words. */
const REPEATED = 0.8;
/** How much a word still counts each time it was told. */
const TOLD = 0.6;

/** `told`: memories of earlier stretches of the session. */
export function chosen(notes: Notes, told: readonly string[] = []): Captured[] {
  const around = surroundingsOf(notes.passages);
  const candidates = windowsOf(notes.passages).map((window): Candidate => {
    const stems = tellingStems(window.text);
    const own = likelihood(featuresOf(window, stems, around));
    return { window, stems: plainStems(window.text), likelihood: Math.max(own, leastOf(window)) };
  });
  return picked(candidates, told).map(({ window }) => described(window, notes.files));
}

function leastOf(window: Window): number {
  if (isStated(window)) return STATED;
  if (isFix(window)) return FIXED;
  const { passage, position } = window.placed[0]!;
  return passage.place === "commit" && position === 0 ? COMMITTED : 0;
}

/** A remark between two calls has to promise more, unless it explains: most of them are about the next call. */
function leastLikely({ text, placed }: Window): number {
  if (placed[0]!.passage.place !== "middle") return LEAST_LIKELY;
  return [CUES.cause, CUES.fix, CUES.because, CUES.choice].some((cue) => cue.test(text))
    ? LEAST_EXPLAINED
    : LEAST_REMARK;
}

function picked(candidates: readonly Candidate[], told: readonly string[]): Candidate[] {
  const news = new Map<string, number>();
  const tell = (stems: Iterable<string>) => {
    for (const word of stems) news.set(word, (news.get(word) ?? 1) * TOLD);
  };
  const toldStems = told.map(plainStems);
  toldStems.forEach(tell);
  const taken: Candidate[] = [];
  const isTold = ({ window }: Candidate) =>
    window.placed.some(({ unit }) => told.some((text) => text.includes(unit.text)));
  const repeats = ({ window, stems }: Candidate, earlier: ReadonlySet<string>) =>
    !isStated(window) && !takesBack(window.text) && part(stems, earlier) >= REPEATED;
  let rest = candidates.filter(
    (one) =>
      one.likelihood >= leastLikely(one.window) && !isTold(one) && !toldStems.some((earlier) => repeats(one, earlier)),
  );
  while (taken.length < STRETCH_MEMORIES && rest.length > 0) {
    const stated = taken.length < MOST_STATED ? rest.filter(({ window }) => isStated(window)) : [];
    const best = bestOf(stated.length > 0 ? stated : rest, news);
    taken.push(best);
    tell(best.stems);
    const used = new Set(best.window.placed.map(({ unit }) => bare(unit.text)));
    rest = rest.filter(
      (one) => !one.window.placed.some(({ unit }) => used.has(bare(unit.text))) && !repeats(one, best.stems),
    );
  }
  return taken;
}

/** A sentence that is said again as a list item is the same. */
const bare = (text: string): string => text.replace(/[.!;:]+$/, "");

/** An identifier counts by its parts alone; counted as a whole too, a list of names would be the best news. */
function plainStems(text: string): Set<string> {
  const parts = words(text).flatMap((word) => {
    const own = identifierParts(word);
    return own.length > 0 ? own : [fold(word)];
  });
  return new Set(parts.filter((part) => part.length > 1 && !isStopWord(part)).map(stem));
}

/** `news`: what words still count that were told; others count in full. */
function bestOf(candidates: readonly Candidate[], news: ReadonlyMap<string, number>): Candidate {
  let best = candidates[0]!;
  let bestValue = -Infinity;
  for (const candidate of candidates) {
    let untold = 0;
    for (const word of candidate.stems) untold += news.get(word) ?? 1;
    const value = candidate.likelihood ** CAUTION * untold;
    if (value > bestValue) [best, bestValue] = [candidate, value];
  }
  return best;
}
