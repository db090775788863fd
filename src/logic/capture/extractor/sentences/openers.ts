/**
 * Takes from the beginning of a sentence what belongs to a conversation, so that it states its fact.
 *
 * Politeness, agreement and remarks on the search go wherever they stand; words that tie a sentence to the one before
 * go only where that one is missing.
 */
import { anyOf, expression, phrases, raw } from "../phrases.ts";
import { FIXED_IN } from "./words.ts";

const END = raw`(\s?[,.!:;—–]|\s-)\s*`;

/** Goes with the comma, colon or dash after it. */
export const SAID = phrases({
  agreement: {
    opening: [
      "(you're|you are|that's) (absolutely |totally )?(right|correct)",
      "(good|great|fair|excellent|valid|nice) (point|catch|question|idea|call|news)s?",
      "fair enough|got it|understood|interesting(ly)?|agreed|exactly|absolutely|indeed",
      "perfect|great|good|nice|excellent",
      "(the|this|that|your) (change|fix|diff|code|implementation) (is|looks) (clean|correct|fine|good|right)",
    ],
    like: ["You're absolutely right: totals are in cents.", "Good catch — it rounds.", "The code is right: it rounds."],
    unlike: ["Goods without a rate are free of tax."],
  },
  "a summary in a word": {
    opening: [
      "correction|short answer|to be clear|in short|bottom line|tl;?dr|in your case|(for|as of) now|so yes|found it",
      "bingo|aha|(all )?(done|set)",
    ],
    like: ["In your case, the basket had no lines.", "All set: `total` holds cents."],
    unlike: ["Corrections of rates are read at night."],
  },
  "that something was found": {
    opening: [
      "(here's |that's |found |there's )?the (real |actual |exact )?" +
        "(issue|problem|bug|culprit|key (insight|point|thing|finding|observation))",
      "look at (the|this) [a-z ]{1,30}",
      "looking at (the|this|that|these|those|it)? ?[^,:.]{1,60}",
    ],
    like: ["Found the real issue: each row is read twice.", "Looking at the importer, each row is read twice."],
    unlike: ["The issues of the bank are listed."],
  },
  "what was asked, or said before": {
    opening: [
      "to (summari[sz]e|recap|answer (your|the) question)[^:,.]{0,80}",
      "as " +
        anyOf(
          "you (asked|said|noted|mentioned|suggested|requested)",
          "(mentioned|noted|discussed|described|explained|seen|shown) (above|before|earlier)",
          "expected|i (said|mentioned)",
        ),
    ],
    like: ["To answer your question: totals are in cents.", "As mentioned above, totals are in cents."],
    unlike: ["As soon as rates are read, it rounds."],
  },
  "that something was wrong": {
    opening: [
      "(no,? )?(that|this|it)('s| is| was) (wrong|incorrect|not (right|correct|true|quite right))",
      "(i was|my) (wrong|mistaken|mistake|bad)( (about that|there|before))?|not quite",
    ],
    like: ["No, that's wrong: totals are in cents.", "My mistake, totals are in cents."],
    unlike: ["My baskets are wrong."],
  },
  "in which commit it was fixed": {
    opening: [FIXED_IN],
    like: ["Fixed in 4be1d07c. `total()` rounds."],
    unlike: ["Fixed in the importer."],
  },
  "a word to begin with": {
    opening: [
      "hmm+|ah+|oh+|i see( now)?|actually|no|nope|nah|wait|right|yes|yep|yeah|yup|sure|ok(ay)?|well",
      "honestly( though)?|(worth noting|note)( that)?",
    ],
    like: ["Actually, `total` holds cents.", "Worth noting: `total` holds cents."],
    unlike: ["Notes are kept for a year."],
  },
});
const TIED = "however|also|additionally|that said|so|and|but|then|thus|therefore|hence|meanwhile|similarly|likewise";

const ANY_SAID = anyOf(...Object.values(SAID.rows).flatMap(({ opening = [] }) => opening));
const CONVERSATION = expression(`^(((but|and|so),? )?${ANY_SAID}${END})+`);
const TIE = expression(
  `^((${ANY_SAID}|${TIED})${END}|` +
    raw`(but|and|so) (?=\S)|(also|it turns out|turns out|i (can )?see)( that| there's)? (?=\S))+`,
);

const DEED = anyOf(
  "added|built|changed|consolidated|converted|created|deleted|disabled|documented|dropped|enabled|extended|extracted",
  "filed|fixed|implemented|introduced|kept|made|moved|refactored|removed|renamed|replaced|restored|reverted|rewrote",
  "simplified|split|switched|updated|wrapped|wrote",
);

export const DOER = phrases({
  // Who did it does not matter later.
  "who did something": {
    pattern: [raw`^(i|we)('ve| have)? (also |just |now |then |already )?(?=${DEED}\b)`],
    like: ["I've added `roundLine()` to the importer."],
    unlike: ["I read the importer twice."],
  },
});

export const REQUEST = phrases({
  // It is settled by its being here.
  "that something is to be remembered": {
    pattern: [
      "^(please,? )?(remember|keep in mind|bear in mind|for the record|don't forget)" +
        raw`([:,]| that\b| this[:,])\s*`,
      ",? (please )?remember (that|this)(?=[.!]?$)",
    ],
    like: ["Please remember that totals are in cents.", "Totals are in cents, remember this."],
    unlike: ["The importer remembers that rows were read."],
  },
  "that somebody is put right": {
    pattern: [raw`^actually (?=(the|our|we|it|this|that|all|no)\b)`],
    like: ["Actually the totals are in cents."],
    unlike: ["Actually rounded totals are in cents."],
  },
});

/** `isFirst`: nothing stands before it. */
export function withoutOpener(text: string, isFirst: boolean): string {
  const rest = text
    .replace(isFirst ? TIE : CONVERSATION, "")
    .replace(REQUEST.pattern, "")
    .replace(DOER.pattern, "");
  return rest === text || rest.length < SHORTEST ? text : `${rest[0]!.toUpperCase()}${rest.slice(1)}`;
}

const SHORTEST = 12;
