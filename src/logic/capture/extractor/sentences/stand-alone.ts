/** Whether a sentence is whole, and says something without those around it. */
import { anyOf, phrases, raw } from "../phrases.ts";
import { SEVERAL } from "./words.ts";

const EXAMPLE = /"[A-Z]{1,2}"|(?:"[A-Z]{3,5}".*){2}/;
/** The `"D"` of an example that stands elsewhere. */
export const isOfExample = (text: string): boolean => EXAMPLE.test(text);

/** A piece of a sentence that was cut at a full stop within a quotation or code. */
export const isFragment = (text: string): boolean =>
  count(text, '"') % 2 === 1 || count(text, "`") % 2 === 1 || text.includes("←") || COMMAND_LINE.test(text);
/** "tool --option path": typed, not said. */
const COMMAND_LINE = /^[$#>%]?\s*[a-z][\w.-]*(?: [\w./:=@-]+){0,3} --?[a-z][\w-]*(?:=[^\s`]+)?(?: [^\s`]+)*$/;
const count = (text: string, character: string): number => text.split(character).length - 1;

const WEIGHT = "((key|main|real|actual|only|important|essential|critical|crucial|final|missing|whole|one) )*";
const MATTER = anyOf(
  "fix|change|problem|issue|bug|cause|solution|thing|piece|part|difference|culprit|addition|improvement|trick",
);

export const TARGETLESS = phrases({
  // Another memory may tell to what.
  "the matter, without what it is about": {
    opening: [`(the|our|this|that) ${WEIGHT}${MATTER}( here| there)? (is|was)`],
    like: ["The key fix was adding `round`.", "The problem here is the clock."],
    unlike: ["The fix of `total()` was adding `round`."],
  },
});
export const lacksTarget = (text: string): boolean => TARGETLESS.pattern.test(text);

export const LIST_ANNOUNCEMENT = phrases({
  "only that a list follows": {
    pattern: [
      "^((there are|we have|it has|here are|these are|this has|i (see|found)|found) )?(the |these |only |exactly )?" +
        raw`(${SEVERAL}|\d{1,2}) ((?!of\b)[\w-]+ ){0,2}(\w+s|kinds of \w+|types of \w+|ways to \w+)` +
        "( (here|left|involved|to (consider|note|know)))?[.:]?$",
    ],
    like: ["Two different locations", "There are three cases to consider:"],
    unlike: ["Two of the baskets", "404 responses", "Three baskets share a lock."],
  },
});
export const announcesList = (text: string): boolean => LIST_ANNOUNCEMENT.pattern.test(text);
