/** What the agent knows, can or wants; what it did is another matter. */
import { anyOf, phrases, raw } from "../../phrases.ts";

const MODAL = anyOf(
  "do not|don't|did not|didn't|can|can't|cannot|could|couldn't|want(ed)?|wasn't|haven't|hadn't",
  "should|need to|must|have to|acknowledged|asserted|have (a|the|enough|all)|just",
);

export const ABOUT_AGENT = phrases({
  "what the agent can, wants and must": {
    anywhere: [`i ${MODAL}`, "i('ll| will|'d (lean|go|prefer|want|say|do|call)|'m (going to|just|only))"],
    like: [
      "I don't have evidence that `total()` is ever called with null.",
      "Since the schema is there, I'll write the importer.",
      "I should skip the check when the basket is empty.",
      "I'd lean toward the second option.",
      "I'd call it done with the index as a later task.",
    ],
    unlike: ["I added `roundLine()` to the importer."],
  },
  "its own work": {
    anywhere: [
      raw`my (\w+ ){0,2}(tests?|fix(es)?|changes?|edits?|code|script|implementation)`,
      "my (research|analysis|search|investigation|understanding|hypothesis)",
    ],
    pattern: [raw`\bmy (earlier|previous|own) `, raw`^[^.;:]*\bmy (new|test)\b[^.;:]*[.:]?$`],
    like: [
      "My research covered only the public documentation of the bank.",
      "The linter complains about my new test file.",
      "The lock of my earlier importer is still there.",
    ],
    unlike: ["The importer of my_shop reads rows."],
  },
  "what it looks at": {
    opening: ["read to(?! the)", "the `[^`]+` ones? (is|are)"],
    like: ["Read to verify that the importer was not the cause.", "The `total` one is the same."],
    unlike: ["Reads are faster than writes in the basket.", "Read to the end of the stream, or the socket leaks."],
  },
});
