/** A guess: it may have turned out otherwise. */
import { phrases, raw } from "../phrases.ts";

export const GUESS = phrases({
  "in doubt": {
    anywhere: [
      "likely|probably|maybe|perhaps|presumably|seems?|suspicious|hypothesis|suspicions?|in theory",
      "looks like|appears? to|suggests? that|would explain",
      "supports (this|that)|rules? (out|it out)",
    ],
    like: [
      "The lock is probably held by the importer.",
      "That would explain the delay.",
      "It looks like the importer holds the lock.",
    ],
    unlike: ["The lock is held by the importer."],
  },
  "what may be": {
    anywhere: [
      raw`(?<!\byou )might|may have`,
      raw`(?<!\bonly\b.{0,40})may be(?! \w+(ed|en|wn|ne)\b)`,
      "could (have|also|potentially|accidentally|inadvertently)",
      raw`could be(?! \w+(ed|en|wn)\b)`,
    ],
    like: ["It might be the clock.", "The rate could be zero."],
    unlike: [
      "The same basket could be written twice by two importers.",
      "The errors you might see in the editor are stale.",
      "Only one file may be open at once.",
      "Several imports may be done at once.",
    ],
  },
  "how sure somebody is": {
    anywhere: [raw`\d{1,3} ?%? ?[-–] ?\d{1,3} ?% (confidence|confident|sure|likely)`],
    pattern: [raw`\b(confidence|probability|likelihood)( of|:)? ~?\d{1,3} ?%`],
    like: ["The import is feasible with 70-90% confidence.", "Confidence: 80 % that the clock is to blame."],
    unlike: ["A rebate of 5-10 % is given to customers abroad.", "Prices carry a confidence that the bank sets."],
  },
  "what should be so": {
    anywhere: [raw`should (now |then )?(be \w+ed|work|appear|pass|see)`, "should be (fine|ok(ay)?|enough|safe)"],
    like: ["The total should now be rounded on import.", "One lock should be enough."],
    unlike: ["The total must be rounded on import."],
  },
  "what somebody believes": {
    anywhere: ["i (think|suspect|assumed?|believe|guess|wonder)", "i'd (say|guess|bet)", "my (guess|theory|hunch)"],
    like: ["My guess: the cache is stale.", "I suspect the clock of the fixture."],
    unlike: ["The guess of the bank is stored in `rates`."],
  },
});
export const isGuess = (text: string): boolean => GUESS.pattern.test(text);
