/**
 * Digests what hooks reported: transcripts they name are read, other sessions are taken in from the reports alone, and
 * each report is noted as an event.
 *
 * Only one process digests at a time. A report leaves the spool after everything made of it is written; its id is noted
 * in the same transaction, so a crash in between doubles nothing.
 */
import { endOf, eventsOfReport } from "../../logic/capture/session-of-reports.ts";
import { type Spooled } from "../../model/capture/spooled.ts";
import { TRANSCRIPT_HOSTS } from "../../model/capture/session-event.ts";
import type { Change } from "../../model/journal/change.ts";
import type { World } from "../../ports/world.ts";
import { holdLease } from "../care/lease.ts";
import { redactor } from "../redaction/redact.ts";
import { absorb, hasOpenWork } from "./absorb.ts";
import { extract } from "./extract.ts";
import { redactEvent } from "./redact-event.ts";

export interface DigestOptions {
  /** Stops between two sessions once true. */
  isStopped?: () => boolean;
  /** How long to wait for another digester. */
  patienceMs?: number;
}

export interface Digested {
  reports: number;
  sessions: number;
  memories: string[];
  proposals: string[];
  evidence: number;
}

const LEASE = "digest";
const TAKEN_AT_ONCE = 200;
const IDLE_MS = 30 * 60_000;
const IDLE_AT_ONCE = 20;
const CONFLICTS_MOST = 5;

/** Null if another process is digesting. */
export async function digest(world: World, options: DigestOptions = {}): Promise<Digested | null> {
  const { isStopped = () => false, patienceMs = 0 } = options;
  const done: Digested = { reports: 0, sessions: 0, memories: [], proposals: [], evidence: 0 };
  if (world.project.readOnly) return done;
  if ((await world.spool.list(1)).length === 0 && (await idleSessions(world)).length === 0) return done;
  return holdLease(LEASE, { patienceMs, isEnding: isStopped }, { ...world, store: world.project }, async (lease) => {
    const seen = new Set<string>();
    while (!isStopped()) {
      // A file that could not be removed must not be taken again and again.
      const names = (await world.spool.list(TAKEN_AT_ONCE + seen.size)).filter((name) => !seen.has(name));
      if (names.length === 0) break;
      for (const name of names) seen.add(name);
      for (const session of await sessionsIn(names, world)) {
        if (isStopped()) return done;
        await lease.renew();
        await digestSession(session, isStopped, done, world);
      }
    }
    for (const transcript of isStopped() ? [] : await idleSessions(world)) await endIdle(transcript, done, world);
    return done;
  });
}

interface Report {
  name: string;
  report: Spooled;
}

/** Reports by session, in the order of their first report. */
async function sessionsIn(names: readonly string[], world: World): Promise<Report[][]> {
  const sessions = new Map<string, Report[]>();
  for (const name of names) {
    const report = await world.spool.read(name);
    if (!report) continue;
    const key = `${report.host} ${report.session}`;
    sessions.set(key, [...(sessions.get(key) ?? []), { name, report }]);
  }
  // Files are listed by when they were written, and hooks of one moment finish in any order.
  const inOrder = (one: Report, two: Report) => one.report.at - two.report.at || (one.name < two.name ? -1 : 1);
  return [...sessions.values()].map((session) => session.sort(inOrder));
}

async function digestSession(session: Report[], isStopped: () => boolean, done: Digested, world: World): Promise<void> {
  const known = await world.project.knownEvents(session.map(({ report }) => report.id));
  const fresh = session.map(({ report }) => report).filter(({ id }) => !known.has(id));
  if (fresh.length > 0) {
    const path = await transcriptOf(fresh, world);
    if (path === null) await digestReports(fresh, done, world);
    else {
      const read = await extract({ path, isEnded: endOf(fresh) !== null, isStopped }, quiet(world));
      if (isStopped()) return;
      if (read.error !== null) world.log.warn(`a transcript was not read to its end: ${read.error}`);
      add(read, read.evidence, done);
      await note(fresh, world);
    }
    done.reports += fresh.length;
    done.sessions += 1;
  }
  for (const { name } of session) await world.spool.remove(name);
}

/** The latest transcript that is there and can be read. */
async function transcriptOf(reports: readonly Spooled[], { transcripts }: World): Promise<string | null> {
  for (const { host, transcript } of reports.toReversed()) {
    if (transcript === null || !(TRANSCRIPT_HOSTS as readonly string[]).includes(host)) continue;
    if (await transcripts.find(transcript)) return transcript;
  }
  return null;
}

const add = (read: Pick<Digested, "memories" | "proposals">, evidence: number, done: Digested): void => {
  done.memories.push(...read.memories);
  done.proposals.push(...read.proposals);
  done.evidence += evidence;
};

const quiet = (world: World): World => ({ ...world, progress: { report: () => undefined } });

/** One at a time: one that another process noted meanwhile must not keep the others out. */
async function note(reports: readonly Spooled[], { project, origin }: World): Promise<void> {
  const together = await project.apply(reports.map(noting), origin);
  if (together.status === "applied") return;
  for (const report of reports) await project.apply([noting(report)], origin);
}

function noting({ id, event, session, turn, at, ...payload }: Spooled): Change {
  const { clean } = redactor();
  const { host, tool, command, path, text } = payload;
  // With the rules of today; those of the hook may be older.
  const said = { host, tool, path, command: command && clean(command), text: text && clean(text) };
  return { kind: "note_event", event: { id, kind: event, session, turn, at, payload: said } };
}

/** Without a transcript, the reports are the session; its checkpoint counts them. */
async function digestReports(reports: readonly Spooled[], done: Digested, world: World): Promise<void> {
  const [{ host, session }] = reports as [Spooled];
  const source = { transcript: `hooks of ${host}: ${session}`, session, host };
  const { clean } = redactor();
  for (let attempt = 0; attempt < CONFLICTS_MOST; attempt += 1) {
    const before = await world.project.checkpoint(source.transcript);
    const first = before?.lines ?? 0;
    const known = await world.project.knownEvents(reports.map(({ id }) => id));
    const fresh = reports.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    const events = fresh.flatMap((report, index) => eventsOfReport(report, first + index));
    const end = first + fresh.length;
    const batch = {
      events: events.map((event) => redactEvent(event, clean)),
      ...{ skipped: 0, offset: end, lines: end, endedBy: endOf(fresh), also: fresh.map(noting) },
    };
    const absorbed = await absorb(source, batch, before, world);
    if (!absorbed) continue;
    return add(absorbed, absorbed.evidence.length, done);
  }
  throw new Error(`the session ${session} keeps changing`);
}

/** Sessions that nobody ended and in which nothing has happened for half an hour. */
async function idleSessions({ project, clock }: World): Promise<string[]> {
  return project.openCheckpoints(clock.now() - IDLE_MS, IDLE_AT_ONCE);
}

async function endIdle(transcript: string, done: Digested, world: World): Promise<void> {
  const file = await world.transcripts.find(transcript);
  if (file) {
    const read = await extract({ path: transcript }, quiet(world));
    return add(read, read.evidence, done);
  }
  const before = await world.project.checkpoint(transcript);
  if (!before || !hasOpenWork(before)) return;
  const { session, offset, lines } = before;
  const host = /^hooks of (\S+):/.exec(transcript)?.[1] ?? "";
  const batch = { events: [], skipped: 0, offset, lines, endedBy: "idle" as const };
  const absorbed = await absorb({ transcript, session, host }, batch, before, world);
  if (absorbed) add(absorbed, absorbed.evidence.length, done);
}
