/** Find evidence about a question. */
import * as z from "zod";
import { limitOf, period, searching, session } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Hit, WithSession } from "../../recall/hit.ts";
import { showHits } from "../../recall/show-hits.ts";
import { line, verbatim } from "../../text/paragraph.ts";
import { shortText } from "../../text/text.ts";
import { readPeriod } from "../../time/read-time.ts";
import { wholeTurn } from "../evidence.ts";
import { why, type WhyAnswer } from "../why.ts";

const NOTHING = "Nothing was said about that.";
const REMEMBERED = "Memories and decisions, asked as a second question:";
const NOTHING_REMEMBERED = "Nothing is remembered about it either.";
const NEXT = "`stele decisions` shows what was decided; `stele recall` finds what is remembered.";
const said = showHits({ asks: "question", nothing: NOTHING, next: NEXT, isJudged: true });
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
    full: z
      .boolean()
      .default(false)
      .describe("Also show the whole turn that answers best, with what its tools printed."),
    archived: z.boolean().default(false).describe("Also search archived evidence; slower, because it is not indexed."),
  }),
  output: WithSession.extend({
    whole: z.string().nullable().describe("If asked for: the whole turn of the first hit, each part with who said it."),
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
      "stele why retries --full",
    ],
  },
  run: async ({ question, session: from, since, until, archived, full, limit, ...rest }, world) => {
    const filter = { ...(from !== undefined && { session: from }), ...(await readPeriod({ since, until }, world)) };
    const about = { query: question, limit: limitOf(limit, world), filter, isArchived: archived };
    const answer = await why({ ...rest, ...about }, world);
    const [item] = full
      ? await world.project.items(
          "evidence",
          answer.hits.slice(0, 1).map(({ id }) => id),
        )
      : [];
    return { ...answer, whole: item ? wholeTurn(item) : null };
  },
  render: (answer, reader) => inText("render", answer, reader),
  renderForAgent: (answer, reader) => inText("renderForAgent", answer, reader),
  page: (answer, reader) => [
    ...said.page(answer, reader),
    ...secondly(answer, (found) => beside.page(found, reader)).map((part) =>
      typeof part === "string" ? line(part) : part,
    ),
    ...(answer.whole === null ? [] : ["", ...answer.whole.split("\n")].map((text) => verbatim(text))),
  ],
});

type Answer = WhyAnswer & { whole: string | null };

const inText = (way: "render" | "renderForAgent", answer: Answer, reader: Parameters<typeof said.render>[1]): string =>
  [
    said[way](answer, reader),
    ...secondly(answer, (found) => [beside[way](found, reader)]),
    ...(answer.whole === null ? [] : ["", answer.whole]),
  ].join("\n");

/** Two questions, two lists. */
function secondly<Shown>(
  { remembered: hits }: WhyAnswer,
  show: (found: Pick<WhyAnswer, "hits" | "degraded" | "session">) => readonly Shown[],
): (Shown | string)[] {
  if (hits === undefined) return [];
  return [...(hits.length > 0 ? [REMEMBERED] : []), ...show({ hits, degraded: null, session: null })];
}
