/**
 * Sentences that the person's next words take back: a wish that they give up, and work that they want done otherwise.
 *
 * `withdrawn.ts` finds what the agent takes back. A person says it in fewer words and repeats none of the old ones, so
 * here the order of the messages counts. In doubt nothing is taken back: a rule that is lost is worse than a stale wish.
 */
import { tellingStems } from "../../text/words.ts";
import { CUES } from "./sentences/cue-phrases.ts";
import { namesIn } from "./sentences/deeds.ts";
import type { Passage } from "./passage.ts";
import { anyOf, expression, phrases, raw } from "./phrases.ts";
import type { Unit } from "./sentences/units.ts";

const TURN = anyOf("actually", "oh|oops|sorry|no|nope|wait|hm+", "on second thoughts?");
const PAUSE = raw`[\s,.!…—–-]+`;
/** How such a clause begins: with the sentence, or with a word that turns against what was said. */
const CLAUSE_START = anyOf(
  raw`^((${TURN}|ok(ay)?|ah|and|but|so|well|yeah|yes|please|just|then|let's)${PAUSE})*`,
  raw`[,;—–-]\s*((but|or|and) )?(${TURN}${PAUSE})+`,
);
const CLAUSE_END = raw`(?=\s*([,.;:!—–]|\s-|$))`;
const SAID = "what i (just )?(said|asked|wrote)|my (last|previous) (message|prompt|request)";
const ABOUT = raw`( about [^,.;:!—–]+)?`;

export const GIVEN_UP = phrases({
  "a wish that is given up": {
    pattern: [
      `${CLAUSE_START}(forget( about)? (that|it|this)|(ignore|disregard|scratch) that)${CLAUSE_END}`,
      `${CLAUSE_START}never ?mind( that)?${CLAUSE_END}`,
      `${CLAUSE_START}(forget|ignore|disregard) (${SAID})${ABOUT}${CLAUSE_END}`,
      `${CLAUSE_START}i('ve| have)? changed my mind${ABOUT}${CLAUSE_END}`,
    ],
    like: [
      "Actually forget that, euros are fine.",
      "never mind, keep the rates",
      "Ignore that.",
      "ok, forget what I said about euros",
      "I've changed my mind about rounding.",
      "Round each line, no wait, scratch that",
    ],
    unlike: [
      "Never round a price.",
      "Don't forget that rates change in January.",
      "The total column is unused now, please drop it from the schema.",
      "ignore this warning in eslint",
      "If the cache is stale, drop it",
      "If the file is missing, ignore it.",
      "We must not silently drop that event",
      "Never mind the warnings of the linter, they are old.",
      "Forget that old importer and read `rates.csv`.",
      "Ignore it, the test is flaky.",
    ],
  },
  "a rule that is lifted": {
    pattern: [`${CLAUSE_START}(forget|disregard|scratch) (that|this|the|my) (last )?(rule|preference)${CLAUSE_END}`],
    like: ["Forget that rule, npm is fine."],
    unlike: ["Ignore that rule in the tests.", "Forget the rule of the linter about tabs."],
  },
});
export const DONE_OTHERWISE = phrases({
  "work that is to be done in another way": {
    opening: [
      raw`((${TURN}|ok(ay)?|and|but|so|please|just|then|let's|can you|could you)${PAUSE})*` +
        "(add|build|change|do|fix|handle|make|move|put|set|solve|try|use|write) " +
        raw`(it|this|that|them)\b[^.;]*\binstead`,
    ],
    like: ["Fix it in the importer instead.", "No, please put it into the importer instead."],
    unlike: [
      "It is on port 8081 instead of 8080.",
      "Use euros instead.",
      "If a job fails, move it to the second queue instead of trying again.",
      "The bank sends null, and we handle that as zero instead.",
    ],
  },
});
/** What is to hold from now on is no order about one piece of work. */
const LASTING = expression(raw`\b(always|never(?! ?mind)|from now on|in general|in future|every time)\b`);
/** The person speaks of their own words, not of what the agent said since. */
const OWN_WORDS = expression(raw`\b(actually|on second thoughts?|scratch|changed my mind|${SAID})\b`);
const OF_RULE = expression(raw`\b(rule|preference)\b`);
/** "What I said about euros" */
const NAMED = /\b(?:said|asked|wrote|message|prompt|request|mind) about ([^,.;:!—–]+)/i;

export function retractedUnits(passages: readonly Passage[]): ReadonlySet<Unit> {
  const retracted = new Set<Unit>();
  for (const [index, { place, units }] of passages.entries()) {
    if (place !== "prompt") continue;
    for (const [position, unit] of units.entries()) {
      const at = unit.text.search(GIVEN_UP.pattern);
      if (at < 0) continue;
      retracted.add(unit);
      // What the same sentence takes back goes with it.
      if (at > 0) continue;
      const wish = position > 0 ? [units[position - 1]!] : lastWish(passages.slice(0, index));
      for (const one of givenUp(wish, unit.text)) retracted.add(one);
    }
    const orders = units.filter(({ text }) => DONE_OTHERWISE.pattern.test(text));
    if (orders.length === 0) continue;
    for (const one of [...orders.filter(isPassing), ...redoneWork(passages, index)]) retracted.add(one);
  }
  return retracted;
}

const isPassing = ({ text }: Unit): boolean => !LASTING.test(text);

/** The person's own words before. */
const lastWish = (before: readonly Passage[]): readonly Unit[] =>
  before.findLast(({ place }) => place === "prompt")?.units ?? [];

/** What of a wish is given up: what is named; else a rule only if it is said so, or if the person wished nothing else. */
function givenUp(wish: readonly Unit[], retraction: string): readonly Unit[] {
  const named = NAMED.exec(retraction)?.[1];
  if (named !== undefined) {
    const stems = tellingStems(named);
    return wish.filter(({ text }) => [...tellingStems(text)].some((stem) => stems.has(stem)));
  }
  if (OF_RULE.test(retraction)) return wish.filter((unit) => !isPassing(unit));
  const passing = wish.filter(isPassing);
  return passing.length === 0 && OWN_WORDS.test(retraction) ? wish : passing;
}

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
