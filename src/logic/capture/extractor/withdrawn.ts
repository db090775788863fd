/**
 * Sentences that the same stretch of work has overtaken: a claim that was taken back, and a guess that was come back to.
 *
 * An investigation says several things about one cause, and only the last of them holds. Words are compared, not
 * meanings, so a claim is withdrawn only if the correction repeats most of its own words.
 */
import { tellingStems } from "../../text/words.ts";
import { isGuess } from "./sentences/guesses.ts";
import type { Passage, Place } from "./passage.ts";
import type { Unit } from "./sentences/units.ts";

/** An agent that takes something back. */
const TAKEN_BACK =
  /\b(?:i was (?:wrong|mistaken|incorrect)|i (?:misread|misunderstood|misdiagnosed|misspoke|misinterpreted|(?:had )?(?:wrongly |incorrectly )?assumed|jumped to)|my (?:earlier|previous|initial|original|first) (?:\w+ ){1,2}(?:was|were|is) (?:wrong|incorrect|mistaken|off)|my mistake|scratch that|i take (?:that|it) back|(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct|true|it))|(?:isn't|is not|wasn't|was not) (?:actually )?(?:the (?:cause|issue|problem|culprit|reason)|coming from|caused by)|false (?:alarm|lead)|on second thought|ruled out|turned out (?:not|to be (?:wrong|false)))\b/i;
const AGREED =
  /\b(?:you're|you are|that's|good|fair) (?:absolutely |totally |completely )?(?:right|correct|catch|point)\b/i;
const SAID_BY_AGENT: ReadonlySet<Place> = new Set(["middle", "final", "published", "compaction"]);
const LEAST_STEMS = 3;
/** How much of a correction a claim must have, and of a guess what is said later. */
const SAME_THING = 0.5;
const COME_BACK_TO = 0.5;

type Stems = ReadonlySet<string>;

export const takesBack = (text: string): boolean => TAKEN_BACK.test(text);

/** Whether a sentence takes back a claim with these words. */
export const isCorrected = (claim: Stems, correction: { takesBack: boolean; stems: Stems }): boolean =>
  correction.takesBack && isSameThing(correction.stems, claim);

const isSameThing = (correction: Stems, claim: Stems): boolean =>
  correction.size >= LEAST_STEMS && part(correction, claim) >= SAME_THING;

export function withdrawnUnits(passages: readonly Passage[]): ReadonlySet<Unit> {
  const withdrawn = new Set<Unit>();
  const said = passages.map(({ units }) => units.map(({ text }) => tellingStems(text)));
  const whole = said.map((all) => new Set(all.flatMap((stems) => [...stems])));
  const withdraw = (correction: Stems, from: number, to: number) => {
    if (correction.size < LEAST_STEMS) return;
    for (let index = from; index < to; index += 1) {
      const passage = passages[index]!;
      if (!SAID_BY_AGENT.has(passage.place)) continue;
      for (const [position, unit] of passage.units.entries())
        if (part(correction, said[index]![position]!) >= SAME_THING) withdrawn.add(unit);
    }
  };
  for (const [index, { place, units }] of passages.entries()) {
    if (!SAID_BY_AGENT.has(place)) continue;
    const asked = passages[index - 1];
    if (asked?.place === "prompt" && AGREED.test(units[0]!.text)) withdraw(whole[index - 1]!, 0, index - 1);
    for (const [position, unit] of units.entries()) {
      const stems = said[index]![position]!;
      if (takesBack(unit.text)) withdraw(stems, 0, index);
      if (isGuess(unit.text) && whole.some((later, at) => at > index && isAnswer(passages[at]!, stems, later)))
        withdrawn.add(unit);
    }
  }
  return withdrawn;
}

const isAnswer = ({ place }: Passage, guess: Stems, later: Stems): boolean =>
  place !== "prompt" && place !== "plan" && part(guess, later) >= COME_BACK_TO;

/** The part of some words that others have too. */
export function part(some: Stems, others: Stems): number {
  let shared = 0;
  for (const word of some) if (others.has(word)) shared += 1;
  return some.size === 0 ? 0 : shared / some.size;
}
