/** Where a review, a branch or a run stands, which its host knows better. */
import { anyOf, phrases, raw } from "../../phrases.ts";
import { HASH } from "../words.ts";

const SETTLED = "(fixed|addressed|done|resolved|handled|solved|answered)";
const WHERE = anyOf("commits?|threads?|comments?|repl(y|ies)|pr|pull request", raw`\`?${HASH}\`?`, raw`#\d+`);
const WHICH = "((commit|the|this|that|an|earlier|previous|last|same|review|its|pr) ){0,3}";
/** The name of the point, as far as a colon, a dash or a verb. Longer ones, and those with "when", tell of a cause. */
const POINT = raw`((?![.;!?]\s|\bwhen\b).){0,100}?(^|[:—–]\s|\s-\s|\b(is|are|was|were|been)\s)`;

export const REPORT = phrases({
  // Neither the cause nor the fix.
  "only that a point is settled": {
    whole: [
      raw`${POINT}((now|already|all|both|also)\s)*${SETTLED}` +
        `( (earlier|before|above|(in|by|with|via) ${WHICH}${WHERE}))?`,
    ],
    like: [
      "Fixed in `4be1d07c`.",
      "Null customer in `rateOf()`: Already fixed in `4be1d07c`.",
      "The rounding of `total` was already addressed.",
      "Missing lock - done in commit 4be1d07c.",
      "The null customer: resolved in the review thread.",
    ],
    unlike: [
      "`rateOf()` returned null when the customer lives abroad: fixed in `4be1d07c`.",
      "Null customer in `rateOf()`: fixed in `4be1d07c` by asking the office first.",
    ],
  },
  "who waits for whom in a review": {
    anywhere: [
      raw`(threads?|comments?|reviews?)\b.{0,40}\b(needs?|needing|await(s|ing)?|pending|waiting for)\b.{0,20}` +
        raw`\b(response|reply|answer|approval)`,
      raw`(comments?|threads?)\b.*\breplied to`,
      raw`there (was|were) \d+ (\w+ )?(threads?|comments?)`,
    ],
    pattern: [raw`^(acknowledged|disagree|replied)([.,:;!—–]|$| (as|to|that|with|on|and|by|in)\b)`],
    like: [
      "There is one review thread needing a response about the rounding.",
      "Review comments of the bot were replied to.",
      "There was 1 unaddressed thread about `total`.",
      "Acknowledged as older than the new basket.",
    ],
    unlike: ["Threads of the importer wait for the lock.", "Acknowledged orders are deleted from the queue."],
  },
  "a pull request": {
    opening: [
      raw`once (#\d+|(the|this|that) (pr|branch|pull request))`,
      raw`(created: )?(draft )?(pr|pull request) #?\d+`,
    ],
    pattern: [
      raw`^[^\`]*\b(created|opened|pushed|merged)\b[^.;:\`]{0,30}` +
        raw`\b(PRs?|pull requests?)\b(?! (template|title|label|check))[^\`]*$`,
    ],
    like: [
      "Once #12 merges, the totals are right.",
      "Draft PR #12: renames `sum` to `total`.",
      "Created a draft PR for the new importer.",
    ],
    unlike: ["Created a PR that renames `sum` to `total` in every basket.", "Created a pull request template."],
  },
  "a branch that was rebased": {
    opening: [raw`\d+ rebased`],
    anywhere: [raw`rebased on\b[^.;:]{0,30}\band pushed`],
    like: ["The branch is rebased on the release branch and pushed.", "3 rebased onto the release branch."],
    unlike: ["Branches are rebased on the release branch every night."],
  },
  "something done today": {
    anywhere: [
      raw`(added|changed|created|introduced|merged|pushed|released|rebased)\b[^.;:]{0,15}` +
        raw`\b(today|yesterday|tonight|this (morning|afternoon|evening))`,
    ],
    like: ["The total was only merged today."],
    unlike: ["Rates that changed are read again after a day."],
  },
  "one machine, one run": {
    anywhere: ["on this (system|machine|computer|laptop)"],
    pattern: [raw`\(\d+ (uses?|times|occurrences?|hits?)\)`],
    like: ["764 baskets were found on this machine.", "`roundLine()` in the importer (3 uses)"],
    unlike: ["The machine of the office has its own clock."],
  },
  "faults that were there before": {
    anywhere: ["unrelated to (our|this|my|the) changes?"],
    opening: [raw`(the )?\w+ (diagnostics|errors|warnings) (is|are) pre-existing`],
    like: ["The errors of the linter are unrelated to our change.", "The linter warnings are pre-existing."],
    unlike: ["Errors of the bank are unrelated to the rates."],
  },
});
