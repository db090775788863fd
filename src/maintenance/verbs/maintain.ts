/** Run scheduled maintenance. */
import * as z from "zod";
import { Call, callOf } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Failure } from "../../errors.ts";
import { handleOf, withHandle } from "../../memory/handles.ts";
import { identity, Scope, Status } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { suggestRedaction } from "../../redaction/sweep.ts";
import { digest } from "../../sessions/digest.ts";
import { counted } from "../../text/short-text.ts";
import { suggestConsolidation } from "../consolidate.ts";
import { STEPS } from "../figures.ts";
import { isOnRecord, maintain } from "../maintain.ts";

const PATIENCE_MS = 5_000;

const TakenStep = z.object({
  ...identity,
  scope: Scope,
  summary: z.string(),
  from: Status,
  to: z.enum(STEPS),
  why: z.string(),
});

const Output = z.object({
  working: z.object({
    expired: z.int().describe("Number of working memories erased."),
    traces: z.array(z.string()).describe("Files that may still hold traces of what was erased."),
  }),
  classified: z.int().describe("Number of edges that the language model suggests; `link` accepts one."),
  linked: z.int().describe("Number of memories linked to those that resemble them."),
  memories: z
    .object({ archived: z.int(), pruned: z.int(), erased: z.int() })
    .describe("Number of faded memories in each stage."),
  steps: z.array(TakenStep).describe("The first 100 for each stage, and why each was due."),
  evidence: z.object({
    archived: z.int().describe("Number of evidence items archived."),
    bytesBefore: z.int().describe("Total length of their texts."),
    bytesAfter: z.int().describe("Bytes they take now; 0 in a dry run, which compresses nothing."),
  }),
  accesses: z.object({ dropped: z.int().describe("Number of old entries dropped from the access log.") }),
  journal: z.object({ dropped: z.int().describe("Number of old states dropped from the journal.") }),
  retired: z.int().describe("Number of memories archived that an earlier version captured and nobody used."),
  events: z.object({ dropped: z.int().describe("Number of old events of sessions dropped.") }),
  disk: z.object({
    rewritten: z.array(z.string()).describe("Files that were rewritten."),
    freedBytes: z.int().describe("Bytes given back to the disk; 0 in a dry run."),
  }),
  suggestions: z.array(z.string()).describe("What is worth doing next."),
  call: Call,
});
type Output = z.infer<typeof Output>;

export default defineOperation({
  name: "maintain",
  group: "care",
  summary:
    "Run scheduled maintenance now: expired working memories are erased from disk; memories that were inferred or extracted are " +
    "archived when they have faded, pruned 30 days later and erased after 90 more; old evidence is compressed and leaves the index " +
    "(`why --archived` still finds it); new memories are linked to those that resemble them; old records are dropped, and free space " +
    "is given back. What a person wrote or pinned stays. A server does this hourly, and erases expired memories within a minute.",
  effect: "write",
  repeatable: true,
  input: z.object({}),
  output: Output,
  cli: { examples: ["stele maintain", "stele maintain --dry-run"] },
  run: async (_, world) => {
    await digest(world, { patienceMs: PATIENCE_MS });
    const done = await maintain(world, { patienceMs: PATIENCE_MS });
    if (!done) {
      const hint = "Nothing is lost; try again when it has finished.";
      throw new Failure("conflict", "Another process is running maintenance.", hint);
    }
    const suggestions = [...(await suggestRedaction(world)), ...(await suggestConsolidation(world))];
    return { ...done, steps: done.steps.map(withHandle), suggestions, call: callOf(isOnRecord(done), world) };
  },
  render: (done) => {
    const text = [...lines(done, "did", SHOWN_STEPS), ...undoLines(done)];
    return [...(text.length > 0 ? text : ["Nothing to do."]), ...done.suggestions].join("\n");
  },
  renderDryRun: (done) => lines(done, "would", ALL_STEPS).join("\n"),
});

/** So many of each kind are shown after a real run. */
const SHOWN_STEPS = 5;
const ALL_STEPS = Infinity;

const memories = (count: number, what: string) => counted(count, `${what} memory`, `${what} memories`);

/** One line for each thing that was or would be done; below it the memories it was done to, and why. */
function lines(done: Output, tense: "did" | "would", shownSteps: number): string[] {
  const { working, linked, classified, memories: stages, evidence, accesses, journal, retired, events, disk } = done;
  const says = (did: string, would: string) => (tense === "did" ? did : `Would ${would}`);
  const packed = evidence.bytesAfter > 0 ? `, now ${kilobytes(evidence.bytesAfter)}` : "";
  const parts: [number, string][] = [
    [working.expired, `${says("Erased", "erase")} ${memories(working.expired, "expired working")}.`],
    [classified, `${says("Suggested", "suggest")} ${counted(classified, "edge")}; \`stele link\` accepts one.`],
    [linked, `${says("Linked", "link")} ${counted(linked, "memory", "memories")}.`],
    ...STEPS.map((to): [number, string] => [
      stages[to],
      [stageLine(to, stages[to], says), ...stepLines(done, to, shownSteps)].join("\n"),
    ]),
    [
      evidence.archived,
      `${says("Archived", "archive")} ${counted(evidence.archived, "evidence item")}: ${kilobytes(evidence.bytesBefore)}${packed}.`,
    ],
    [
      accesses.dropped,
      `${says("Dropped", "drop")} ${counted(accesses.dropped, "old entry", "old entries")} of the access log.`,
    ],
    [
      journal.dropped,
      `${says("Dropped", "drop")} ${counted(journal.dropped, "old state")} from the journal; those changes can no longer be rolled back.`,
    ],
    [
      retired,
      `${says("Archived", "archive")} ${counted(retired, "memory", "memories")} that an earlier version captured and nobody used; sessions are shown instead.`,
    ],
    [events.dropped, `${says("Dropped", "drop")} ${counted(events.dropped, "old event")} of sessions.`],
    [disk.freedBytes, `Gave ${kilobytes(disk.freedBytes)} back to the disk.`],
  ];
  const traces = working.traces.map((path) => `${path} is in use and may hold traces of what was erased.`);
  return [...parts.filter(([count]) => count > 0).map(([, text]) => text), ...traces];
}

type Says = (did: string, would: string) => string;
type Step = Output["steps"][number];

function stageLine(to: Step["to"], count: number, says: Says): string {
  switch (to) {
    case "archived":
      return `${says("Archived", "archive")} ${memories(count, "faded")}, which recall no longer shows.`;
    case "pruned":
      return `${says("Pruned", "prune")} ${memories(count, "archived")}, to be erased later unless read again.`;
    case "erased":
      return `${says("Erased", "erase")} ${memories(count, "pruned")} permanently.`;
  }
}

function stepLines({ steps, memories: stages }: Output, to: Step["to"], most: number): string[] {
  const own = steps.filter((step) => step.to === to).slice(0, most);
  const rest = stages[to] - own.length;
  return [...own.map(stepLine), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

/** Only some of it can be undone. */
function undoLines({ call, memories: stages, working, accesses, journal }: Output): string[] {
  if (call === null) return [];
  const isPartlyFinal = stages.erased + working.expired + accesses.dropped + journal.dropped > 0;
  const rest = isPartlyFinal ? "; what was erased or dropped cannot be brought back" : "";
  return [`Undo the archiving and pruning with \`stele rollback ${handleOf(call)}\`${rest}.`];
}

const stepLine = ({ handle, summary, from, to, why }: Step): string =>
  `  ${handle}  ${from} → ${to}: ${why}\n      ${oneLine(summary, 100)}`;

const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
