/**
 * Reads a transcript from where it was left, in steps of at most 100 KB, each in a transaction of its own.
 *
 * A transcript that is missing or cannot be read is told in the answer: whoever calls this after a session must not
 * fail because of it.
 */
import { basename } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { StrayTranscript, TranscriptFile } from "../ports.ts";
import * as redacted from "../redaction/redact.ts";
import { redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";
import { absorb, type CommitAt, hasOpenWork, type SessionSource, stateIn } from "./absorb.ts";
import { storableText } from "./clean-text.ts";
import { shortOutput } from "./commands.ts";
import { keepSession } from "./keep-session.ts";
import { withTyped } from "./origins.ts";
import {
  type Checkpoint,
  type SessionEvent,
  STRETCH_IDLE_MS,
  type StretchEnd,
  type TranscriptHost,
  type TypedPrompt,
} from "./session.ts";
import { eventsOfLine, hostOfTranscript, sessionOfLine } from "./transcripts.ts";
import { STATE_FORMAT, PRINTED_CHARACTERS } from "./turns.ts";

/**
 * Removes secrets from an event before anything is derived from it, and bounds it. Every string counts: a branch or the
 * id of a call may hold a secret too. Of a result only its ends matter.
 */
const LIMITS = { text: 32_000, command: 4_000, result: 16_000, name: 200 } as const;
/** Times before this, or after now, are mistakes. */
const EARLIEST = Date.UTC(2000, 0);
const TOLERANCE_MS = 60_000;

export function redactEvent(event: SessionEvent, now: number): SessionEvent {
  const recorded = { line: event.line, at: timeOf(event.at, now), branch: part(event.branch, LIMITS.name) };
  switch (event.kind) {
    case "start":
      return { ...recorded, kind: "start" };
    case "call": {
      const names = { call: beginning(event.call, LIMITS.name), tool: beginning(event.tool, LIMITS.name) };
      const { command, path } = event;
      const said = { command: part(command, LIMITS.command), path: part(path, LIMITS.command) };
      return { ...recorded, kind: "call", ...names, ...said };
    }
    case "result": {
      const { kind, call, text, isError } = event;
      const returned = shortOutput(bothEnds(text, LIMITS.result), PRINTED_CHARACTERS);
      return { ...recorded, kind, call: beginning(call, LIMITS.name), text: returned, isError };
    }
    case "prompt": {
      const typed = event.typed === undefined ? {} : { typed: beginning(event.typed, LIMITS.text) };
      return { ...recorded, kind: "prompt", text: beginning(event.text, LIMITS.text), ...typed };
    }
    default:
      return { ...recorded, kind: event.kind, text: beginning(event.text, LIMITS.text) };
  }
}

const beginning = (text: string, limit: number): string => redacted.beginning(storableText(text), limit);
const bothEnds = (text: string, limit: number): string => redacted.bothEnds(storableText(text), limit);
const part = (text: string | null, limit: number): string | null => (text === null ? null : beginning(text, limit));

function timeOf(at: number | null, now: number): number | null {
  if (at === null || !Number.isFinite(at) || at < EARLIEST || at > now + TOLERANCE_MS) return null;
  return Math.min(Math.round(at), now);
}

interface ExtractRequest {
  path: string;
  /** Whether the session is over, so that the last stretch of work ends here; decided by its age when omitted. */
  isEnded?: boolean | undefined;
  /** If hooks told it. */
  commitAt?: CommitAt | undefined;
  /** Stops between two steps once true. */
  isStopped?: () => boolean;
}

interface Extracted {
  memories: string[];
  proposals: string[];
  evidence: number;
  skippedLines: number;
  /** Null if nothing could be read. */
  checkpoint: Pick<Checkpoint, "transcript" | "offset" | "lines"> | null;
  /** Whether something waits for the end of the stretch of work. */
  isOpen: boolean;
  extractor: string;
  error: string | null;
  /** What was thrown, if the store could not be used: another transcript would not be kept either. */
  outage: Failure | null;
  strays: StrayTranscript[];
}

const STEP_BYTES = 100_000;
const HEAD_BYTES = 64_000;
const SESSION_CHARACTERS = 200;
/** How often another process may be faster before this one gives up; it is then at work on the same transcript. */
const CONFLICTS_MOST = 20;

export async function extract(request: ExtractRequest, world: World): Promise<Extracted> {
  const answer: Extracted = {
    memories: [],
    proposals: [],
    evidence: 0,
    skippedLines: 0,
    checkpoint: null,
    isOpen: false,
    extractor: STATE_FORMAT,
    error: null,
    outage: null,
    strays: [],
  };
  try {
    const session = await readAll(request, answer, world);
    if (session !== null && answer.evidence > 0) await keepSession(session, world);
  } catch (thrown) {
    world.log.debug(`${request.path} was not read to its end: ${(thrown as Error).message}`);
    if (thrown instanceof Failure && thrown.code === "unavailable") answer.outage = thrown;
    answer.error = thrown instanceof Failure ? thrown.message : `It could not be read: ${(thrown as Error).message}`;
  }
  return answer;
}

/** Returns the session if it was read to its present end. */
async function readAll(request: ExtractRequest, answer: Extracted, world: World): Promise<string | null> {
  const { path, isEnded, commitAt, isStopped = () => false } = request;
  const file = await world.transcripts.find(path);
  if (!file) throw await notReadable(path, world);
  const endedBy = (isEnded ?? file.modifiedAt <= world.clock.now() - STRETCH_IDLE_MS) ? "session_end" : null;
  const head = (await world.transcripts.read(path, 0, HEAD_BYTES, { isFinal: endedBy !== null }))?.lines ?? [];
  const host = hostOfTranscript(head);
  if (host === null) throw unknownFormat(path);
  const stray = await world.transcripts.strayOf(path);
  if (stray) answer.strays.push(cleanStray(stray));
  const source = { transcript: path, session: sessionIn(head, path), cwd: folderIn(head), host, commitAt };
  const isPaused = await pausesIn(world);
  const typed = await world.transcripts.typedIn(path, source.session);
  for (let conflicts = 0; ; ) {
    if (isStopped()) return null;
    const before = await world.project.checkpoint(path);
    const step = await takeStep(source, before, { endedBy, maybeOver: isEnded === undefined, isPaused, typed }, world);
    // Read from its beginning: another file under the same name.
    if (step === "other") await world.project.apply([{ kind: "drop_checkpoints", transcripts: [path] }], world.origin);
    if (step === "conflict" || step === "other") {
      conflicts += 1;
      if (conflicts > CONFLICTS_MOST) throw busy(path);
      continue;
    }
    answer.memories.push(...step.memories);
    answer.proposals.push(...step.proposals);
    answer.evidence += step.evidence;
    answer.skippedLines += step.skipped;
    if (step.checkpoint) {
      const { transcript, offset, lines } = step.checkpoint;
      answer.checkpoint = { transcript, offset, lines };
      answer.isOpen = hasOpenWork(step.checkpoint);
    }
    world.progress.report(answer.checkpoint?.offset ?? 0, file.bytes, "Reading");
    if (step.isEnd) return source.session;
    await immediate();
  }
}

/** Folders and files may be named by secrets. */
const cleanStray = ({ transcript, folder }: StrayTranscript): StrayTranscript => {
  const { clean } = redactor();
  return { transcript: clean(transcript), folder: clean(folder) };
};

interface Step {
  memories: string[];
  proposals: string[];
  evidence: number;
  skipped: number;
  checkpoint: Checkpoint | null;
  isEnd: boolean;
}

async function takeStep(
  source: SessionSource & { host: TranscriptHost },
  before: Checkpoint | null,
  { endedBy, maybeOver, isPaused, typed }: Ending & { isPaused: IsPaused; typed: readonly TypedPrompt[] },
  world: World,
): Promise<Step | "conflict" | "other"> {
  const { lines: first = 0, offset = 0 } = before ?? {};
  const isFinal = endedBy !== null;
  const part = await world.transcripts.read(source.transcript, offset, STEP_BYTES, { isFinal });
  const { mark, lastAt } = stateIn(before);
  if (part === null || (mark !== null && mark !== part.marks.start)) return "other";
  const read = part.lines.map((line, index) => eventsOfLine(line, first + index, source.host));
  const skipped = part.skipped + read.filter(({ isSkipped }) => isSkipped).length;
  const last = read.flatMap(({ events }) => events.map(({ at }) => at)).findLast((at) => at !== null) ?? lastAt;
  // A copied file is as new as its copy; what it tells is not.
  const isQuiet = maybeOver && last !== null && last <= world.clock.now() - STRETCH_IDLE_MS;
  const ending = part.isEnd ? (endedBy ?? (isQuiet ? "idle" : null)) : null;
  const nothing = { memories: [], proposals: [], evidence: 0, skipped: 0, isEnd: part.isEnd };
  // Nothing new, and nothing to end.
  if (part.offset === offset && (ending === null || !hasOpenWork(before))) return { ...nothing, checkpoint: before };
  const absorbed = await absorb(
    source,
    {
      events: outsidePauses(
        withTyped(
          read.flatMap(({ events }) => events),
          typed,
        ).map((event) => redactEvent(event, world.clock.now())),
        lastAt,
        isPaused,
      ),
      mark: part.marks.end,
      skipped,
      offset: part.offset,
      lines: first + part.lines.length + part.skipped,
      endedBy: ending,
    },
    before,
    world,
  );
  if (!absorbed) return "conflict";
  return { ...absorbed, evidence: absorbed.evidence.length, skipped, isEnd: part.isEnd };
}

interface Ending {
  /** How the session has ended; null if it goes on, or nobody knows. */
  endedBy: StretchEnd | null;
  /** Nobody knows: what was said last decides. */
  maybeOver: boolean;
}

type IsPaused = (at: number) => boolean;

/** What was said while capture was paused is not captured later. */
async function pausesIn({ spool }: Pick<World, "spool">): Promise<IsPaused> {
  const pauses = await spool.pauses();
  return (at) => pauses.some(({ from, to }) => at >= from && (to === null || at <= to));
}

/** An event without a time belongs to the one before it. */
function outsidePauses(events: readonly SessionEvent[], lastAt: number | null, isPaused: IsPaused): SessionEvent[] {
  let at = lastAt;
  return events.filter((event) => {
    at = event.at ?? at;
    return at === null || !isPaused(at);
  });
}

/** The folder that the agent works in. */
const folderIn = (head: readonly string[]): string | null =>
  head.map((line) => sessionOfLine(line).cwd).find((cwd) => cwd !== null) ?? null;

/** The session names itself; else its file does. */
function sessionIn(head: readonly string[], path: string): string {
  const named = head.map((line) => sessionOfLine(line).session).find((session) => session !== null);
  return redactor()
    .clean(named ?? basename(path, ".jsonl"))
    .slice(0, SESSION_CHARACTERS);
}

async function notReadable(path: string, { files }: Pick<World, "files">): Promise<Failure> {
  if ((await files.kindOf(path)) === "absent")
    return new Failure("not_found", `There is no transcript ${path}.`, "Check the path.");
  return new Failure("invalid_input", `${path} is not a regular file.`, "Name a session's .jsonl file.");
}

const unknownFormat = (path: string) =>
  new Failure("invalid_input", `${path} is not a transcript of Claude Code or Codex.`, "Name a session's .jsonl file.");

const busy = (path: string) =>
  new Failure("conflict", `Another process is reading ${path}.`, "Nothing is lost; try again shortly.");

/** Reads the sessions that this project had before Stele was there, newest first. */
interface HistoryRead extends Omit<Extracted, "checkpoint" | "isOpen"> {
  /** Sessions that were read now. */
  sessions: number;
  /** Sessions left for another call. */
  left: number;
}

/** More are never listed. */
const HISTORY_MOST = 1_000;
const STRAYS_MOST = 100;

interface HistoryRequest {
  /** How many sessions to read. */
  limit: number;
  isStopped?: () => boolean;
}

/** A session that was read to its end needs no second look. */
async function isRead({ path, bytes }: TranscriptFile, { project }: Pick<World, "project">): Promise<boolean> {
  const known = await project.checkpoint(path);
  return known !== null && known.offset >= bytes && !known.isOpen;
}

export async function extractHistory(
  { limit, isStopped = () => false }: HistoryRequest,
  world: World,
): Promise<HistoryRead> {
  const files: TranscriptFile[] = [];
  for (const file of await world.transcripts.ofProject(HISTORY_MOST))
    if (!(await isRead(file, world))) files.push(file);
  const taken = files.slice(0, limit);
  const quiet = { ...world, progress: { report: () => undefined } };
  const answer: HistoryRead = {
    memories: [],
    proposals: [],
    evidence: 0,
    skippedLines: 0,
    error: null,
    outage: null,
    extractor: STATE_FORMAT,
    sessions: 0,
    left: files.length,
    strays: (await world.transcripts.strays(STRAYS_MOST)).map(cleanStray),
  };
  for (const { path } of taken) {
    if (isStopped()) break;
    world.progress.report(answer.sessions, taken.length, "Reading sessions");
    const read = await extract({ path, isStopped }, quiet);
    answer.memories.push(...read.memories);
    answer.proposals.push(...read.proposals);
    answer.evidence += read.evidence;
    answer.skippedLines += read.skippedLines;
    answer.error ??= read.error;
    answer.outage ??= read.outage;
    answer.sessions += 1;
    answer.left -= 1;
  }
  world.progress.report(taken.length, taken.length, "Reading sessions");
  return answer;
}
