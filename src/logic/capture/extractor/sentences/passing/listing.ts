/** A file and what it is for: its name or its first line says as much. */
import { phrases, raw } from "../../phrases.ts";

export const LISTING = phrases({
  "in which line it is": {
    pattern: [raw`^[^.;:]{0,60} \(lines? ~?\d[^()]*\)[.;]?$`],
    like: ["Basket not found (line 940)"],
    unlike: ["`total()` (line 12) rounds each price of the basket."],
  },
  // What was changed in it, or has to be so, is worth keeping.
  "what a file is for": {
    pattern: [
      raw`^\`?[\w./-]+\.\w{1,5}\`?( \([^()]*\))?\s*[-—–:]\s*(?!.*\b(\w+ed|now|no longer|must|not)\b)[^.;]{3,70}$`,
    ],
    like: ["`src/basket.ts` — The basket and its lines", "basket.test.ts: tests of the basket"],
    unlike: ["`src/basket.ts`: Rounding moved to `roundLine()`"],
  },
});
