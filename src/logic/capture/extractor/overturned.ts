/**
 * Whether a later statement overturns an earlier one, in the same stretch of work or another: it undoes what was done,
 * or takes back what was claimed.
 */
import { tellingStems } from "../../text/words.ts";
import { CUES } from "./sentences/cue-phrases.ts";
import { type Done, deedsIn, isUndone } from "./sentences/deeds.ts";
import type { Passage } from "./passage.ts";
import type { Unit } from "./sentences/units.ts";
import { isCorrected, takesBack } from "./withdrawn.ts";

/** A text, read once for many comparisons. */
export interface Statement {
  deeds: readonly Done[];
  sentences: readonly { takesBack: boolean; stems: ReadonlySet<string> }[];
}

/** `corrects`: its first sentence is known to take something back. */
export function statementOf(text: string, corrects = false): Statement {
  const sentences = text
    .split(/(?<=[.!?;])\s+/)
    .map((one, index) => ({ takesBack: (corrects && index === 0) || takesBack(one), stems: tellingStems(one) }));
  return { deeds: deedsIn(text), sentences };
}

export const overturns = (later: Statement, earlier: Statement): boolean =>
  isUndone(later.deeds, earlier.deeds) ||
  later.sentences.some((correction) => earlier.sentences.some((claim) => isCorrected(claim.stems, correction)));

/** The sentences that overturn one of these statements. */
export function overturningUnits(passages: readonly Passage[], earlier: readonly Statement[]): ReadonlySet<Unit> {
  const units = passages.filter(({ place }) => place !== "plan").flatMap((passage) => passage.units);
  if (earlier.length === 0) return new Set();
  return new Set(
    units.filter(({ text }) => {
      const later = mayOverturn(text) ? statementOf(text) : null;
      return later !== null && earlier.some((one) => overturns(later, one));
    }),
  );
}

const mayOverturn = (text: string): boolean => takesBack(text) || deedsIn(text).some(({ deed }) => deed !== "adds");

/**
 * The sentences about a removal that the stretch has undone itself, and those of a summary that were undone before.
 * Whatever is restored had been removed before, so the order of the two does not matter. That the removal was the cause
 * of something stays true.
 */
export function undoneUnits(passages: readonly Passage[], told: readonly Statement[]): ReadonlySet<Unit> {
  const undone = new Set<Unit>();
  const said = passages.flatMap(({ place, units }) => units.map((unit) => ({ place, unit, deeds: deedsOf(unit) })));
  const restored = said.map(({ place, deeds }) =>
    place === "plan" ? [] : deeds.filter(({ deed }) => deed === "restores"),
  );
  for (const unit of takenOutBefore(passages)) undone.add(unit);
  for (const [index, { place, unit, deeds }] of said.entries()) {
    if (deeds.length === 0 || place === "prompt" || place === "commit" || CUES.cause.test(unit.text)) continue;
    const isUndoneHere = restored.some((others, at) => at !== index && isUndone(others, deeds));
    const isUndoneBefore = place === "compaction" && told.some((one) => isUndone(one.deeds, deeds));
    if (isUndoneHere || isUndoneBefore) undone.add(unit);
  }
  return undone;
}

/** "Restore the original tools" names nothing, and means what was taken out last. */
const RESTORES_ALL =
  /\b(?:restor(?:e|ed|ing)|bring(?:ing)? back|put(?:ting)? back|revert(?:ed|ing)? to) (?:(?:all|the) )*(?:original|previous|old|earlier)\b/i;

/** The sentences of the last message that told of removals, before one that restores what was there. */
function takenOutBefore(passages: readonly Passage[]): Unit[] {
  const drops = ({ units }: Passage) => units.filter((unit) => deedsOf(unit).some(({ deed }) => deed === "drops"));
  return passages.flatMap(({ place, units }, index) => {
    if (place === "plan" || !units.some(({ text }) => RESTORES_ALL.test(text))) return [];
    const before = passages
      .slice(0, index)
      .findLast((one) => one.place !== "prompt" && one.place !== "plan" && drops(one).length > 0);
    return before === undefined || before.place === "commit" ? [] : drops(before);
  });
}

const deedsOf = ({ text, heading }: Unit): Done[] => deedsIn(heading === "" ? text : `${heading}: ${text}`);
