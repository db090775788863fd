/**
 * Chooses what a stretch of work teaches.
 *
 * Each step takes the window with the best product of how likely it is worth keeping and how much of it is not told
 * yet, so that twelve memories tell twelve things. No sentence is told twice.
 */
import { STRETCH_MEMORIES, type Captured } from "../../../model/capture/stretch.ts";
import { stem } from "../../text/stem.ts";
import { fold, identifierParts, isStopWord, tellingStems, words } from "../../text/words.ts";
import { described, isDecided, isFix, isRelayedOrder, isStated } from "./describe.ts";
import { featuresOf, surroundingsOf } from "./features.ts";
import { statement, underTitle } from "./join-sentences.ts";
import { likelihood } from "./likelihood.ts";
import { type Candidate, isBefore, merged } from "./merge.ts";
import type { Notes } from "./notes.ts";
import type { Passage } from "./passage.ts";
import { overturningUnits, statementOf } from "./overturned.ts";
import { settles, tellsOldCode } from "./settled.ts";
import { namesIn } from "./sentences/deeds.ts";
import { lacksTarget } from "./sentences/stand-alone.ts";
import { windowsOf, type Window } from "./windows.ts";
import { part, takesBack } from "./withdrawn.ts";

/** Below this, a memory is more likely useless than not. */
const LEAST_LIKELY = 0.32;
/** A prompt asks for work, which the rest of the session tells; only what it lays down is kept. */
const LEAST_LIKELY_PROMPT = 0.7;
/** A plan is carried out, or given up. */
const LEAST_LIKELY_PLAN = 0.5;
/** What the person laid down is worth keeping, whatever the words around it. */
const STATED = 0.85;
/** Comes first, because it is short and would lose against longer windows. */
const MOST_STATED = 4;
/** An error and what helped against it. */
const FIXED = 0.6;
/** A decision that an agent reports, as a proposal for the person. */
const DECIDED = 0.5;
/** What overturns an earlier memory must be kept, or that one would stay. */
const OVERTURNING = 0.6;
/** The subject of a commit sums up the work. */
const COMMITTED = 0.5;
/** Of its words; more of them in one other memory, and it says the same in other words. */
const REPEATED = 0.8;
/** The same if the names of code are the same too. */
const REPEATED_NAMES = 0.55;
const SAME_NAMES = 0.8;
const LEAST_NAMES = 2;
/** The same for a remark on the way that a later report tells. */
const REPORTED = 0.65;
/** The same once all are chosen, and for a memory of an earlier stretch: whatever else it adds, a reader sees one thing told twice. */
const RETOLD = 0.55;
/** The same for all earlier memories together: a session comes back to what it found. */
const ALL_TOLD_BEFORE = 0.9;
/** How much a word still counts each time it was told. */
const TOLD = 0.5;

/** `told`: memories of earlier stretches of the session. */
export function chosen(notes: Notes, told: readonly string[] = []): Captured[] {
  const around = surroundingsOf(notes.passages);
  const statements = told.map((text) => statementOf(text));
  const overturning = overturningUnits(notes.passages, statements);
  const windows = windowsOf(notes.passages, statements).filter((window) => !isRelayedOrder(window));
  const candidates = windows.map((window): Candidate => {
    const stems = tellingStems(window.text);
    const own = likelihood(featuresOf(window, stems, around));
    const corrects = window.placed.some(({ unit }) => overturning.has(unit));
    const least = Math.max(leastOf(window), corrects ? OVERTURNING : 0);
    return { window, stems: plainStems(window.text), likelihood: Math.max(own, least), corrects };
  });
  return picked(candidates, told).map(({ window }) =>
    described({ ...window, text: underTitle(window.text, window.placed[0]!) }, notes.files),
  );
}

function leastOf(window: Window): number {
  if (isStated(window)) return STATED;
  if (isFix(window)) return FIXED;
  if (isDecided(window)) return DECIDED;
  const { passage, position } = window.placed[0]!;
  return passage.place === "commit" && position === 0 ? COMMITTED : 0;
}

function leastLikely({ placed }: Window): number {
  const { place } = placed[0]!.passage;
  if (place === "plan") return LEAST_LIKELY_PLAN;
  return place === "prompt" ? LEAST_LIKELY_PROMPT : LEAST_LIKELY;
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
    window.placed.some((one) => told.some((text) => text.includes(statement(one, true))));
  const allTold = new Set(toldStems.flatMap((stems) => [...stems]));
  // What tells an earlier memory more fully replaces it.
  const refines = ({ stems }: Candidate, earlier: ReadonlySet<string>) => part(earlier, stems) >= REPEATED;
  const wasTold = (one: Candidate) =>
    isTold(one) ||
    // The message of a commit sums up what was told before.
    (one.window.placed[0]!.passage.place !== "commit" && repeats(one, allTold, ALL_TOLD_BEFORE)) ||
    toldStems.some((earlier) => repeats(one, earlier, refines(one, earlier) ? REPEATED : RETOLD));
  let rest = candidates.filter((one) => one.likelihood >= leastLikely(one.window) && !wasTold(one));
  while (taken.length < STRETCH_MEMORIES && rest.length > 0) {
    const stated = taken.length < MOST_STATED ? rest.filter(({ window }) => isStated(window)) : [];
    const best = bestOf(stated.length > 0 ? stated : rest, news);
    taken.push(best);
    tell(best.stems);
    const used = new Set(best.window.placed.map(({ unit }) => bare(unit.text)));
    rest = rest.filter(
      (one) =>
        !one.window.placed.some(({ unit }) => used.has(bare(unit.text))) &&
        !repeats(one, best.stems, mostRepeated(one, best)) &&
        !isToldFully(one, best),
    );
  }
  return distinct(
    merged(taken.filter((one) => !taken.some((other) => isSettledBy(other, one) || isToldFully(one, other)))),
  );
}

/** Decided at the end: a window that repeats the best one may be the only one to tell the rest, until others have. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const one of candidates) if (!kept.some(({ stems }) => repeats(one, stems, RETOLD))) kept.push(one);
  return kept;
}

/** Whether so many of its words were told; what lays something down or corrects is always news. */
const repeats = ({ window, stems, corrects }: Candidate, earlier: ReadonlySet<string>, most: number): boolean =>
  !isStated(window) && !corrects && !takesBack(window.text) && part(stems, earlier) >= most;

/** Whether it lacks what it is about ("The key fix was adding `round`"), and another with its names says it. */
function isToldFully(one: Candidate, other: Candidate): boolean {
  if (one === other || isStated(one.window) || one.corrects || !lacksTarget(one.window.text)) return false;
  const names = namesIn(one.window.text);
  const others = namesIn(other.window.text);
  return names.size > 0 && others.size > names.size && part(names, others) === 1;
}

/** What was open is settled by the end: the stretch tells how it came out. Within a message only old code is, because a limit stays beside its remedy. */
function isSettledBy(later: Candidate, earlier: Candidate): boolean {
  const [from, to] = [earlier, later].map(({ window }) => window.placed[0]!.passage) as [Passage, Passage];
  const isFixed = isStated(earlier.window) || earlier.corrects || from.place === "commit";
  if (isFixed || !isBefore(earlier.window, later.window)) return false;
  return (from !== to || tellsOldCode(earlier.window.text)) && settles(later.window.text, earlier.window.text);
}

function mostRepeated(one: Candidate, best: Candidate): number {
  if (sharesNames(one, best)) return REPEATED_NAMES;
  const [from, to] = [one, best].map(({ window }) => window.placed[0]!.passage) as [Passage, Passage];
  return from.place === "middle" && to.place !== "middle" && to.line > from.line ? REPORTED : REPEATED;
}

/** Whether nearly all names of code in one are in the other. */
function sharesNames(one: Candidate, other: Candidate): boolean {
  const names = namesIn(one.window.text);
  return names.size >= LEAST_NAMES && part(names, namesIn(other.window.text)) >= SAME_NAMES;
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
    const value = candidate.likelihood * untold;
    if (value > bestValue) [best, bestValue] = [candidate, value];
  }
  return best;
}
