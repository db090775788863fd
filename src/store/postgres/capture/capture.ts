/** Reads events and checkpoints. */
import type { Checkpoint } from "../../../model/capture/checkpoint.ts";
import type { SessionOutline } from "../../../model/capture/session-outline.ts";
import type { SessionTrace } from "../../../model/capture/session-trace.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";
import type { CaptureCounts, CaptureReads, EventQuery, EvidenceSize } from "../../../ports/store/capture.ts";
import {
  type CheckpointRow,
  type EventRow,
  EXTRACTED_SOURCES,
  IS_SESSION,
  LEFT,
  OUTLINED,
  TRACED,
  UPKEEP,
  toCheckpoint,
  toRecord,
} from "../../rows/capture/capture-row.ts";
import type { Database } from "../connection/database.ts";

export function captureReads(db: Database): CaptureReads {
  const statements = prepare(db);
  return {
    knownEvents: async (ids) => new Set(await statements.known.all({ ids })),
    async events({ limit, ...query }) {
      const select = db.prepare<EventRow>(`
        select ${EVENT} from event where ${conditionsOf(query)} order by at desc, id desc limit @limit`);
      return (await select.all({ ...query, limit })).map(toRecord);
    },
    walkEvents: async (page) => (await statements.walk.all(page)).map(toRecord),
    walkCheckpoints: async (page) => (await statements.walkCheckpoints.all(page)).map(toCheckpoint),
    async eventCount(query) {
      const count = db.prepareColumn<number>(`select count(*) from event where ${conditionsOf(query)}`);
      return (await count.get({ ...query })) ?? 0;
    },
    async checkpoint(transcript): Promise<Checkpoint | null> {
      const row = await statements.checkpoint.get({ transcript });
      return row ? toCheckpoint(row) : null;
    },
    openCheckpoints: (before, limit) => statements.open.all({ before, limit }),
    sessionTraces: () => statements.traces.all({ upkeep: UPKEEP, extracted: EXTRACTED_SOURCES }),
    sessionOutlines: (page) => statements.outlines.all(page),
    captureCounts: async () => (await statements.counts.get())!,
    evidenceSize: async (since) => (await statements.evidence.get({ since }))!,
    isEvidenceBelow: async (bytes) => (await statements.evidence.get({ since: 0 }))!.bytes < bytes,
    sessionsOf: (ids) => statements.sessions.all({ ids }),
  };
}

const CONDITIONS: Readonly<Record<keyof EventQuery, string>> = {
  ids: `id = any (@ids::text[])`,
  session: `md5(session) = md5(@session) and session = @session`,
  kinds: `kind = any (@kinds::text[])`,
  since: `at >= @since`,
  before: `at < @before`,
};

const conditionsOf = (query: EventQuery): string =>
  ["true", ...(Object.keys(query) as (keyof EventQuery)[]).filter((name) => query[name] !== undefined)]
    .map((name) => CONDITIONS[name as keyof EventQuery] ?? name)
    .join(" and ");

const EVENT = `id, kind, session, turn, at, payload`;
const CHECKPOINT = `
  transcript, session, extractor, "offset", lines, skipped, state, is_open as "isOpen", updated_at as "updatedAt"`;

function prepare(db: Database) {
  const ofRows = SHELVES.map((shelf) => `select session from ${shelf}_item where id = any (@ids)`);
  return {
    known: db.prepareColumn<string>(`select id from event where id = any (@ids::text[])`),
    checkpoint: db.prepare<CheckpointRow>(`select ${CHECKPOINT} from checkpoint where transcript = @transcript`),
    walk: db.prepare<EventRow>(`select ${EVENT} from event where id > @after order by id limit @limit`),
    walkCheckpoints: db.prepare<CheckpointRow>(
      `select ${CHECKPOINT} from checkpoint where transcript > @after order by transcript limit @limit`,
    ),
    open: db.prepareColumn<string>(`
      select transcript from checkpoint where is_open = 1 and updated_at < @before
      order by updated_at, transcript limit @limit`),
    counts: db.prepare<CaptureCounts>(`
      select (select count(*) from event) as events, (select count(*) from checkpoint) as checkpoints,
        (select max(at) from event) as "lastEventAt"`),
    traces: prepareTraces(db),
    outlines: prepareOutlines(db),
    evidence: db.prepare<EvidenceSize>(`
      select count(*) as items,
        coalesce(sum(octet_length(item.content) + coalesce(octet_length(archive.packed), 0)), 0) as bytes
      from evidence_item item left join evidence_archive archive on archive.seq = item.seq
      where item.created_at >= @since and item.status in ('active', 'archived')`),
    sessions: db.prepareColumn<string>(`
      select session from journal where item_id = any (@ids::text[]) and kind = 'insert_item'
      union ${ofRows.join(" union ")}`),
  };
}

/** The host of a session is that of its latest trace. */
function prepareTraces(db: Database) {
  const latest = (column: string, time: string) => `(array_agg(${column} order by ${time} desc))[1]`;
  return db.prepare<SessionTrace>(`
    select session, coalesce(${latest("host", "at")}, '') as host, 'event' as by, max(at) as "lastAt",
      max(at) filter (where kind = 'session_end') as "endedAt"
    from (select session, kind, at, host from event order by at desc limit ${TRACED.events}) event group by session
    union all
    select session, ${latest("host", "at")}, 'write', max(at), null
    from (select session, host, verb, at from journal order by seq desc limit ${TRACED.changes}) change
    where not verb = any (@upkeep::text[]) group by session
    union all
    select session, ${latest("host", "created_at")}, 'write', max(created_at), null
    from (
      select session, host, source, created_at from memory_item order by created_at desc limit ${TRACED.memories}
    ) memory
    where not source = any (@extracted::text[]) group by session`);
}

/** Each kind of trace is read from its end, so that the cost does not grow. The host is the first that is known. */
function prepareOutlines(db: Database) {
  const items = Object.keys(LEFT).map(
    (shelf) => `
      (select '${shelf}' as trace, session, host, created_at as at from ${shelf}_item
      order by created_at desc limit ${OUTLINED})`,
  );
  const counts = Object.entries(LEFT).map(([shelf, name]) => `count(*) filter (where trace = '${shelf}') as ${name}`);
  return db.prepare<SessionOutline>(`
    select session, coalesce((array_agg(host order by at, host) filter (where host <> ''))[1], '') as host,
      min(at) as "firstAt", max(at) as "lastAt", max(at) filter (where trace = 'session_end') as "endedAt",
      ${counts.join(", ")}, count(*) filter (where trace = 'injection') as injected
    from (
      (select kind as trace, session, coalesce(host, '') as host, at from event order by at desc limit ${OUTLINED})
      union all ${items.join(" union all ")}
      union all (select 'injection', session, '', at from injection order by at desc limit ${OUTLINED})
    ) left_behind
    where ${IS_SESSION} group by session having max(at) < @before order by max(at) desc, session limit @limit`);
}
