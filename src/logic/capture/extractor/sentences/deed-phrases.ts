/** Verbs by which a sentence tells that a thing was put in, taken out or brought back. */
import { anyOf, phrases, raw } from "../phrases.ts";

const ENDING = "(e|es|ed|ing|s)?";
const REMOVE = anyOf(
  `(remov|delet|eliminat|discard|abandon|scrapp?|dropp?|revert)${ENDING}`,
  "ripp(ed|ing) out|g[eo]t(ting)? rid of|und(o|id|one|oing)|roll(ed|ing)? back|back(ed|ing)? out|g[ai]ven? up( on)?",
);
const BE = "(is|are|was|were|been) (now |then )?";
const RESTORED = "(restored|reinstated|brought back|re-?added)";
const NEEDED = "(needed|necessary|required)";
/** A verb that no other word goes on with. */
const verbs = (...forms: readonly string[]): string => raw`\b${anyOf(...forms)}(?![\w-])`;

/** The thing stands before the verb. */
export const IS_RESTORED = phrases(
  {
    "is back": {
      pattern: [raw`\b(${BE})?${RESTORED}(?=[.,;)]|$)`, raw`\b${BE}${RESTORED}\b`],
      like: ["`roundLine()` was removed and then brought back.", "`roundLine()` is now restored in the basket."],
      unlike: ["Restored baskets are rounded."],
    },
    "is still needed": {
      anywhere: [`(is|are) still ${NEEDED}`],
      like: ["`roundLine()` is still needed for foreign invoices."],
      unlike: ["`roundLine()` is needed for foreign invoices."],
    },
  },
  "gi",
);

export const WAS_RIGHT = phrases(
  {
    "was right in the first place": {
      pattern: [raw`(?<=\b(original|old|previous|earlier|first)\b.{0,60}) (was|were) (correct|right)\b`],
      like: ["The original `taxOf()` lookup was correct."],
      unlike: ["The total of each line was correct."],
    },
  },
  "gi",
);

export const IS_DROPPED = phrases(
  {
    "is out": {
      anywhere: [`${BE}(removed|deleted|dropped|reverted|abandoned|rolled back|backed out|replaced)`],
      pattern: [raw`\((removed|deleted|reverted)\)`],
      like: ["`roundLine()` was removed.", "`roundLine()` (deleted)"],
      unlike: ["Removed `roundLine()` from the basket."],
    },
    "is no longer needed": {
      anywhere: ["no longer (needed|necessary|required|used)"],
      like: ["The `total` column is no longer needed."],
      unlike: ["The basket no longer needs `total`."],
    },
  },
  "gi",
);

/** The thing stands after the verb. */
export const RESTORES = phrases(
  {
    "brings back": {
      pattern: [
        verbs(
          `(restor|reinstat|re-?introduc|re-?add|re-?enabl)${ENDING}`,
          "(add|put)(s|ed|ing)? back|br(ing|ings|inging|ought) back",
          "(go|goes|went|gone|going|switch(ed|es|ing)?|fell) back to|revert(s|ed|ing)? (back )?to",
        ),
      ],
      like: ["Dropped `rate_cache`, then restored it.", "We went back to `parseRow()` for imports."],
      unlike: ["A restorer of `rate_cache` goes back and forth."],
    },
    "undoes a removal": {
      pattern: [verbs("revert(s|ed|ing)? the (removal|deletion) of")],
      like: ["Reverted the removal of `roundLine()`."],
      unlike: ["Reverted the change of `roundLine()`."],
    },
    "still needs": {
      pattern: [verbs("still needs?")],
      like: ["The invoice still needs `roundLine()`."],
      unlike: ["The invoice needs `roundLine()`."],
    },
  },
  "gi",
);

export const DROPS = phrases(
  {
    "takes out": {
      pattern: [verbs(REMOVE)],
      like: ["Removed `roundLine()` from the basket.", "We got rid of `rate_cache`."],
      unlike: ["The removal of `roundLine()` was announced."],
    },
    "puts another in its place": {
      pattern: [
        verbs(
          `replac${ENDING}|renam${ENDING}`,
          "switch(ed|es|ing)? (away )?from|mov(ed|es|ing) away from",
          raw`(instead of|rather than)( \w+ing)?`,
          "no longer (needs?|uses?|calls?|reads?)",
        ),
      ],
      like: ["Replaced `parseRow()` with a scanner.", "Use `cents` instead of `total` in the basket."],
      unlike: ["A replacement of `parseRow()` was announced."],
    },
  },
  "gi",
);

/** "It adds" and "it uses" describe; "added" and "use" are deeds. */
const PUT_IN = anyOf(
  "(add|introduc|creat|implement|adopt|extract)(e|ed|ing)?",
  "wrote|us(e|ing)|now uses|switch(ed|ing)? to",
);

export const ADDS = phrases(
  {
    "puts in": {
      pattern: [raw`(?<!\bre-)${verbs(PUT_IN)}`],
      like: ["Added `mergeBaskets()` to the basket.", "`total()` now uses `roundLine()`."],
      unlike: ["`total()` uses `roundLine()`.", "Re-added `roundLine()`."],
    },
  },
  "gi",
);

/** Whatever the sentence names was taken out by mistake. */
export const REGRET = phrases({
  "a removal that was wrong": {
    anywhere: [`(incorrectly|wrongly|mistakenly|accidentally|prematurely|should(n't| not) have) ${REMOVE}`],
    pattern: [
      raw`\b${REMOVE}\b[^.;]{0,60}(\((wrong|mistake|incorrect)|\bbut (it|they)('s|'re| is| are) still ${NEEDED}\b)`,
    ],
    like: [
      "The rounding lives in `roundLine()` (which I wrongly removed before).",
      "Removed `roundLine()`, but it's still needed.",
    ],
    unlike: ["Rightly removed `roundLine()`."],
  },
});

/** Before a verb: it was not done. */
export const DENIAL = phrases({
  "a denial": {
    pattern: [raw`(\b(not|never|without|avoid|cannot|nor)|n't|\bno need to)\s+(\w+\s+){0,2}$`],
    like: ["We did not ", "It works without ever "],
    unlike: ["We noted and "],
  },
});

export const CONDITION = phrases({
  "a condition, a wish or a question": {
    anywhere: ["if|when|unless|would|could|might|may|should|consider|whether|option|try|going to|plan to"],
    pattern: [raw`\?$`],
    like: ["If the cache is stale, remove `rate_cache`.", "We could remove `rate_cache`.", "Removed `rate_cache`?"],
    unlike: ["Removed `rate_cache`."],
  },
});
