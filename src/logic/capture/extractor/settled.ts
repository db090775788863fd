/**
 * Whether a later statement settles an earlier one: the problem was solved since, the plan carried out, or old code changed.
 *
 * Both are recognised by their words, and that they are about the same by the names of code that they share. A text that
 * itself tells of the solution is never settled.
 */
import { tellingStems } from "../../text/words.ts";
import { namesIn } from "./sentences/deeds.ts";
import { part } from "./withdrawn.ts";

/** "Not" and "only" describe as often as they complain. */
const OPEN =
  /\b(?:bugs?|problems?|issues?|limitations?|regressions?|broken|fail(?:s|ing)?|missing|ignor(?:es|ing)|never|without|needs?|should|must|would|will|could|want|approach|plan)\b|\b(?:does|do|is|are|has|have)(?:n't| not)\b|\b(?:won't|can't|cannot)\b/i;
const SETTLED =
  /\b(?:fixed|fixes|fix makes|now|no longer|added|adds|updated|changed|replaced|renamed|implemented|restored|resolved|removed|moved|extracted|created|switched)\b/i;
/** Tells of the cause, or of what is meant to be, and stays true. */
const CAUSE = /\b(?:root cause|because|since|so that|by design|intentional(?:ly)?|always)\b/i;
/** The same for the state before. */
const PAST = /\b(?:was|were|had|did|didn't|used to|previously|originally)\b/i;
/** The message of a commit is in the imperative, but done. */
const COMMITTED = /^(?:\w+(?:\([^()]*\))?: |(?:add|address|fix|remove|rename|replace|update|use)\b)/i;
const NOT_YET = /\b(?:if|would|could|might|may|should|consider|whether|going to|plan to|todo|not yet)\b|\?$/i;
const SENTENCE_END = /(?<=[.!?;])\s+/;
const LEAST_NAMES = 2;
const LEAST_SHARED = 0.4;

/** "The old code only read …": of that, only the change is of use. */
const REPLACED =
  /(?:^|[.:;]\s)the (?:old|previous|former|original) (?:code|implementation|logic|check|guard|condition)(?: (?:only|just|also|never|silently))? (?:was|were|had|did(?:n't)?|read|took|ran|kept|made|\w+ed)\b/i;
export const tellsOldCode = (text: string): boolean => REPLACED.test(text);

const isOpen = (text: string): boolean =>
  ![SETTLED, COMMITTED, CAUSE].some((kind) => kind.test(text)) &&
  (tellsOldCode(text) || (OPEN.test(text) && !PAST.test(text)));

/** So much of its words in the report, and it is about the same, whatever it names. */
const RETOLD = 0.6;

export function settles(later: string, earlier: string): boolean {
  if (!isOpen(earlier)) return false;
  const isReport = (sentence: string) => SETTLED.test(sentence) || COMMITTED.test(sentence);
  const reports = later.split(SENTENCE_END).filter((sentence) => isReport(sentence) && !NOT_YET.test(sentence));
  if (reports.length === 0) return false;
  const isRetold = part(tellingStems(earlier), tellingStems(later)) >= RETOLD;
  const names = namesIn(earlier);
  const told = new Set(reports.flatMap((sentence) => [...namesIn(sentence)]));
  const shared = [...names].filter((name) => told.has(name)).length;
  return isRetold || (shared >= LEAST_NAMES && shared / names.size >= LEAST_SHARED);
}
