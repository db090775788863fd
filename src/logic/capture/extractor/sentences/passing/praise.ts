/** Says that work is good, which does not tell how it works. */
import { phrases, raw } from "../../phrases.ts";

export const PRAISE = phrases({
  "good work": {
    anywhere: [
      "surgical|nicely|elegant",
      "well-(scoped|tested|structured|written|designed|organi[sz]ed|documented)",
      "looks? (good|great|solid|correct|fine|clean|right)(?!,? (but|yet|until)\\b)",
      "good (defensive|coding) practices?|defensive coding practices?",
    ],
    like: [
      "The fix is surgical: only `roundLine()` changes.",
      "The importer is well-structured and fast.",
      "The rounding of `total()` looks solid.",
      "A guard before `total()` is good defensive practice.",
    ],
    unlike: ["The importer looks for rates in `rates.csv`.", "A trailing slash looks fine but breaks the signature."],
  },
  "a point that somebody has": {
    anywhere: [raw`valid (\w+ )?(fix|concern|issue)s?`, "(are|is)( all| both)? (fair|good) points?"],
    like: [
      "Review of `mergeBaskets()`: the lock is a valid concern.",
      "The two notes on rounding are fair points, and both rates were checked with the office.",
    ],
    unlike: ["A valid rate is above zero."],
  },
});
