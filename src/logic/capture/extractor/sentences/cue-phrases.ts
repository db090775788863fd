/** What a sentence tells of, by its phrases: they make it worth keeping, and name the type of a memory. */
import { type Phrases, phrases, raw } from "../phrases.ts";
import { TO_DO } from "./words.ts";

export const CUE_PHRASES = {
  cause: phrases({
    "a cause": {
      anywhere: [
        "root cause|turns out|caused by",
        "the (real |actual |underlying )?(issue|problem|bug|culprit|cause|reason) (is|was)",
      ],
      like: ["The real problem was the clock of the fixture.", "The delay is caused by the lock."],
      unlike: ["Causes are listed in `rates.csv`."],
    },
  }),
  fix: phrases({
    "a fix": {
      anywhere: ["(fixed|resolved|solved|addressed) by", "the fix|workaround"],
      pattern: [raw`\bfix(ed|es)?:`],
      like: ["Fixed by rounding each line.", "Fix: round each line."],
      unlike: ["Fixtures have a clock of their own."],
    },
  }),
  because: phrases({
    "a reason": {
      anywhere: [
        "because|which means|so that|due to|therefore",
        "since (the|it|we|this|they)",
        "this (means|causes|ensures|prevents)",
      ],
      like: ["Each line is rounded, since the office does it too.", "This prevents a second import."],
      unlike: ["The rates hold since January."],
    },
  }),
  rule: phrases({
    "a rule": {
      anywhere: ["(must|should)(n't| not)?|always|never|don't|do not|requires?|convention"],
      like: ["`total()` must round each line.", "Never round the sum."],
      unlike: ["The importer rounds each line."],
    },
  }),
  choice: phrases({
    "a choice": {
      anywhere: [
        "instead of|rather than|decided|decision|by design|on purpose|deliberately",
        "we('ll| will) (use|keep|go)",
      ],
      pattern: [raw`\bintentional`],
      like: ["Totals are in cents rather than euros.", "The second read is intentionally left."],
      unlike: ["The design of the basket is old."],
    },
  }),
  open: phrases({
    "something left to do": {
      anywhere: [
        `follow-?up|${TO_DO}|deferred|later|remaining|out of scope|tech debt|future`,
        "still (need|to)|open (item|question)",
      ],
      like: ["Rounding of refunds is out of scope.", "An open question is the rate of refunds."],
      unlike: ["The basket is open at night."],
    },
  }),
  failure: phrases({
    "a failure": {
      anywhere: ["fail(s|ed|ing|ure)?|error|broke|broken|conflict|race|panic|flaky|regression|lint|stale|missing"],
      like: ["The import failed at night.", "Two importers race for the lock."],
      unlike: ["A failsafe of the importer is its log."],
    },
  }),
  caution: phrases({
    "a caution": {
      anywhere: ["only|except|unless|edge case|gotcha|caveat|note( that)?|important|key|insight|pre-existing"],
      like: ["Rates are read only at night.", "An edge case is the empty basket."],
      unlike: ["Notes are kept for a year."],
    },
  }),
  done: phrases({
    "work that was done": {
      anywhere: [
        "added|removed|replaced|changed|updated|implemented|created|refactored|moved|renamed|extracted|consolidated",
        "pushed|committed|merged",
      ],
      like: ["Moved the rounding to `roundLine()`."],
      unlike: ["The importer moves rows."],
    },
  }),
  behaviour: phrases({
    "what code does": {
      anywhere: ["(use|call|return|read|write|store|handle|check|skip)s?|falls? back"],
      like: ["`total()` returns null for an empty basket.", "The importer falls back to zero."],
      unlike: ["The reader of `rates.csv` is slow."],
    },
  }),
} satisfies Record<string, Phrases>;
export type Cue = keyof typeof CUE_PHRASES;

export const CUES = Object.fromEntries(
  Object.entries(CUE_PHRASES).map(([cue, { pattern }]) => [cue, pattern]),
) as Readonly<Record<Cue, RegExp>>;
