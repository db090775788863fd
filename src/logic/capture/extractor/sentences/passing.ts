/**
 * Sentences that teach a later session nothing: what an agent does next, asks or answers politely, how things stand at
 * this moment, and talk about the session or the agent's own tools.
 *
 * Each class is a table of phrases in `passing/`. A reason makes most of them worth keeping.
 */
import { tellingStems } from "../../../text/words.ts";
import { type Phrases, phrases } from "../phrases.ts";
import { ABOUT_AGENT } from "./passing/about-agent.ts";
import { ABOUT_LOGS } from "./passing/about-logs.ts";
import { ABOUT_SESSION } from "./passing/about-session.ts";
import { ABOUT_TESTS } from "./passing/about-tests.ts";
import { ABOUT_TOOLS } from "./passing/about-tools.ts";
import { ANNOUNCEMENT } from "./passing/announcement.ts";
import { CONFLICT } from "./passing/conflict.ts";
import { COUNT_OF_HITS, MEASURED, TALLY } from "./passing/counts.ts";
import { COURTESY } from "./passing/courtesy.ts";
import { INSTANCE } from "./passing/instance.ts";
import { LISTING } from "./passing/listing.ts";
import { PRAISE } from "./passing/praise.ts";
import { PROPOSAL } from "./passing/proposal.ts";
import { REPORT } from "./passing/report.ts";
import { STATUS } from "./passing/status.ts";

/** The first class that has a sentence names it. */
export const PASSING = {
  announcement: ANNOUNCEMENT,
  courtesy: COURTESY,
  status: STATUS,
  report: REPORT,
  proposal: PROPOSAL,
  praise: PRAISE,
  count: COUNT_OF_HITS,
  tally: TALLY,
  measured: MEASURED,
  instance: INSTANCE,
  conflict: CONFLICT,
  listing: LISTING,
  tests: ABOUT_TESTS,
  logs: ABOUT_LOGS,
  aboutSession: ABOUT_SESSION,
  aboutAgent: ABOUT_AGENT,
  aboutTools: ABOUT_TOOLS,
} satisfies Record<string, Phrases>;
export type PassingClass = keyof typeof PASSING;
const CLASSES = Object.entries(PASSING) as [PassingClass, Phrases][];

/** Of no use even with a reason. */
const NEVER_KEPT: ReadonlySet<PassingClass> = new Set([
  ...(["announcement", "aboutSession", "aboutAgent", "aboutTools", "proposal", "praise"] as const),
]);

/** How things stood may at least show what the work was about. */
const MOMENTARY: ReadonlySet<PassingClass | null> = new Set(["status", "count"] as const);

export const REASON = phrases({
  "a reason": {
    anywhere: ["because", "since", "instead", "rather than", "so that", "due to"],
    like: ["All tests pass now because the clock of the fixture was frozen."],
    unlike: ["The basket is sincerely empty."],
  },
});
export const isReasoned = (text: string): boolean => REASON.pattern.test(text);

export function passingClass(text: string): PassingClass | null {
  const hasReason = isReasoned(text);
  const found = CLASSES.find(([name, { pattern }]) => (!hasReason || NEVER_KEPT.has(name)) && pattern.test(text));
  return found?.[0] ?? null;
}

/** Says nothing at any time. */
export function isChatter(text: string): boolean {
  const found = passingClass(text);
  return found !== null && !MOMENTARY.has(found);
}

const QUESTION = /\?["')\]*`]*$/;
/** An agent's question waits for an answer; a person's may state the problem. */
export const isQuestion = (text: string): boolean => QUESTION.test(text);

const LEAST_STEMS = 4;
const NAMES_CODE = /`|\w\(\)|[a-z][A-Z]|\w_\w/;
/** "Tests pass.", "Now I see the issue.": true at the time, and of no use later. */
export function isEmpty(text: string): boolean {
  const said = text.replace(/https?:\S+/g, "");
  return !NAMES_CODE.test(said) && tellingStems(said).size < LEAST_STEMS;
}
