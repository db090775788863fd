/** Politeness and agreement, which a person may like to read once. */
import { phrases, raw } from "../../phrases.ts";

const PLEASED = "(good|great|nice|perfect|excellent|interesting|ok(ay)?)";

export const COURTESY = phrases({
  "whatever the person wants": {
    anywhere: [
      "whenever you('re)? (want|like|need|wish|prefer|have|feel|are|ready)",
      "when you're ready",
      "ready (for you )?to commit",
    ],
    like: ["The report is there whenever you want to see it.", "The basket is ready for you to commit."],
    unlike: ["Rates are read whenever the importer starts.", "Whenever you change the schema, run `make gen`."],
  },
  "the person is right": {
    anywhere: ["you're right"],
    opening: ["(good|fair) point"],
    pattern: [
      raw`^[^.;:—]{0,40}\b(valid|good|fair) (points?|concerns?|catch(es)?|observations?)\b[^.;:—]{0,20}[.!]?$`,
      raw`^[^.;:—]{0,20}\bthe right (thing|call|move)( to do)?[.!]?$`,
    ],
    like: [
      "But you're right, the index is heavy for a table that small.",
      "Good point about the rates: `total()` may get none.",
      "The reviewer raised a valid point.",
      "That was absolutely the right thing to do.",
    ],
    unlike: ["A fair point of sale terminal prints the tax; `receiptOf()` does so too."],
  },
  "reassures the person": {
    pattern: [
      raw`^(this|that|it) is (just |exactly |simply )?how [^.:;]{1,40} (works|behaves)( normally| by design)?` +
        raw`( [-–—] [^\`\d]*)?[.!]?$`,
    ],
    like: [
      "This is how the importer works normally - it keeps rates apart.",
      "That is exactly how the basket behaves.",
    ],
    unlike: [
      "How the importer works is told in `docs/import.md`.",
      "This is how the importer works: it asks three times.",
      "This is how the importer works - `rateOf()` asks three times.",
    ],
  },
  "nothing but a nod": {
    whole: ["done", "all (clean|good|green|set)", "looks? good", "clear picture now", "good question"],
    like: ["Done.", "All set!", "Good question."],
    unlike: ["Done — `total()` rounds each line of the basket."],
  },
  // With forty characters and a name of code after it, it tells something.
  "a nod before a remark": {
    pattern: [raw`^${PLEASED}\s?[,!:;—–-]((?!.{40})|(?!.*\`))`],
    like: [
      "Perfect, the invoice module has what is needed.",
      "Good - `parseRow()` exists.",
      "Good, the importer of the shop has all that it needs for this.",
    ],
    unlike: ["Good - `parseRow()` takes the rate of the country from the first row of each file."],
  },
});
