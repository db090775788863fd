/**
 * Sentences that the person's next words take back: a wish that they give up, and work that they want done otherwise.
 *
 * `withdrawn.ts` finds what the agent takes back. A person says it in fewer words and repeats none of the old ones, so
 * here the order of the messages counts.
 */
import { CUES } from "./sentences/cue-phrases.ts";
import { namesIn } from "./sentences/deeds.ts";
import type { Passage } from "./passage.ts";
import { expression, phrases, raw } from "./phrases.ts";
import type { Unit } from "./sentences/units.ts";

export const GIVEN_UP = phrases({
  "a wish that is given up": {
    anywhere: [
      "(?<!(n't|not|never) )(forget|ignore|disregard|drop) (that|it|this|what i (just )?(said|asked|wrote))",
      "never ?mind",
      "scratch that",
      "i('ve| have)? changed my mind",
    ],
    like: [
      "Actually forget that, euros are fine.",
      "never mind, keep the rates",
      "I've changed my mind about rounding.",
    ],
    unlike: ["Never round a price.", "Don't forget that rates change in January."],
  },
});
export const DONE_OTHERWISE = phrases({
  "work that is to be done in another way": {
    anywhere: [
      raw`(add|build|change|do|fix|handle|make|move|put|set|solve|try|use|write) (it|this|that|them)\b[^.;]*\binstead`,
    ],
    like: ["Fix it in the importer instead."],
    unlike: ["It is on port 8081 instead of 8080.", "Use euros instead."],
  },
});
/** What is to hold from now on is no order about one piece of work. */
const LASTING = expression(raw`\b(always|never|from now on|in general|in future|every time)\b`);

export function retractedUnits(passages: readonly Passage[]): ReadonlySet<Unit> {
  const retracted = new Set<Unit>();
  for (const [index, { place, units }] of passages.entries()) {
    if (place !== "prompt") continue;
    const givenUp = units.filter(({ text }) => GIVEN_UP.pattern.test(text));
    for (const unit of [...givenUp, ...(givenUp.length > 0 ? lastWish(passages.slice(0, index)) : [])])
      retracted.add(unit);
    if (!units.some(({ text }) => DONE_OTHERWISE.pattern.test(text))) continue;
    for (const unit of units) if (!LASTING.test(unit.text)) retracted.add(unit);
    for (const unit of redoneWork(passages, index)) retracted.add(unit);
  }
  return retracted;
}

/** The person's own words before. */
const lastWish = (before: readonly Passage[]): Unit[] =>
  before.findLast(({ place }) => place === "prompt")?.units ?? [];

/** What the last reply reports as done to a thing that the next one names again. */
function redoneWork(passages: readonly Passage[], prompt: number): Unit[] {
  const reply = passages.slice(0, prompt).findLast(({ place }) => place === "final");
  const later = passages.slice(prompt + 1).filter(({ place }) => place !== "prompt" && place !== "plan");
  const names = new Set(later.flatMap(({ units }) => units.flatMap(({ text }) => [...namesIn(text)])));
  return (reply?.units ?? []).filter(
    ({ text }) =>
      [CUES.done, CUES.fix].some((cue) => cue.test(text)) && [...namesIn(text)].some((one) => names.has(one)),
  );
}
