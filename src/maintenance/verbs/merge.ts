/** Ask a person to merge two memories. */
import * as z from "zod";
import { Call, callOf, Redactions, renderRedactions, renderUndo, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { inQuotes, quoted, readElsewhere } from "../../catalog/question-text.ts";
import type { Question } from "../../catalog/question.ts";
import { handleOf, withHandle } from "../../memory/handles.ts";
import { identity, type Item } from "../../memory/item.ts";
import { Text } from "../../text/text.ts";
import type { Zone } from "../../time/calendar.ts";
import { dayIn } from "../../time/shown.ts";
import { merge, type Merging, planMerging } from "../merge.ts";

const Kept = z.enum(["given", "first", "second"]);

export default defineOperation({
  name: "merge",
  group: "care",
  summary:
    "Ask a person to merge two memories into one. The result has the higher priority and all tags, files and symbols; both " +
    "originals stay as its history.",
  effect: "write",
  begins: false,
  repeatable: false,
  alwaysAsks: true,
  input: z.object({
    first: typedId.describe("Id or handle of a memory."),
    second: typedId.describe("Id or handle of the other memory, in the same scope."),
    content: Text.optional().describe(
      "The text of the merged memory. When omitted, that of the memory that says more, else that of the newer one.",
    ),
  }),
  output: z.object({
    status: z.literal("merged"),
    ...identity,
    content: z.string(),
    kept: Kept.describe("Whose text was kept."),
    reason: z.string().describe("Why that text was kept."),
    superseded: z.array(z.string()).describe("Ids of the two originals."),
    call: Call,
    redactions: Redactions,
  }),
  cli: {
    completes: { first: "memory", second: "memory" },
    positional: ["first", "second"],
    examples: [
      "stele merge 7fd436b5 a04e71c2",
      'stele merge 7fd436b5 a04e71c2 --content "Deploys need the VPN and two approvals"',
    ],
  },
  async question(input, world): Promise<Question> {
    const planned = await planMerging(input, world);
    return {
      message: messageFor(planned, world.zone),
      about: planned.fingerprint,
      fields: { merge: { kind: "confirm", label: "Merge" } },
    };
  },
  run: async (input, world, consent) => {
    const { pair, item, kept, redactions } = await merge(input, consent, world);
    return {
      status: "merged" as const,
      ...withHandle({ id: item.id }),
      content: item.content,
      kept: whose(pair, kept),
      reason: kept.because,
      superseded: pair.map(({ id }) => id),
      call: callOf(true, world),
      redactions,
    };
  },
  render: ({ handle, call, redactions, ...merged }) =>
    `Merged ${originalsOf(merged)} into ${handle}, ${textOf(merged)}. Recall shows it instead of them; they are its history.` +
    `${renderUndo(call)}${renderRedactions(redactions)}`,
  renderDryRun: ({ redactions, ...merged }) =>
    `Would ask a person to merge ${originalsOf(merged)}, ${textOf(merged)}.${renderRedactions(redactions)}`,
});

interface Merged {
  kept: z.infer<typeof Kept>;
  reason: string;
  superseded: string[];
}

const originalsOf = ({ superseded }: Merged): string => superseded.map(handleOf).join(" and ");

const textOf = ({ kept, reason, superseded: [first, second] }: Merged): string =>
  kept === "given"
    ? "with the text you gave"
    : `with the text of ${handleOf((kept === "first" ? first : second) ?? "")}, ${PHRASES[reason] ?? reason}`;

const PHRASES: Readonly<Record<string, string>> = { "says more": "which says more", newer: "which is newer" };

const whose = ([one]: Merging["pair"], { from }: Merging["kept"]): z.infer<typeof Kept> =>
  from === null ? "given" : from === one.id ? "first" : "second";

/** Deterministic, because an answer is valid only for the exact question shown. */
function messageFor({ pair, item, kept }: Merging, zone: Zone): string {
  const list = (values: readonly string[]) => values.map((value) => inQuotes(value)).join(", ");
  const { tags, priority, context, pinned } = item;
  return [
    `Merge ${pair.map(({ id }) => handleOf(id)).join(" and ")} into one ${item.scope} memory?`,
    ...pair.flatMap((one) => originalLines(one, zone)),
    ...(kept.from === null
      ? ["It gets this text:", ...quoted(item.content, "all of the text that was given is kept")]
      : [`It keeps the text of ${handleOf(kept.from)}, ${PHRASES[kept.because]}.`]),
    `Type ${inQuotes(item.type)}, priority ${priority}, confidence 1${pinned ? ", pinned" : ""}`,
    ...(tags.length > 0 ? [`Tags: ${list(tags)}`] : []),
    ...(context.files.length > 0 ? [`Files: ${list(context.files)}`] : []),
    ...(context.symbols.length > 0 ? [`Symbols: ${list(context.symbols)}`] : []),
    "Both originals stay as its history; `stele rollback` restores them.",
  ].join("\n");
}

const originalLines = ({ id, type, content, updatedAt }: Item, zone: Zone): string[] => [
  `${handleOf(id)}, ${inQuotes(type)}, of ${dayIn(updatedAt, zone)}:`,
  ...quoted(content, readElsewhere(id)),
];
