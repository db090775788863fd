/** Headings that name no subject: they say that a message has sections, or belong to the conversation. */
import { anyOf, phrases } from "../phrases.ts";
import { passingClass } from "./passing.ts";

const SECTION = anyOf(
  "summary|overview|analysis|details|context|background|notes?|concepts|findings|points|takeaways|results?",
  "changes?( made| include)?|issues?( found)?|files( and code sections)?|errors and fixes|problem solving",
  "test coverage|implementation|description|review|state|status|solution|done|completed",
  "what (changed|was (done|wrong|happening|fixed|added)|i did|happened)|how it works( now)?",
  "(is|was) (happening|the (issue|problem))|(what's )?good|strengths|positives",
);

export const BARE_HEAD = phrases({
  "a section of a message": {
    pattern: [
      `^((quick |final |brief |full |code |key |main |all |important |technical |the )*${SECTION}|` +
        "summary of (the )?changes)( made| summary)?$",
    ],
    like: ["Key Findings", "Summary of changes", "What was wrong"],
    unlike: ["Root cause", "Rounding of totals", "Changes of the tax law"],
  },
  "a question": { pattern: ["\\?$"], like: ["What about refunds?"], unlike: ["`basket.ts`"] },
  "a part of the conversation": {
    pattern: ["^(so|and|but)$"],
    opening: [
      "((so|but|and|now|ok(ay)?),? )?" +
        anyOf(
          "look(ing)? at|to (summari[sz]e|recap|answer)|here('s| is| are)",
          "yes|no|what matters|the flow|which|in your|that's|it's|these are",
          "this (can|could|would|will)? ?(happens?|explains?|confirms?|shows?|means|is mitigated)",
        ),
    ],
    like: ["So", "Looking at the basket", "Here's what happened", "Yes, these", "Now, this explains the delay"],
    unlike: ["Notes of the bank", "Thisbe's rates"],
  },
});

export const isBare = (heading: string): boolean =>
  heading === "" || BARE_HEAD.pattern.test(heading) || isPassingHead(heading);

function isPassingHead(heading: string): boolean {
  const found = passingClass(`${heading}:`);
  return found !== null && found !== "conflict";
}
