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
import { showHits } from "../recall/show-hits.ts";

const NOTHING = "Nothing was said about that.";
const REMEMBERED = "Memories and decisions, asked as a second question:";
const NOTHING_REMEMBERED = "Nothing is remembered about it either.";
const NEXT = "`stele decisions` shows what was decided; `stele recall` finds what is remembered.";
// Without the short form for agents: they ask for the words themselves, and the session.
const said = showHits({ asks: "question", nothing: NOTHING, next: NEXT });
const beside = showHits({ asks: "question", nothing: NOTHING_REMEMBERED, next: NEXT });

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
  render: (answer, reader) =>
    [said.render(answer, reader), ...secondly(answer, (found) => [beside.render(found, reader)])].join("\n"),
  page: (answer, reader) => [
    ...said.page(answer, reader),
    ...secondly(answer, (found) => beside.page(found, reader)).map((part) =>
      typeof part === "string" ? line(part) : part,
    ),
  ],
});

/** Two questions, two lists. */
function secondly<Shown>(
  { remembered: hits }: WhyAnswer,
  show: (found: Pick<WhyAnswer, "hits" | "degraded">) => readonly Shown[],
): (Shown | string)[] {
  if (hits === undefined) return [];
  return [...(hits.length > 0 ? [REMEMBERED] : []), ...show({ hits, degraded: null })];
}
