/** Tell what holds. */
import * as z from "zod";
import { decisionsAbout } from "../../engine/decisions/decisions.ts";
import { Hit } from "../../model/recall/hit.ts";
import { shortText } from "../../model/text/text.ts";
import { ModeInput, limitOf, moment, searching } from "../fields.ts";
import { HitsAnswer } from "../recall/hits-answer.ts";
import { defineOperation } from "../operation.ts";
import { timeOf } from "./propose.ts";
import { renderHits } from "../recall/render-hits.ts";

/** Of all subjects. */
const ALL_MOST = 20;

export default defineOperation({
  name: "decisions",
  group: "decisions",
  summary:
    "Tell which ratified decisions hold for a subject, or held at a time. It reads no evidence; `why` finds the reasons.",
  effect: "read",
  repeatable: true,
  input: z.object({
    subject: shortText(1_000)
      .optional()
      .describe("What they are about; a word, a name or a question. All when omitted."),
    at: moment.optional().describe("What held at this time; now when omitted."),
    limit: searching.limit.describe(
      `How many hits at most; the setting recall.limit when omitted, ${ALL_MOST} where no subject is named.`,
    ),
    mode: ModeInput.default("hybrid").describe("How an unknown subject is looked for: hybrid, keyword or semantic."),
    threshold: z.number().min(0).max(1).default(0.35).describe("Least relevance where the subject is unknown."),
  }),
  output: HitsAnswer.extend({
    hits: z
      .array(Hit)
      .describe(
        "`history` is what each replaced; `related` names what has followed it and its neighbours. What is only related to the subject comes last.",
      ),
  }),
  cli: {
    positional: ["subject"],
    examples: ["stele decisions", "stele decisions auth", "stele decisions auth --at 2026-01-31"],
  },
  run: async ({ at, limit, ...input }, world) => {
    const most = input.subject === undefined ? (limit ?? ALL_MOST) : limitOf(limit, world);
    return decisionsAbout({ ...input, limit: most, at: timeOf(at) }, world);
  },
  render: ({ hits, degraded }) => renderHits(hits, degraded, "Nothing is decided about that."),
});
