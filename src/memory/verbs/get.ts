/** Read one item in full. */
import * as z from "zod";
import { quiet, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { EMPTY_LINE, type Paragraph, verbatim } from "../../text/paragraph.ts";
import { counted } from "../../text/short-text.ts";
import { dayIn, timeIn, timeShown } from "../../time/shown.ts";
import { handleOf } from "../handles.ts";
import { getItem } from "../list.ts";
import { Memory } from "../view.ts";

const COLUMN = 14;
/** As git abbreviates them. */
const COMMIT_DIGITS = 10;
const USUAL_PRIORITY = 5;
const ROW_CHARACTERS = 2_000;

/** Indents stored text, so that it cannot pass for a row of its own. */
const inColumn = (value: unknown): string =>
  String(value).replaceAll(/\r\n?|[\n\v\f\u0085\u2028\u2029]/g, `\n${" ".repeat(COLUMN)}`);

export default defineOperation({
  name: "get",
  group: "memory",
  summary: "Read one item in full, with what it replaced.",
  effect: "read",
  repeatable: true,
  input: z.object({ id: typedId.describe("Id or handle of the item."), quiet }),
  output: Memory.extend({ history: z.array(Memory) }),
  tool: { fields: ["id"] },
  cli: {
    completes: { id: "item" },
    positional: ["id"],
    examples: ["stele get 7fd436b5"],
  },
  choice: {
    field: "id",
    question: () => "Read which one?",
    candidates: async ({ id }, world) => (await import("../find-item.ts")).targetsToChoose(id, "item", world),
  },
  run: async (input, world) => {
    const { memory, history } = await getItem(input, world);
    return { ...memory, history };
  },
  render: ({ content, ...memory }, { zone }) => {
    const rows = [
      ["handle", memory.handle],
      ["id", memory.id],
      ["title", memory.title],
      ["type", `${memory.type}, ${memory.scope}, ${memory.status}`],
      ...rowsOf({ content, ...memory }, (iso) => timeIn(iso, zone)),
    ];
    return `${shownRows(rows)
      .map(([name, value]) => `${name.padEnd(COLUMN)}${inColumn(value)}`)
      .join("\n")}\n\n${content}`;
  },
  // The text comes first: it is what a person asked for.
  page: (memory, reader) => [
    {
      spans: [
        { text: memory.handle, style: "handle" },
        ...(memory.title ? [{ text: `  ${memory.title}`, style: "name" } as const] : []),
        { text: `  ${memory.type}, ${memory.scope}, ${memory.status}`, style: "fact" },
      ],
      hang: 2,
    },
    EMPTY_LINE,
    ...memory.content.split("\n").map((text) => verbatim(text)),
    EMPTY_LINE,
    ...shownRows(rowsOf(memory, (iso) => timeShown(iso, reader)).filter(isTelling(memory))).map(
      ([name, value]): Paragraph => ({
        spans: [{ text: name.padEnd(COLUMN), style: "fact" }, { text: oneLine(String(value), ROW_CHARACTERS) }],
        hang: COLUMN,
      }),
    ),
  ],
  renderForAgent: ({ history, context, content, ...memory }, { zone }) => {
    const facts = [
      ...[memory.handle, memory.type, memory.scope, memory.status, dayIn(memory.updatedAt, zone)],
      memory.byAgent ? "by an agent" : memory.source,
      ...(memory.supersededBy ? [`superseded by ${handleOf(memory.supersededBy)}`] : []),
      ...(memory.validUntil ? [`holds until ${dayIn(memory.validUntil, zone)}`] : []),
    ];
    const rows: [string, unknown][] = [
      ["title", memory.title],
      ["tags", memory.tags.join(", ")],
      ["files", context.files.join(", ")],
      ["background", memory.background],
      ...groundRows(memory.grounds, String).filter(([name]) => name === "rationale" || name === "rejected"),
      ["evidence", (memory.evidence ?? []).map(handleOf).join(", ")],
      ...history.map((past): [string, unknown] => ["replaced", `${past.handle}: ${past.summary}`]),
      ...nearRows(memory, (iso) => dayIn(iso, zone)),
    ];
    const shown = rows.filter(([, value]) => value !== null && value !== "");
    return [facts.join(", "), ...shown.map(([name, value]) => `${name}: ${oneLine(String(value))}`), content].join(
      "\n",
    );
  },
});

type Row = [name: string, value: unknown];

const shownRows = (rows: readonly (readonly unknown[])[]): Row[] =>
  (rows as Row[]).filter(([, value]) => value !== null && value !== "");

/** Leaves out what every memory has. */
const isTelling =
  ({ confidence, priority, pinned, createdAt, updatedAt, accessCount }: Memory) =>
  ([name]: Row): boolean =>
    !(
      (name === "confidence" && confidence === 1) ||
      (name === "priority" && priority === USUAL_PRIORITY && !pinned) ||
      (name === "updated" && updatedAt === createdAt) ||
      (name === "read" && accessCount === 0)
    );

/** Everything but its name and its text. */
function rowsOf({ history, context, ...memory }: Memory & { history: Memory[] }, time: (iso: string) => string): Row[] {
  return [
    ["tags", memory.tags.join(", ")],
    ["priority", `${memory.priority}${memory.pinned ? ", pinned" : ""}`],
    ["confidence", memory.confidence],
    [
      "source",
      `${memory.source} by ${memory.byAgent ? "an agent through " : ""}${memory.host}, session ${memory.session}`,
    ],
    ["branch", context.branch],
    ["commits", context.commits.map((commit) => commit.slice(0, COMMIT_DIGITS)).join(", ")],
    ["files", context.files.join(", ")],
    ["language", context.language],
    ["symbols", context.symbols.join(", ")],
    ["background", memory.background],
    ["created", time(memory.createdAt)],
    ["updated", time(memory.updatedAt)],
    [
      "read",
      memory.accessCount === 0 ? "never" : `${counted(memory.accessCount, "time")}, last ${time(memory.accessedAt)}`,
    ],
    ["expires", memory.expiresAt && time(memory.expiresAt)],
    ["holds from", memory.validFrom && time(memory.validFrom)],
    ["holds until", memory.validUntil && time(memory.validUntil)],
    ["superseded by", memory.supersededBy && handleOf(memory.supersededBy)],
    ...groundRows(memory.grounds, time),
    ["evidence", (memory.evidence ?? []).map(handleOf).join(", ")],
    ...history.map((past): Row => ["replaced", `${past.handle}: ${past.summary}`]),
    ...nearRows(memory, time),
  ];
}

/** What it is near, and when it holds beside that. */
const nearRows = (
  { near = [], conditions = [] }: Pick<Memory, "near" | "conditions">,
  time: (iso: string) => string,
): Row[] => [
  ...conditions.map(({ handle, when }): Row => ["both hold", `with ${handle}: ${oneLine(when)}`]),
  ...near.map(
    ({ handle, is, contradicts, createdAt, summary }): Row => [
      is,
      `${time(createdAt)}, ${contradicts ? "contradicts it" : "near it"}, not settled: ${handle} ${summary}`,
    ],
  ),
];

function groundRows(grounds: Memory["grounds"], time: (iso: string) => string): [string, unknown][] {
  if (!grounds) return [];
  const { rationale, rejected, evidence, settled, reason, edited } = grounds;
  return [
    ["rationale", rationale],
    ...rejected.map((text): [string, unknown] => ["rejected", text]),
    ["evidence", evidence.map(handleOf).join(", ")],
    [
      "settled",
      settled && `${time(settled.at)} ${settled.by ? `by ${settled.by}` : "without asking"} (${settled.how})`,
    ],
    ["reason", reason],
    ["edited", edited.join(", ")],
  ];
}
