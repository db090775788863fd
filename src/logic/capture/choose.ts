/**
 * Chooses what a stretch of work teaches.
 *
 * Each step takes the window with the best product of how likely it is worth keeping and how much of it is not told
 * yet, so that twelve memories tell twelve things. No sentence is told twice.
 */
import { STRETCH_MEMORIES, type Captured } from "../../model/capture/stretch.ts";
import { tellingStems } from "../text/words.ts";
import { described, isStated } from "./describe.ts";
import { featuresOf, surroundingsOf } from "./features.ts";
import { likelihood } from "./likelihood.ts";
import type { Notes } from "./notes.ts";
import { windowsOf, type Window } from "./windows.ts";

interface Candidate {
  window: Window;
  stems: ReadonlySet<string>;
  likelihood: number;
}

/** Below this, a memory is more likely useless than not. */
const LEAST_LIKELY = 0.35;
/** What the person laid down is worth keeping, whatever the words around it. */
const STATED = 0.85;
/** The subject of a commit sums up the work. */
const COMMITTED = 0.5;
/** How much a word still counts each time it was told. */
const TOLD = 0.5;

/** `told`: memories of earlier stretches of the session. */
export function chosen(notes: Notes, told: readonly string[] = []): Captured[] {
  const around = surroundingsOf(notes.passages);
  const candidates = windowsOf(notes.passages).map((window): Candidate => {
    const stems = tellingStems(window.text);
    const own = likelihood(featuresOf(window, stems, around));
    return { window, stems, likelihood: Math.max(own, leastOf(window)) };
  });
  return picked(candidates, told).map(({ window }) => described(window, notes.files));
}

function leastOf(window: Window): number {
  if (isStated(window)) return STATED;
  const { passage, position } = window.placed[0]!;
  return passage.place === "commit" && position === 0 ? COMMITTED : 0;
}

function picked(candidates: readonly Candidate[], told: readonly string[]): Candidate[] {
  const worth = wordWorth(candidates);
  const tell = (stems: Iterable<string>) => {
    for (const word of stems) worth.set(word, (worth.get(word) ?? 0) * TOLD);
  };
  for (const text of told) tell(tellingStems(text));
  const taken: Candidate[] = [];
  const isTold = ({ window }: Candidate) =>
    window.placed.some(({ unit }) => told.some((text) => text.includes(unit.text)));
  let rest = candidates.filter((one) => one.likelihood >= LEAST_LIKELY && !isTold(one));
  while (taken.length < STRETCH_MEMORIES && rest.length > 0) {
    const best = bestOf(rest, worth);
    taken.push(best);
    tell(best.stems);
    const used = new Set(best.window.placed.map(({ unit }) => unit.text));
    rest = rest.filter(({ window }) => !window.placed.some(({ unit }) => used.has(unit.text)));
  }
  return taken;
}

/** A word that recurs is what the work was about, so telling it is worth more. */
function wordWorth(candidates: readonly Candidate[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { stems } of candidates) for (const word of stems) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Map([...counts].map(([word, count]) => [word, Math.log(1 + count)]));
}

function bestOf(candidates: readonly Candidate[], worth: ReadonlyMap<string, number>): Candidate {
  let best = candidates[0]!;
  let bestValue = -Infinity;
  for (const candidate of candidates) {
    let news = 0;
    for (const word of candidate.stems) news += worth.get(word)!;
    const value = candidate.likelihood * news;
    if (value > bestValue) [best, bestValue] = [candidate, value];
  }
  return best;
}
