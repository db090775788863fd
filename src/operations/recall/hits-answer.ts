/** The answer of a search. */
import * as z from "zod";
import { Hit } from "../../model/recall/hit.ts";
import { MODES } from "../../model/recall/ranking.ts";

export const HitsAnswer = z.object({
  mode: z.enum(MODES),
  degraded: z.string().nullable().describe("Why the answer may be incomplete, or null."),
  hits: z.array(Hit),
});

/** Two questions, two lists: the hits, and what one session noted about the same. */
export const WithSession = HitsAnswer.extend({
  session: z
    .object({
      sessions: z.array(z.string()).describe("The latest first."),
      lines: z.array(z.string()).describe("For each a heading, then its notes by words shared with the question."),
    })
    .nullable()
    .describe("What an earlier session noted about it, and a later one about the same matter."),
});
