/**
 * Digests what hooks reported: transcripts they name are read, other sessions are taken in from the reports alone, and
 * each report is noted as an event.
 *
 * Only one process digests at a time. A report leaves the spool after everything made of it is written; its id is noted
 * in the same transaction, so a crash in between doubles nothing.
 */
import { notedHead } from "../briefing/last-session.ts";
import { refreshSurface } from "../briefing/surface.ts";
import type { Change } from "../journal/change.ts";
import { holdLease } from "../maintenance/lease.ts";
import { redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";
import { absorb, type CommitAt, stateIn } from "./absorb.ts";
import { extract, redactEvent } from "./extract.ts";
import { keepStaleSessions, RULES } from "./keep-session.ts";
import { type SessionEvent, type Spooled, STRETCH_IDLE_MS, type StretchEnd, TRANSCRIPT_HOSTS } from "./session.ts";

// Reports of hooks as events of a session, for hosts whose transcripts cannot be read.

/** `line` counts the reports of the session. */
function eventsOfReport(report: Spooled, line: number): SessionEvent[] {
  const { event, id, tool, command, path } = report;
  const text = report.text ?? "";
  const recorded = { line, at: report.at, branch: report.branch ?? null };
  const call: SessionEvent = { ...recorded, kind: "call", call: id, tool: tool ?? "", command, path };
  switch (event) {
    case "prompt":
      return [{ ...recorded, kind: "prompt", text }];
    case "turn_end":
      return text === "" ? [] : [{ ...recorded, kind: "reply", text }];
    case "compaction":
      return [{ ...recorded, kind: "compaction", text }];
    case "tool":
    case "failure":
      return [call, { ...recorded, kind: "result", call: id, text, isError: event === "failure" }];
    case "session_start":
    case "session_end":
      return [];
  }
}

const endOf = (reports: readonly Spooled[]): StretchEnd | null =>
  reports.at(-1)?.event === "session_end" ? "session_end" : null;

interface DigestOptions {
  /** Stops between two sessions once true. */
  isStopped?: () => boolean;
  /** How long to wait for another digester. */
  patienceMs?: number;
}

interface Digested {
  reports: number;
  sessions: number;
  memories: string[];
  proposals: string[];
  evidence: number;
  /** Whether reports wait, because the person's role allows no changes. */
  isRefused: boolean;
  /** Transcripts that reports wait for: their host named them and may still be writing them. */
  awaited: string[];
}

const LEASE = "digest";
const TAKEN_AT_ONCE = 200;
const IDLE_AT_ONCE = 20;
const CONFLICTS_MOST = 5;

/** Null if another process is digesting. */
export async function digest(world: World, options: DigestOptions = {}): Promise<Digested | null> {
  const { isStopped = () => false, patienceMs = 0 } = options;
  const done: Digested = {
    reports: 0,
    sessions: 0,
    memories: [],
    proposals: [],
    evidence: 0,
    isRefused: false,
    awaited: [],
  };
  if (world.project.readOnly || world.settings.capture.enabled === "off") return done;
  const isWaiting = (await world.spool.list(1)).length > 0 || (await idleSessions(world)).length > 0;
  if (!isWaiting && !(await hasStaleSessions(world))) return done;
  if (await world.project.refusal?.()) return { ...done, isRefused: true };
  return holdLease(LEASE, { patienceMs, isEnding: isStopped }, { ...world, store: world.project }, async (lease) => {
    const seen = new Set<string>();
    let begun: Spooled | null = null;
    while (!isStopped()) {
      // A file that could not be removed must not be taken again and again.
      const names = (await world.spool.list(TAKEN_AT_ONCE + seen.size)).filter((name) => !seen.has(name));
      if (names.length === 0) break;
      for (const name of names) seen.add(name);
      for (const session of await sessionsIn(names, world)) {
        if (isStopped()) return done;
        begun = laterOf(begun, beginOf(session));
        await lease.renew();
        await apart(() => digestSession(session, isStopped, done, world), world);
      }
    }
    const over = isStopped() ? [] : [...(await idleSessions(world)), ...(await leftSessions(begun, world))];
    for (const transcript of new Set(over)) await apart(() => endIdle(transcript, done, world), world);
    await apart(async () => void (await keepStaleSessions(world, { isStopped })), world);
    if (done.evidence + done.memories.length + done.proposals.length > 0) await refreshSurface(world);
    return done;
  });
}

/** A run that was interrupted, or an erasure, may have left sessions without a card. */
const hasStaleSessions = async ({ project }: World): Promise<boolean> =>
  !(await project.refusal?.()) && (await project.staleSessions(RULES, 1)).length > 0;

/** A session that cannot be taken in does not hold up the others. */
async function apart(work: () => Promise<void>, { log }: Pick<World, "log">): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    log.warn(`a session was not taken in: ${(thrown as Error).message}`);
  }
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
  if (fresh.length > 0 && !(await takeIn(fresh, isStopped, done, world))) return;
  done.reports += fresh.length;
  done.sessions += fresh.length > 0 ? 1 : 0;
  for (const { name } of session) await world.spool.remove(name);
}

/** Where a transcript is expected, its host may still be writing it. */
const LAG_MS = 60_000;

/** False if the reports have to wait. */
async function takeIn(
  fresh: readonly Spooled[],
  isStopped: () => boolean,
  done: Digested,
  world: World,
): Promise<boolean> {
  const isRecent = fresh.at(-1)!.at > world.clock.now() - LAG_MS;
  const source = await sourceOf(fresh, world);
  if (source === "missing" && isRecent) {
    done.awaited.push(redactor().clean(namedIn(fresh)[0]!));
    return false;
  }
  if (source !== "missing" && source !== "reports") {
    const read = await extract(
      { path: source.transcript, isEnded: endOf(fresh) !== null, commitAt: commitIn(fresh), isStopped },
      quiet(world),
    );
    if (isStopped()) return false;
    add(read, read.evidence, done);
    if (read.error === null) {
      if (isRecent && (await isBehind(fresh, source.transcript, world))) return false;
      await note(fresh, world);
      return true;
    }
    world.log.warn(`a transcript was not read to its end: ${read.error}`);
  }
  await digestReports(fresh, done, world);
  return true;
}

/**
 * The transcript, if it is there and of this project. A session that was begun from reports is continued from reports:
 * read from the beginning, its transcript would tell everything again.
 */
async function sourceOf(
  reports: readonly Spooled[],
  { transcripts, project }: World,
): Promise<{ transcript: string } | "missing" | "reports"> {
  const { host, session } = reports[0]!;
  const isRead = (TRANSCRIPT_HOSTS as readonly string[]).includes(host);
  if (!isRead || (await project.checkpoint(reportKey(host, session)))) return "reports";
  const named = namedIn(reports);
  for (const transcript of named)
    if (await transcripts.find(transcript)) return (await transcripts.isOwn(transcript)) ? { transcript } : "reports";
  return named.length > 0 ? "missing" : "reports";
}

/** The transcripts that reports name, the last first. */
const namedIn = (reports: readonly Spooled[]): string[] => [
  ...new Set(reports.toReversed().flatMap(({ transcript }) => transcript ?? [])),
];

/** A hook runs a little after the call that it reports. */
const HOOK_MS = 2_000;

const commitIn =
  (reports: readonly Spooled[]): CommitAt =>
  (time) =>
    reports.findLast(({ at }) => time === null || at <= time + HOOK_MS)?.commit ?? null;

/** Whether the last reply that was reported is not in the transcript yet. */
async function isBehind(reports: readonly Spooled[], transcript: string, { project }: World): Promise<boolean> {
  const reply = reports.findLast(({ event, text }) => event === "turn_end" && text !== null)?.text;
  const { open } = stateIn(await project.checkpoint(transcript));
  // Once its turn has ended there is nothing to compare with.
  if (!reply || open === null) return false;
  const beginning = reply.slice(0, COMPARED_CHARACTERS).trim();
  return !open.parts.some(({ label, text }) => label === "agent" && text.includes(beginning));
}

const COMPARED_CHARACTERS = 100;

/** The name of the checkpoint of a session that is taken in from reports. */
const reportKey = (host: string, session: string): string => `hooks of ${host}: ${session}`;

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

/** With the rules of today; those of the hook may be older. */
function noting({ id, event, host, at, ...given }: Spooled): Change {
  const { clean } = redactor();
  const part = (text: string | null) => (text === null ? null : clean(text));
  const { tool, command, path, text, branch = null, commit = null } = given;
  const parts = { tool: part(tool), command: part(command), path: part(path), text: part(text), branch: part(branch) };
  const payload = { host, ...parts, commit };
  const said = { session: clean(given.session), turn: part(given.turn), at: Math.round(at) };
  return { kind: "note_event", event: { id, kind: event, ...said, payload } };
}

/** Without a transcript, the reports are the session; its checkpoint counts them. */
async function digestReports(reports: readonly Spooled[], done: Digested, world: World): Promise<void> {
  const [{ host, session }] = reports as [Spooled];
  const source = {
    cwd: reports[0]!.cwd || null,
    transcript: reportKey(host, session),
    session: redactor().clean(session),
    host,
    commitAt: commitIn(reports),
  };
  const now = world.clock.now();
  for (let attempt = 0; attempt < CONFLICTS_MOST; attempt += 1) {
    const before = await world.project.checkpoint(source.transcript);
    const first = before?.lines ?? 0;
    const known = await world.project.knownEvents(reports.map(({ id }) => id));
    const fresh = reports.filter(({ id }) => !known.has(id));
    if (fresh.length === 0) return;
    const events = fresh.flatMap((report, index) => eventsOfReport(report, first + index));
    const end = first + fresh.length;
    const batch = {
      events: events.map((event) => redactEvent(event, now)),
      skipped: 0,
      offset: end,
      lines: end,
      endedBy: endOf(fresh),
      also: fresh.map(noting),
    };
    const absorbed = await absorb(source, batch, before, world);
    if (!absorbed) continue;
    return add(absorbed, absorbed.evidence.length, done);
  }
  throw new Error(`the session ${session} keeps changing`);
}

/** Sessions that nobody ended and in which nothing has happened for half an hour. */
async function idleSessions({ project, clock }: World): Promise<string[]> {
  return project.openCheckpoints(clock.now() - STRETCH_IDLE_MS, IDLE_AT_ONCE);
}

/** Null if a conversation only goes on. */
const beginOf = (session: readonly Report[]): Spooled | null =>
  session.findLast(({ report: { event, text } }) => event === "session_start" && text !== "compact")?.report ?? null;

const laterOf = (one: Spooled | null, two: Spooled | null): Spooled | null =>
  one === null || (two !== null && two.at > one.at) ? two : one;

/**
 * Sessions that waited for their person when another one began. Hosts often exit without reporting the end, and the next
 * session must not miss what this one taught; if it goes on after all, that is another stretch of work.
 */
async function leftSessions(begun: Spooled | null, { project }: World): Promise<string[]> {
  const left: string[] = [];
  if (begun === null) return left;
  const another = redactor().clean(begun.session);
  for (const transcript of await project.openCheckpoints(Infinity, IDLE_AT_ONCE)) {
    const session = (await project.checkpoint(transcript))?.session;
    const [last] = session === undefined || session === another ? [] : await project.events({ session, limit: 1 });
    if (last?.kind === "turn_end" && last.at < begun.at) left.push(transcript);
  }
  return left;
}

async function endIdle(transcript: string, done: Digested, world: World): Promise<void> {
  const before = await world.project.checkpoint(transcript);
  if (!before) return;
  const commit = (await notedHead(before.session, world))?.commit ?? null;
  const isFile = (await world.transcripts.find(transcript)) !== null;
  const commitAt = () => commit;
  const read = isFile ? await extract({ path: transcript, isEnded: true, commitAt }, quiet(world)) : null;
  if (read) add(read, read.evidence, done);
  if (read?.error === null) return;
  // Whatever cannot be read any more ends with what is known, and is not tried again.
  const { session, offset, lines } = before;
  const host = /^hooks of (\S+):/.exec(transcript)?.[1] ?? "";
  const { mark } = stateIn(before);
  const batch = { events: [], skipped: 0, offset, lines, endedBy: "idle" as const, ...(mark !== null && { mark }) };
  const absorbed = await absorb({ transcript, session, host, cwd: null, commitAt }, batch, before, world);
  if (absorbed) add(absorbed, absorbed.evidence.length, done);
}
