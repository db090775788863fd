/**
 * Sentences that belong to the way and not to the outcome, by where they stand: an agent's remarks between two calls,
 * the steps of a plan that was carried out, the middle of a compaction.
 *
 * `passing.ts` judges a sentence by its words alone; here its place counts too.
 */
import { isBare } from "./sentences/bare-heads.ts";
import { CUES } from "./sentences/cue-phrases.ts";
import { withoutOpener } from "./sentences/openers.ts";
import type { Passage, Place } from "./passage.ts";
import { isGuess } from "./sentences/guesses.ts";
import { isIdleHead } from "./sentences/idle-heads.ts";
import { isEmpty, isQuestion, isReasoned, passingClass } from "./sentences/passing.ts";
import { ABOUT_LOGS } from "./sentences/passing/about-logs.ts";
import { announcesList, isFragment } from "./sentences/stand-alone.ts";
import { isUnderWay } from "./sentences/under-way.ts";
import type { Unit } from "./sentences/units.ts";

/** What a fix has to do, said before it is made. */
const STEP =
  /\bneeds? to \w+|\bshould(?:n't)? (?!(?:not|never|always)\b)|\bwe (?:can|could|have to)\b|\bwould (?:mean|require|need|be (?:better|cleaner))\b|\bthe (?:right|correct|best) (?:place|way)\b/i;
/** What the agent comes across, before it knows what to make of it. */
const SEEN =
  /\bstill (?:very much )?(?:expects?|needed|references?|uses?|fails?|has|have|sets?)\b|\balready (?:applied|there|done|clears|has)\b|— good\b|^now \w+ (?:does|doesn't|is|isn't)\b|\bthere(?:'s| is| are) (?:another|also|now|still|no|a)\b|^there (?:is|are)\b|\b(?:this|the|that) (?:\w+ )?test (?:\w+ly |is|does|expects|uses|fails|still)\b|^(?:add|change|check|create|fix|keep|make|move|remove|rename|replace|restore|run|take|test|update|use)\b|\b(?:is|are) still used\b/i;
const EXPLAINS = [CUES.cause, CUES.fix, CUES.choice];
/** What the person did; "you'd need to restart it" may be true of everybody. */
const ADDRESSED = /\byou(?:'ve| have| were| did)\b/i;
/** Where the agent tells others what it did: how a merge came out is a part of that. */
const REPORTING: ReadonlySet<Place> = new Set(["final", "commit", "published"]);
/** What git calls the sides of a conflict, for as long as there is one; and the commits of a rebase, one by one. */
const SIDE = /\b(?:HEAD|incoming|ours|theirs)\b|^commit "/i;
/** Tests show themselves what they check. */
const TEST_LEAD =
  /^(?:`?[\w./-]+`? [—–-] )?(?:added |new |\d+ |two |three |four |five |\w+ (?=tests?\b))*tests?(?: (?:updates?|changes?|added|cases?|coverage|fix(?:es)?|repairs?|adjustments?))?$|^`?test_?\w+`? (?:verifies|covers|checks|tests)\b/i;
/** The items of such a list say nothing by themselves: "If the rate changes:", "Want me to:". */
const PASSING_LEAD =
  /^(?:if|unless|whether)\b|\btry$|\b(?:want me to|would you like|should i|shall (?:i|we)|do you want|prefer|you(?:'ll| will| should) see|i (?:recommend|suggest|propose))\b|^(?:this|that|which|it) (?:will|would|should|could|may|might|can)\b/i;
const PRAISING_HEAD = /^(?:(?:what's |the )?good|strengths|positives?)$/i;
const EXPLAINED = /\b(?:because|since|so(?: that)?|prevents?|ensures?|eliminates?|avoids?|means)\b/i;
const PLANNED_STEP =
  /\(lines? ~?\d|^(?:(?:then|also|fix|test|\w+ \d+): )?(?:add|adjust|assert|build|call|change|configure|create|delete|drop|ensure|expect|extract|fix|implement|import|keep|make|modify|move|pass|refactor|remove|rename|replace|run|set|stage|switch|test|update|use|verify|wire|write)\b|\bshould\b/i;

/** "Thread 2 (low): " */
const POINT = /^\w+ \d{1,2}(?: \([^()]{1,80}\))?\s?[:—–-]\s+/;

/** Whether an agent's sentence may become part of a memory. */
export const isTelling = ({ text, heading, isItem }: Unit, place: Place): boolean =>
  !isPassing(text, place) &&
  // A short item says something with what stands over its list.
  (!isEmpty(text) || (isItem && !isBare(heading))) &&
  !(place === "compaction" && isUnderWay(text, heading)) &&
  !(place === "middle" && isRemark(text)) &&
  !((place === "middle" || place === "final") && ADDRESSED.test(text)) &&
  (!isIdleHead(heading) || isReasonOfPraise(text, heading)) &&
  !PASSING_LEAD.test(heading) &&
  !TEST_LEAD.test(heading) &&
  !ABOUT_LOGS.pattern.test(heading);

/** "What's good: it rewrites the whole list, which prevents stale entries" tells how the code works. */
const isReasonOfPraise = (text: string, heading: string): boolean =>
  PRAISING_HEAD.test(heading) && EXPLAINED.test(text);

/** Also without the words before what it states. */
const isPassing = (text: string, place: Place): boolean =>
  isFragment(text) ||
  isQuestion(text) ||
  announcesList(text) ||
  [text, withoutOpener(text, true), text.replace(POINT, "")].some((one) => isOfNoUse(one, place)) ||
  (isGuess(text) && !isReasoned(text));

function isOfNoUse(text: string, place: Place): boolean {
  const found = passingClass(text);
  const isOutcome = found === "conflict" && REPORTING.has(place) && !SIDE.test(text);
  return found !== null && !isOutcome;
}

function isRemark(said: string): boolean {
  const text = withoutOpener(said, true);
  return STEP.test(text) || (SEEN.test(text) && !EXPLAINS.some((cue) => cue.test(text)));
}

/** The steps of a plan whose work was reported since; why it was made stays true. */
export function isCarriedOut({ text }: Unit, plan: Passage, passages: readonly Passage[]): boolean {
  if (plan.place !== "plan" || !PLANNED_STEP.test(text)) return false;
  const later = passages.slice(passages.indexOf(plan) + 1);
  return later.some(({ place, units }) => REPORTED.has(place) || (place === "final" && units.some(tellsOfWork)));
}

const REPORTED: ReadonlySet<Place> = new Set(["commit", "published"]);
const tellsOfWork = ({ text }: Unit): boolean => CUES.done.test(text);
