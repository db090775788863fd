/** What somebody might do, or weighs doing. */
import { anyOf, phrases, raw } from "../../phrases.ts";

const BETTER = anyOf("simplest|cleanest|easiest|best|proportionate|most pragmatic|better|cleaner|simpler");
const PLAN = anyOf("fix|solution|approach|idea|option|alternative|change|workaround");

export const PROPOSAL = phrases({
  "the best of several ways": {
    pattern: [
      raw`\b${BETTER} (fix|way|approach|solution|option|move|idea)\b[^.:;]{0,40}(\b(is|would be|might be)\b(?! \`)|:)`,
      raw`^a (simpler|better|cleaner|safer) [^.;:]{0,30} would be\b`,
    ],
    like: [
      "The simplest fix is to round each line, because the office does.",
      "A simpler test would be to call `total()` directly.",
    ],
    unlike: [
      "The best price is the lowest of the last thirty days.",
      "The simplest way to run one test is `make one`.",
    ],
  },
  "what somebody suggests": {
    anywhere: ["i('d| would)? (suggest|recommend|propose)"],
    opening: ["consider|maybe|perhaps|recommend|suggest"],
    pattern: [
      raw`^(recommended|suggested|suggestion)(\s?[:—–-]| (change|fix|approach|solution)\b)`,
      raw`\b(suggests?|recommends?|proposes?):$`,
    ],
    like: [
      "I'd suggest a lock around `mergeBaskets()`.",
      "Consider a lock around `mergeBaskets()`.",
      "The review of the importer suggests:",
    ],
    unlike: ["The shop suggests other goods to each customer.", "Suggested prices come from the office."],
  },
  "a second thought": {
    pattern: [raw`— actually\b`, raw`\.\.\. no\b`],
    like: ["Keep the check — actually, `total()` should accept null.", "The lock is held... no, it is free."],
    unlike: ["What `total` actually holds is cents."],
  },
  "what should be done": {
    opening: [raw`(should|could|would|might)(?!-| (the|an?|this|that|any|it)\b)`],
    anywhere: ["should (definitely|probably|really|just|also)", raw`(needs? to|should) be (made|\w+ed)`],
    like: ["Should round each line before the sum.", "The lock needs to be released before the import."],
    unlike: ["The lock must be released before the import.", "Should the bank not answer, `rateOf()` is null."],
  },
  "what a plan would do": {
    opening: [
      raw`(the|a|one|another|my|your) (\w+ )?${PLAN} (should(?! (not|never|always))|would|could|might|needs? to|is to)`,
      raw`adding\b.*\bwould`,
    ],
    like: ["The fix should round each line before the sum.", "Adding an index would make the import faster."],
    unlike: ["The fix rounds each line before the sum."],
  },
  "what we could do": {
    opening: [
      raw`(we|you|one) (could(?! (get|see|end|lose|hit)\b)|can (just|simply|either|now)|might|may want)`,
      raw`(we|you|one) should(?! (not|never|always)\b)`,
      // With what happens otherwise, it is a rule.
      raw`(we|you|one)( need to| would need|'d need)(?!.*\b(or|otherwise|unless|until|before)\b)`,
      raw`if (we|you|anyone|somebody)\b.*\b(we|you) (can|could)`,
    ],
    like: ["We could keep the totals in cents.", "If we meet other rates, we can add them then."],
    unlike: [
      "If we add a rate, `total()` rounds it.",
      "We should never log the card of a customer.",
      "You need to set `RATES`, otherwise the importer fails.",
      "You could get two baskets when two importers start at once.",
    ],
  },
  "what to test": {
    anywhere: [
      "worth testing",
      "unit-testable",
      "(we|i) can (just |simply )?test",
      "(that|it)'s the (bit|part) (worth|to)",
    ],
    opening: [raw`(run|rerun|re-run) the (\w+ )?tests?(?! (with|in|on|from|using|before|only|as|through)\b)`],
    like: ["The rounding is the only rule worth testing.", "Run the basket tests to see that they fail."],
    unlike: ["Tests of the basket run against a fixed clock.", "Run the tests with `TZ=UTC`, or they fail."],
  },
});
