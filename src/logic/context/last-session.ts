/**
 * The session before this one.
 *
 * A session is what hooks report under one name, or what a server or program wrote under its own. A command typed in a
 * terminal is none. This session does not count. A server does not always know under which name hooks report the same
 * session: if nothing was reported under its own, a reported session that may still be going on counts as this one.
 */
import type { SessionTrace } from "../../model/capture/session-trace.ts";

/** A session that was not reported to end counts as over after this time without a trace. */
const OPEN_MS = 30 * 60_000;
/** Names that a process gave itself, as ids are made here. */
const MADE_HERE = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export interface PastSession {
  session: string;
  host: string;
  at: number;
}

type Known = Omit<SessionTrace, "by"> & { isReported: boolean };

export function lastSession(traces: readonly SessionTrace[], own: string, now: number): PastSession | null {
  const known = [...Map.groupBy(traces, ({ session }) => session).values()].map(joined);
  const isOwnReported = known.some(({ session, isReported }) => session === own && isReported);
  const mayBeThis = (one: Known) => !isOwnReported && one.isReported && isOpen(one, now);
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
  const ends = latestFirst.flatMap(({ endedAt }) => endedAt ?? []);
  return {
    session,
    host,
    lastAt,
    endedAt: ends.length > 0 ? Math.max(...ends) : null,
    isReported: reported.length > 0,
  };
}

/** A session that went on after its end was resumed. */
const isOpen = ({ lastAt, endedAt }: Known, now: number): boolean =>
  (endedAt === null || endedAt < lastAt) && now - lastAt < OPEN_MS;

const isCommand = ({ session, host, isReported }: Known): boolean =>
  !isReported && host === "cli" && MADE_HERE.test(session);
