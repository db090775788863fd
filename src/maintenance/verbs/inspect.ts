/** Show what is stored and its state. */
import * as z from "zod";
import { CATEGORIES } from "../../briefing/surface-lines.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { EdgeShelf, EdgeStatus } from "../../graph/edge.ts";
import { identity, Scope, Shelf, Status } from "../../memory/item.ts";
import { USAGE_PURPOSES } from "../../remote/provider.ts";
import { counted } from "../../text/short-text.ts";
import type { Zone } from "../../time/calendar.ts";
import { timeIn } from "../../time/shown.ts";
import { suggestConsolidation } from "../consolidate.ts";
import { COUNTED_DAYS } from "../figures.ts";
import { inspect, RECENT_DAYS } from "../inspect.ts";
import { renderCapture, renderRemote, renderStore } from "../show-inspected.ts";

const Count = z.int();

const size = { items: Count, bytes: z.int().describe("As stored: archived evidence is compressed.") };

const Capture = z.object({
  isEnabled: z.boolean().describe("The setting capture.enabled."),
  spool: z
    .object({
      files: z.int(),
      bytes: z.int(),
      isPaused: z.boolean().describe("`pause` was called in this project."),
      isReader: z.boolean().describe("Your role in the shared project is reader, so hooks record nothing."),
      isFull: z.boolean().describe("New reports are dropped until some are digested."),
    })
    .describe("What hooks reported and nobody has digested yet."),
  events: z.int().describe("Events of sessions that are still kept."),
  lastEventAt: z.string().nullable(),
  transcripts: z.int().describe("Number of transcripts that have been read."),
  evidence: z.object({
    ...size,
    recent: z.object(size).describe(`What was added in the last ${RECENT_DAYS} days.`),
    limitMegabytes: z.int().describe("The setting capture.evidenceMegabytes."),
  }),
  told: z
    .object({
      week: z.int(),
      ofUse: z.int(),
      notKnown: z.int().describe("Of sessions that have not been taken in yet."),
    })
    .describe("How often sessions were told something unasked in the last seven days, and how often it was of use."),
});

const Report = z.object({
  path: z.string(),
  bytes: z.int(),
  freeBytes: z.int().describe("Unused space in the file; `maintain` gives it back when there is much of it."),
  schema: z.int(),
  counts: z.array(z.object({ shelf: Shelf, scope: Scope, type: z.string(), status: Status, count: Count })),
  ages: z
    .array(z.object({ upToDays: z.int().nullable(), count: Count }))
    .describe("Active memories by age, youngest first; null is everything older."),
  days: z
    .array(z.object({ day: z.string(), count: Count }))
    .describe(`Active memories by the day (UTC) they were made; the last ${COUNTED_DAYS} days.`),
  tags: z.array(z.object({ tag: z.string(), count: Count })).describe("The 10 most frequent tags of active memories."),
  mostRecalled: z
    .array(z.object({ ...identity, summary: z.string(), count: Count, lastAt: z.string() }))
    .describe("The 10 active memories that were read or found most often."),
  neverRecalled: z.int().describe("Active memories that were never read or found."),
  edges: z.array(z.object({ shelf: EdgeShelf, status: EdgeStatus, count: Count })),
  embeddable: z.int().describe("Passages that have a vector or will get one."),
  embedders: z
    .array(z.object({ identity: z.string(), waiting: z.int() }))
    .describe("Embedders whose vectors are stored."),
  cachedVectors: z.int().describe("Vectors kept so that a repeated text is not embedded again."),
  journalLength: z.int(),
  accesses: z
    .object({ get: z.int(), search: z.int(), shown: z.int() })
    .describe(
      "Access log entries: items read by id, found first by searches (documents: found at all), or remembered again.",
    ),
  maintainedAt: z.string().nullable().describe("When maintenance last ran."),
});

const Spent = z.object({
  inputTokens: z.int(),
  outputTokens: z.int(),
  cost: z.number().nullable().describe("By the prices in your settings; null if none are set for this model."),
});

const RemoteUsage = z.object({
  provider: z.string(),
  model: z.string(),
  purpose: z.enum(USAGE_PURPOSES),
  today: Spent,
  total: Spent,
});

const SurfaceRun = z.object({
  at: z.string(),
  branch: z.string(),
  tokens: z.int(),
  ms: z.int(),
  isCached: z.boolean(),
  items: z.partialRecord(z.enum(CATEGORIES), z.int()).describe("How many of each category."),
});

export default defineOperation({
  name: "inspect",
  group: "care",
  summary:
    "Show what is stored and where, and how it is used: memories by type, scope, age and tag, those recalled most and never, " +
    "files, sizes, edges, embedder, journal, what sessions left, what is pending, and what remote providers were sent.",
  effect: "read",
  repeatable: true,
  input: z.object({}),
  output: z.object({
    root: z.string(),
    branch: z.string().nullable(),
    spaceId: z.string(),
    readOnly: z.boolean(),
    embedder: z.object({ identity: z.string(), state: z.string() }),
    waiting: z.int(),
    remote: z
      .object({ llm: z.string().nullable(), embedder: z.string().nullable(), usage: z.array(RemoteUsage) })
      .describe(
        "The language model and the embedder that your settings name, and what remote providers were sent, today (UTC) and in total.",
      ),
    capture: Capture.describe("What sessions left behind, in both stores."),
    surface: z.array(SurfaceRun).describe("The last times that the surface was asked for, newest first."),
    stores: z.object({ project: Report, global: Report }),
    suggestions: z.array(z.string()).describe("What is worth doing."),
  }),
  cli: { examples: ["stele inspect", "stele inspect --json"] },
  run: async (_, world) => {
    const inspected = await inspect(world);
    return { ...inspected, suggestions: await suggestConsolidation(world, inspected.stores) };
  },
  render: ({ root, branch, readOnly, embedder, waiting, capture, remote, surface, stores, suggestions }, { zone }) => {
    const pending = [stores.project, stores.global].flatMap(({ counts }) =>
      counts.filter(({ shelf, status }) => shelf === "proposal" && status === "pending"),
    );
    const proposals = pending.reduce((sum, { count }) => sum + count, 0);
    return [
      `Project   ${root}${branch ? ` (${branch})` : ""}${readOnly ? ", read-only" : ""}`,
      `Embedder  ${embedder.identity} (${embedder.state})`,
      `Pending   ${counted(waiting, "passage")} to embed, ${counted(proposals, "proposal")} to ratify`,
      `Capture   ${captureState(capture)}`,
      ...renderCapture(capture, zone),
      ...surface.slice(0, 1).map((run) => `Surface   ${surfaceState(run, zone)}`),
      ...renderRemote(remote),
      ...renderStore("Project", stores.project, zone),
      ...renderStore("Global", stores.global, zone),
      ...suggestions.flatMap((line) => ["", line]),
    ].join("\n");
  },
});

function captureState({ isEnabled, spool }: z.infer<typeof Capture>): string {
  const { isPaused, isReader, isFull } = spool;
  const state = isPaused
    ? "paused (`stele resume` ends that)"
    : isReader
      ? "off, because you are a reader in this project (`stele team status`)"
      : "on";
  const reports = `${counted(spool.files, "report")} ${isReader ? "waiting for the role of a writer" : "to digest"}`;
  const full = isFull && !isReader ? "; full, new ones are dropped (`stele extract` digests)" : "";
  return `${isEnabled ? state : "off (capture.enabled)"}, ${reports}${full}`;
}

function surfaceState({ at, tokens, items, isCached, ms }: z.infer<typeof SurfaceRun>, zone: Zone): string {
  const shown = Object.values(items).reduce((sum, count) => sum + count, 0);
  return `${counted(shown, "item")} in ${tokens} tokens, ${isCached ? "as kept" : `made in ${ms} ms`}, ${timeIn(at, zone)}`;
}
