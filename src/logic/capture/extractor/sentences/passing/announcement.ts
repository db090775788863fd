/** An agent says what it does next, or asks what to do. */
import { anyOf, phrases, raw } from "../../phrases.ts";

/** "Okay, good. Now …": any number of words that lead in. */
const LEAD_IN =
  raw`((ok(ay)?|good|great|perfect|excellent|now|first|next|then|yes|sure|right|alright|hmm|wait|also|and|so)\b` +
  raw`[\s,.!:—–-]*)*`;
const NEXT_STEP = anyOf(
  raw`(the|for) [^.,;]{1,30}[.:!]?$`,
  "a (unit |new )?test",
  "adapt|add|build|change|check|commit|confirm|create|fix|handle|implement|look|make|move|push|read|refactor",
  "remove|rename|replace|run|see|start|test|update|verify|wire|write",
);

export const ANNOUNCEMENT = phrases({
  "what the agent is about to do": {
    anywhere: ["let me"],
    opening: [
      LEAD_IN +
        anyOf(
          "let's (see|check|look|run|start|verify)",
          "i('ll| will)|i( still)? need|i'm (going to|using|now)|i can see|ready to",
        ),
    ],
    like: [
      "Let me read the parser next.",
      "The queue drops jobs, let me look at its worker.",
      "Okay, now I'll run it.",
    ],
    unlike: ["Letters are sorted by the day of their stamp.", "The importer is ready to read rows."],
  },
  "what the agent asks to be allowed": {
    opening: [LEAD_IN + anyOf("want me to|would you like|shall i|should i|do you want", raw`which \w+ would you`)],
    like: ["Great! Should I round each line?", "Which basket would you take?"],
    unlike: ["The office would like each line to be rounded."],
  },
  "the next step of several": {
    opening: [`(now|next|then|first|finally),? ((i|we) (can |must |should |have to |need to )?)?${NEXT_STEP}`],
    like: [
      "Now add the missing index to the orders table.",
      "First, a test for the empty basket.",
      "Next we must replace the lock.",
    ],
    unlike: [
      "First rates are read, and rows only after that.",
      "Now the queue tries three times before it drops a job.",
    ],
  },
  "a second thought, another try": {
    opening: ["wait(?! (for|until))", "now try", "try (it|that|this|again)"],
    anywhere: ["but wait"],
    like: ["But wait, the orders table has no lock.", "Now try again: the basket has all its lines."],
    unlike: ["Imports wait for the lock and try three times.", "Wait for the lock before `flush()`."],
  },
  "something to be shown below": {
    whole: [raw`here('s| is| are)\b[^.]*:`],
    like: ["Here are the rates of the three countries:"],
    unlike: ["Here the importer reads `rates.csv`:"],
  },
});
