/** The answer of a search. */
import * as z from "zod";
import { Hit } from "../../model/recall/hit.ts";
import { MODES } from "../../model/recall/ranking.ts";

export const HitsAnswer = z.object({
  mode: z.enum(MODES),
  degraded: z.string().nullable().describe("Why the answer may be incomplete, or null."),
  hits: z.array(Hit),
});
