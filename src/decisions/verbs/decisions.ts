/** List the decisions in force. */
import * as z from "zod";
import { limitOf, ModeInput, searching, timeWords } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { identity } from "../../memory/item.ts";
import { Hit, HitsAnswer } from "../../recall/hit.ts";
import { oneLine, showHits } from "../../recall/show-hits.ts";
import { line, type Paragraph } from "../../text/paragraph.ts";
import { counted, titled } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import { readMoment } from "../../time/read-time.ts";
import { decisionsAbout, waitingAbout } from "../read-decisions.ts";

const NEXT = "`stele proposals` shows what waits to be ratified.";
const NOTHING = "No matching decisions.";
const shown = showHits({ asks: "subject", nothing: NOTHING, next: NEXT });
/** Proposals named where no decision is found. */
const WAITING_MOST = 3;

const Waiting = z.object({
  total: z.int().describe("Number of proposals that wait, about the subject if one is given."),
  items: z.array(z.object({ ...identity, subject: z.string().nullable(), decision: z.string() })),
});
type Waiting = z.infer<typeof Waiting>;

/** Default number of hits when no subject is given. */
const ALL_MOST = 20;

export default defineOperation({
  name: "decisions",
  group: "decisions",
  summary:
    "List the ratified decisions that hold for a subject, or held at a given time. Reads no evidence; `why` finds the reasons.",
  effect: "read",
  repeatable: true,
  input: z.object({
    subject: shortText(1_000).optional().describe("Subject: a word, a name or a question. All decisions when omitted."),
    at: timeWords.optional().describe("Decisions in force at this time; now when omitted."),
    limit: searching.limit.describe(
      `Maximum number of hits; the setting recall.limit when omitted, ${ALL_MOST} if no subject is given.`,
    ),
    mode: ModeInput.default("hybrid").describe("Search mode for an unknown subject: hybrid, keyword or semantic."),
    threshold: z.number().min(0).max(1).default(0.35).describe("Minimum relevance for an unknown subject."),
  }),
  output: HitsAnswer.extend({
    hits: z
      .array(Hit)
      .describe(
        "`history` lists what each replaced; `related` lists its successors and related decisions. Decisions only related to the subject come last.",
      ),
    waiting: Waiting.optional().describe(
      "The newest proposals that a person has yet to ratify, if no decision is found.",
    ),
  }),
  tool: {
    summary:
      "What was decided: the decisions that hold for a subject, ratified by a person, with what was rejected. Read them before choosing an approach.",
    fields: ["subject"],
  },
  cli: {
    completes: { subject: "subject" },
    positional: ["subject"],
    examples: ["stele decisions", "stele decisions auth", "stele decisions auth --at 2026-01-31"],
  },
  run: async ({ at, limit, ...input }, world) => {
    const most = input.subject === undefined ? (limit ?? ALL_MOST) : limitOf(limit, world);
    const answer = await decisionsAbout({ ...input, limit: most, at: await readMoment(at, "past", world) }, world);
    if (answer.hits.length > 0 || at !== undefined) return answer;
    const { items, total } = await waitingAbout({ ...input, limit: WAITING_MOST }, world);
    if (total === 0) return answer;
    const named = items.map(({ id, handle, subject, decision }) => ({ id, handle, subject, decision }));
    return { ...answer, waiting: { total, items: named } };
  },
  render: (answer, reader) => [shown.render(answer, reader), ...waitingLines(answer.waiting)].join("\n"),
  renderForAgent: (answer, reader) =>
    [shown.renderForAgent(answer, reader), ...waitingLines(answer.waiting)].join("\n"),
  page: (answer, reader): Paragraph[] => [
    ...shown.page(answer, reader),
    ...waitingLines(answer.waiting).map((text) => line(text)),
  ],
});

function waitingLines(waiting: Waiting | undefined): string[] {
  if (waiting === undefined) return [];
  const { items, total } = waiting;
  const lines = items.map(
    ({ handle, subject, decision }) => `${handle}  ${oneLine(titled(subject ?? "(no subject)", decision), 200)}`,
  );
  const rest = total > items.length ? [`and ${total - items.length} more; \`stele proposals\` lists all`] : [];
  const first = items[0]?.handle ?? "";
  return [
    `${counted(total, "proposal waits", "proposals wait")} for a person; \`stele ratify ${first}\` asks about the first:`,
    ...lines,
    ...rest,
  ];
}
