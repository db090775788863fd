/** Sentences whose subject, or what they are about, stands in a sentence before. */
import { anyOf, phrases, raw } from "../phrases.ts";

/** Forms of verbs by their beginnings. */
const VERB = anyOf(
  "ensure|prevent|allow|avoid|enable|keep|follows|matches|confirm|shows|works|gives|lets|causes|mean|make|happen",
  "is|was|are|were|would|will|could|should|can|may|might|has|had|have|does|did",
);
const ADDED = "(the|a|an|to|in|it|early|when|by|for|from|with|into|well|up|back)";
const VALUE = "hash|value|number|string|result|response|entry|record|array|object|variable|parameter|argument|constant";
/** "The field names are …": no verb, but a part of the name. */
const PLURAL = raw`[a-z]+s (are|were|have|must|should|will|would|can|may|do|need|differ|match)\b`;
const CODE_THING = "function|method|helper|handler|script|class|type|file|test|check|loop|branch|caller|flag|field";
/** What "this" may stand before without being named: "this fix", "those two". */
const THING = anyOf(
  "functions?|methods?|ones?|cases?|lines?|files?|tests?|checks?|code|paths?|errors?|approach|way|fix(es)?|changes?",
  "issues?|problems?|bugs?|behaviou?r|logic|blocks?|fields?|calls?|values?|edits?|comments?|threads?|two|three",
);
/** "This release", "this module": everybody knows which. */
const KNOWN = raw`(pr\b|pull\b|commit|branch|plugin|release|module|package|project)`;

export const DANGLING = phrases({
  "a pronoun as its subject": {
    opening: ["(that|this|it|they|those)'(s|re|ll|d)", "it|they|both|neither|either|which|same|actually|ah|oh|oops"],
    pattern: [
      `^(this|that|these|those) ${VERB}`,
      raw`^(this|that|these|those) \w+(s|ed)(?= ${ADDED}\b)`,
      "^(his|her|their|its) ",
    ],
    like: [
      "It rounds each line.",
      "That's only a comment.",
      "This ensures totals in cents.",
      "That pushed the queue over its limit.",
      "Their rates are read at night.",
    ],
    unlike: ["Italy has another rate.", "These totals are wrong."],
  },
  "this one, whichever it is": {
    pattern: [
      raw`^(this|that|these|those) ((?!${KNOWN})\w+ )?${THING}\b(?! (in|of|at|for|named|called) \`|:? \`)`,
      "^only the one",
    ],
    opening: [
      raw`(\w+ing|to \w+) (it|this|that|them|these|those)`,
      "in (that|this|these|those|both|either) (case|cases|way|situations?)",
      "(for )?the (latter|former|(first|second|third|last|other|same) (one|two|three|case|issue|problem|point|thing))",
      "[a-z]+ly the same",
    ],
    like: [
      "This function rounds each line.",
      "That check is skipped for empty baskets.",
      "Fixing it would mean another index.",
      "In that case the total is null.",
      "The second one rounds.",
      "Only the one in the basket rounds.",
    ],
    unlike: [
      "This PR fixes the rounding of totals.",
      "This function in `basket.ts` rounds.",
      "The second basket of a customer is locked.",
    ],
  },
  // "The function calls …": which one stands elsewhere.
  "a thing without its name": {
    opening: [
      raw`the (${CODE_THING}|struct)( (also|now|then|just|already|only|still))? ` +
        raw`(?!\`|\w*[_.(]|(in|of|for|at|from|with|named|called|that|which)\b|${PLURAL})` +
        "([a-z]+(s|ed)|are|can|did|do|had|have|must|should|were|will|would)",
      raw`the (${VALUE}) (is|was|has|had|gets|comes|must|should|will|would|can)`,
    ],
    like: [
      "The function calls `roundLine()`.",
      "The check must come first.",
      "The hash is derived from the path of the basket.",
    ],
    unlike: [
      "The function `total()` rounds.",
      "The function in `basket.ts` rounds.",
      "The test environment never commits the rates.",
      "The field names must match those of the bank.",
      "The response headers must have the id of the basket.",
      "The entry points are bundled one by one.",
      "The hash of a basket is derived from its path.",
    ],
  },
  "the end of a thought": {
    opening: [
      "or|nor|and|then|for example|for instance",
      "(used|called|set|cleared|consumed|defined|checked|triggered) (in|by|at|from|when)",
    ],
    pattern: [
      "^(otherwise|instead|as a result|afterwards|after that|by then|at that point|until then)",
      "^(because of (this|that)|without (this|that|it|them)|for (this|that) reason)",
      raw`^(\.\.\.|…)`,
    ],
    like: [
      "Or look at the log of the importer.",
      "Used in hooks and tests.",
      "Otherwise the importer waits.",
      "Without this, totals are rounded twice.",
      "... and rounds.",
    ],
    unlike: ["Orders are rounded.", "Uses of `total()` are in tests."],
  },
});

/** An answer to somebody who had named the thing. Case counts, because names have capitals. */
export const ANSWER = phrases(
  {
    "what was done to a thing without its name": {
      pattern: [
        raw`^\w+ed the (\w+ )?(${CODE_THING}|comment|wording|docs?)\b` +
          raw`(?! (in|of|for|at|from|named|called) \`?\w*[A-Z_.])`,
      ],
      like: ["Scoped the loop to open baskets.", "Qualified the doc comment."],
      unlike: ["Scoped the loop in `mergeBaskets()` to open ones."],
    },
    // Without a name in the reason either; a condition tells enough.
    "what follows for a thing without its name": {
      pattern: [
        raw`^(Since|Because) (?![^,]*([a-z][A-Z]|[A-Z]{2}|\w[_.=/]\w|\d))[^,\`]{1,60}, ` +
          raw`the (${CODE_THING})( (also|now|still))? (?!${PLURAL})[a-z]+(s|ed)\b`,
      ],
      like: ["Since rates are optional, the function returns nothing."],
      unlike: [
        "Since `total()` rounds, the function before it must not.",
        "Because Node 22 strips types, the flag is gone.",
        "When no rate is known, the script falls back to that of the shop.",
      ],
    },
  },
  "",
);

export const isDangling = (text: string): boolean => DANGLING.pattern.test(text) || ANSWER.pattern.test(text);
