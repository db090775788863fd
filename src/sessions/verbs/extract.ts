/** Read transcripts into evidence, memories and proposals. */
import * as z from "zod";
import { refreshSurface } from "../../briefing/surface.ts";
import { Call, callOf, renderUndo } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Failure } from "../../errors.ts";
import type { ReportedChange } from "../../journal/change.ts";
import { counted, shownLine, titled } from "../../text/short-text.ts";
import { digest } from "../digest.ts";
import { extract, extractHistory } from "../extract.ts";
import { STATE_FORMAT } from "../turns.ts";

const SESSIONS = 50;

const Output = z.object({
  memories: z.array(z.string()).describe("Ids of the memories that were captured."),
  proposals: z.array(z.string()).describe("Ids of the decisions that were proposed; a person ratifies them."),
  evidence: z.int().describe("Number of turns kept as evidence."),
  skippedLines: z.int().describe("Lines that could not be read."),
  checkpoint: z
    .object({ transcript: z.string(), offset: z.int(), lines: z.int() })
    .nullable()
    .describe("How far the transcript has been read; null for a history, or if nothing could be read."),
  extractor: z.string().describe("Names the rules by which transcripts are read."),
  error: z.string().nullable().describe("Why a transcript was not read to its end."),
  waiting: z.boolean().describe("Whether something waits for the end of the current turn."),
  sessions: z.int().describe("Number of transcripts read."),
  awaited: z
    .array(z.string())
    .describe("Transcripts that reports of hooks name and that are not there yet: the reports wait a minute for each."),
  left: z.int().describe("Sessions left for another call."),
  strays: z
    .array(z.object({ transcript: z.string(), folder: z.string() }))
    .describe(
      "Transcripts of sessions that belong to another folder, by their own words: one that was named is read all the same, others are left out.",
    ),
  call: Call,
});
type Output = z.infer<typeof Output>;

export default defineOperation({
  name: "extract",
  group: "session",
  summary:
    "Take in what happened in sessions: every turn becomes evidence, and each session gets a card and notes (`sessions`). An option that " +
    "was picked is proposed; memories are captured only by a language model that your settings name. Without a path, what hooks " +
    "reported is taken in; with one, that transcript (Claude Code, Codex) is read from where it was left; with the history option, the " +
    "sessions this project already had, newest first.",
  effect: "write",
  repeatable: true,
  input: z.object({
    path: z.string().min(1).max(4_096).optional().describe("A transcript."),
    history: z.boolean().default(false).describe("Read the sessions that this project already had."),
    end: z
      .boolean()
      .optional()
      .describe("The session is over, so its last turn ends; by default if nothing was written for 30 minutes."),
    withinSeconds: z.int().min(1).max(3_600).optional().describe("Stop after so long; the next call continues."),
    limit: z.int().min(1).max(1_000).default(SESSIONS).describe("Sessions of a history to read in this call."),
  }),
  output: Output,
  paths: ["path"],
  cli: {
    positional: ["path"],
    examples: [
      "stele extract",
      "stele extract --history --dry-run",
      "stele extract ~/.claude/projects/-home-me-shop/1f6c.jsonl",
    ],
  },
  run: async ({ path, history, end, limit, withinSeconds }, world): Promise<Output> => {
    if (history && path !== undefined)
      throw new Failure("invalid_input", "A history has no path.", "Name a transcript, or read the history.");
    const endsAt = withinSeconds === undefined ? Infinity : world.clock.now() + withinSeconds * 1_000;
    const isStopped = () => world.clock.now() >= endsAt;
    const found = history
      ? await readHistory({ limit, isStopped }, world)
      : path === undefined
        ? await readReports(isStopped, world)
        : await readOne({ path: world.files.resolve(path), isEnded: end, isStopped }, world);
    if (found.memories.length + found.proposals.length > 0) await refreshSurface(world);
    const isOnRecord = found.memories.length + found.proposals.length + found.evidence > 0;
    return { ...found, call: callOf(isOnRecord, world) };
  },
  render: (done) => [lines(done, "Kept") + renderUndo(done.call), ...strayLines(done)].join("\n"),
  renderDryRun: (done, changes = []) =>
    [lines(done, "Would keep"), ...wouldCapture(changes), ...strayLines(done)].join("\n"),
  isBad: ({ error, sessions }) => error !== null && sessions <= 1,
});

type Read = Omit<Output, "call">;
type World = Parameters<typeof extract>[1];

async function readOne(request: Parameters<typeof extract>[0], world: World): Promise<Read> {
  const { isOpen, outage, ...found } = await extract(request, world);
  refuseOutage(outage, found);
  return { ...found, waiting: isOpen, awaited: [], sessions: 1, left: 0 };
}

async function readHistory(request: Parameters<typeof extractHistory>[0], world: World): Promise<Read> {
  const { outage, ...found } = await extractHistory(request, world);
  refuseOutage(outage, found);
  return { ...found, checkpoint: null, waiting: false, awaited: [] };
}

/** Where nothing at all could be kept, as on a full disk, there is no answer but that. */
function refuseOutage(outage: Failure | null, kept: Pick<Read, "memories" | "proposals" | "evidence">): void {
  if (outage !== null && kept.memories.length + kept.proposals.length + kept.evidence === 0) throw outage;
}

async function readReports(isStopped: () => boolean, world: World): Promise<Read> {
  const done = await digest(world, { isStopped });
  const isLeft = (world.project.readOnly || done?.isRefused) && (await world.spool.list(1)).length > 0;
  const reason = isLeft ? "Reports of hooks wait, because this project can only be read from here." : null;
  const error = done ? reason : "Another process is digesting the reports of hooks.";
  const { sessions = 0, memories = [], proposals = [], evidence = 0, awaited = [] } = done ?? {};
  const found = { sessions, memories, proposals, evidence };
  return {
    ...found,
    skippedLines: 0,
    checkpoint: null,
    extractor: STATE_FORMAT,
    error,
    waiting: false,
    awaited,
    left: 0,
    strays: [],
  };
}

function lines(done: Output, kept: "Kept" | "Would keep"): string {
  const { memories, proposals, evidence, skippedLines, sessions, left, waiting, awaited, error } = done;
  const isNothing = memories.length + proposals.length + evidence === 0;
  if (isNothing && error !== null) return error;
  const awaiting = awaited.map(
    (path) =>
      `Reports of hooks wait up to a minute for a transcript that is missing: ${shownLine(path, SHOWN_CHARACTERS)}`,
  );
  if (isNothing && awaiting.length > 0) return awaiting.join("\n");
  if (isNothing && !waiting)
    return sessions === 0 ? "Nothing to capture: no new sessions were found." : "Nothing new to capture.";
  const parts = [
    `${kept} ${counted(evidence, "turn")} of ${counted(sessions, "session")} as evidence${beside(memories.length, proposals.length)}.`,
    ...(proposals.length > 0 && kept === "Kept" ? ["Proposals wait for you: `stele proposals`."] : []),
    ...(waiting ? ["The current turn goes on; it is kept at its end (`--end` to end it now)."] : []),
    ...(left > 0 ? [`${counted(left, "older session")} left; run it again.`] : []),
    ...(skippedLines > 0 ? [`${counted(skippedLines, "line")} could not be read.`] : []),
    ...awaiting,
    ...(error === null ? [] : [`Not everything was read: ${error}`]),
  ];
  return parts.join("\n");
}

function beside(memories: number, proposals: number): string {
  const found = [
    ...(memories > 0 ? [counted(memories, "memory", "memories")] : []),
    ...(proposals > 0 ? [counted(proposals, "proposal")] : []),
  ];
  return found.length === 0 ? "" : `, with ${found.join(" and ")}`;
}

const STRAYS_SHOWN = 5;

/** A checkpoint is that of the one transcript that was named. */
function strayLines({ strays, checkpoint }: Output): string[] {
  const more = strays.length - STRAYS_SHOWN;
  const what = checkpoint === null ? "it was left out" : "it was read because you named it";
  return [
    ...strays
      .slice(0, STRAYS_SHOWN)
      .map(
        ({ transcript, folder }) =>
          `${shownLine(transcript, SHOWN_CHARACTERS)} belongs to ${shownLine(folder, SHOWN_CHARACTERS)}; ${what}.`,
      ),
    ...(more > 0 ? [`So do ${more} more; \`--json\` has all.`] : []),
  ];
}

const SHOWN_MOST = 20;
const SHOWN_CHARACTERS = 200;

/** The newest memories and proposals. */
function wouldCapture(changes: readonly ReportedChange[]): string[] {
  const found = changes.flatMap((change) =>
    change.kind === "insert_item" && change.shelf !== "evidence" ? [{ ...change.item, shelf: change.shelf }] : [],
  );
  const newest = found.sort((one, two) => two.createdAt - one.createdAt);
  const more = newest.length - SHOWN_MOST;
  return [
    ...newest.slice(0, SHOWN_MOST).map(({ shelf, type, title, content }) => {
      const kind = shelf === "proposal" ? `${type}, proposed` : type;
      return `  ${kind}  ${shownLine(titled(title, content), SHOWN_CHARACTERS)}`;
    }),
    ...(more > 0 ? [`  and ${more} more; \`--json\` has all`] : []),
  ];
}
