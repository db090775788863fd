/**
 * The session before this one.
 *
 * A session is what hooks report under one name, or what a server or program wrote under its own. A command typed in a
 * terminal is none. This session does not count. A server does not always know under which name hooks report the same
 * session: if nothing was reported under its own, a reported session that may still be going on counts as this one.
 */
import { COMMIT_ID, type SessionTrace } from "../sessions/session.ts";
import type { World } from "../world.ts";

/** A session that was not reported to end counts as over after this time without a trace. */
const OPEN_MS = 30 * 60_000;
/** Names that a process gave itself, as ids are made here. */
const MADE_HERE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
interface PastSession {
  session: string;
  host: string;
  at: number;
}

interface Known extends Pick<SessionTrace, "session" | "host" | "lastAt" | "endedAt"> {
  /** When something was last reported of it; null if never. */
  reportedAt: number | null;
}

export function lastSession(traces: readonly SessionTrace[], own: string, now: number): PastSession | null {
  const known = [...Map.groupBy(traces, ({ session }) => session).values()].map(joined);
  const isOwnReported = known.some(({ session, reportedAt }) => session === own && reportedAt !== null);
  const mayBeThis = (one: Known) => !isOwnReported && isOpen(one, now);
  const [last] = known
    .filter((one) => one.session !== own && !isCommand(one) && !mayBeThis(one))
    .sort((one, two) => two.lastAt - one.lastAt || (one.session < two.session ? -1 : 1));
  return last ? { session: last.session, host: last.host, at: Math.min(last.lastAt, now) } : null;
}

function joined(traces: readonly SessionTrace[]): Known {
  const latestFirst = traces.toSorted((one, two) => two.lastAt - one.lastAt);
  const [{ session, lastAt }] = latestFirst as [SessionTrace];
  // A host that hooks name says more than the server that the agent called.
  const reported = latestFirst.filter(({ by }) => by === "event");
  const host = [...reported, ...latestFirst].find((trace) => trace.host !== "")?.host ?? "";
  const endedAt = reported.find((trace) => trace.endedAt !== null)?.endedAt ?? null;
  return { session, host, lastAt, endedAt, reportedAt: reported[0]?.lastAt ?? null };
}

/** A session that went on after its end was resumed. */
const isOpen = ({ reportedAt, endedAt }: Known, now: number): boolean =>
  reportedAt !== null && (endedAt === null || endedAt < reportedAt) && now - reportedAt < OPEN_MS;

const isCommand = (one: Known): boolean => one.reportedAt === null && one.host === "cli" && isMadeHere(one.session);

/** A process that nobody gave the name of a session names itself. */
export const isMadeHere = (session: string): boolean => MADE_HERE.test(session);

/** What was checked out when a session was last heard of: as a hook reported it, else as it wrote it to a memory. */
interface NotedHead {
  branch: string | null;
  commit: string;
}

const EVENTS_MOST = 20;
const MEMORIES = { limit: 20, rows: 2_000 };
/** These are written after the session, when something else may be checked out. */
const LATER: readonly string[] = ["extraction", "file-index"];

export async function notedHead(
  session: string,
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<NotedHead | null> {
  for (const { payload } of await project.events({ session, limit: EVENTS_MOST })) {
    const head = headIn(payload["branch"], payload["commit"]);
    if (head) return head;
  }
  const filter = { statuses: ["active"] as const, scopes: ["project"] as const, session, now: clock.now() };
  for (const { source, context } of await project.newest("memory", filter, MEMORIES)) {
    const head = LATER.includes(source) ? null : headIn(context.branch, context.commits.at(-1));
    if (head) return head;
  }
  return null;
}

const headIn = (branch: unknown, commit: unknown): NotedHead | null =>
  typeof commit === "string" && COMMIT_ID.test(commit)
    ? { branch: typeof branch === "string" ? branch : null, commit }
    : null;
