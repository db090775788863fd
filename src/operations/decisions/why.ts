/** Find evidence about a question. */
import * as z from "zod";
import { type WhyAnswer, why } from "../../engine/decisions/why.ts";
import { readPeriod } from "../../engine/time/read-time.ts";
import { Hit } from "../../model/recall/hit.ts";
import { line } from "../../model/text/paragraph.ts";
import { shortText } from "../../model/text/text.ts";
import { session } from "../fields.ts";
import { limitOf, period, searching } from "../search-fields.ts";
import { HitsAnswer } from "../recall/hits-answer.ts";
import { defineOperation } from "../operation.ts";
import { hitsPage } from "../recall/hits-page.ts";
import { hitsForAgent } from "../recall/hits-for-agent.ts";
import { renderHits } from "../recall/render-hits.ts";

const NOTHING = "Nothing was said about that.";
const REMEMBERED = "Memories and decisions, asked as a second question:";
const NOTHING_REMEMBERED = "Nothing is remembered about it either.";
const NEXT = "`stele decisions` shows what was decided; `stele recall` finds what is remembered.";

export default defineOperation({
  name: "why",
  group: "decisions",
  summary:
    "Find what was said about something, word for word, by whom and when: the evidence. " +
    "If nothing was, memories and decisions are asked as a second question; `decisions` tells what holds.",
  effect: "read",
  repeatable: true,
  input: z.object({
    question: shortText(10_000).describe("What you want to know the reasons for, in plain words."),
    ...searching,
    session: session.optional().describe("Only what was said in this session."),
    ...period("what was said"),
    archived: z.boolean().default(false).describe("Also search archived evidence; slower, because it is not indexed."),
  }),
  output: HitsAnswer.extend({
    remembered: z
      .array(Hit)
      .optional()
      .describe("Memories and decisions about it, asked as a second question where no evidence clearly answers."),
  }),
  cli: {
    positional: ["question"],
    examples: [
      'stele why "did we choose tokens over cookies"',
      "stele why retries --since 2026-01-01 --limit 3",
      'stele why "the first release" --archived',
    ],
  },
  run: async ({ question, session: from, since, until, archived, limit, ...rest }, world) => {
    const filter = { ...(from !== undefined && { session: from }), ...(await readPeriod({ since, until }, world)) };
    const about = { query: question, limit: limitOf(limit, world), filter, isArchived: archived };
    return why({ ...rest, ...about }, world);
  },
  render: ({ hits, degraded, remembered }) =>
    both(renderHits(hits, degraded, NOTHING), remembered, (found) => renderHits(found, null, NOTHING_REMEMBERED)),
  renderForAgent: ({ hits, degraded, remembered }) =>
    both(hitsForAgent(hits, degraded, NOTHING), remembered, (found) => hitsForAgent(found, null, NOTHING_REMEMBERED)),
  page: ({ hits, degraded, remembered }, reader) => {
    const { question } = reader.input;
    const said = hitsPage({ hits, degraded, question, nothing: NOTHING, next: NEXT }, reader);
    if (remembered === undefined) return said;
    const about = { hits: remembered, degraded: null, question, nothing: NOTHING_REMEMBERED, next: NEXT };
    return [...said, ...(remembered.length > 0 ? [line(REMEMBERED)] : []), ...hitsPage(about, reader)];
  },
});

/** Two questions, two lists. */
function both(said: string, remembered: WhyAnswer["remembered"], render: (found: readonly Hit[]) => string): string {
  if (remembered === undefined) return said;
  return [said, ...(remembered.length > 0 ? [REMEMBERED] : []), render(remembered)].join("\n");
}
