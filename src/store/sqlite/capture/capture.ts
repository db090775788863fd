/** Reads events and checkpoints. */
import type { Checkpoint } from "../../../model/capture/checkpoint.ts";
import type { SessionRecord } from "../../../model/capture/session-record.ts";
import type { SessionTrace } from "../../../model/capture/session-trace.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";
import type { CaptureCounts, CaptureReads, EventQuery, EvidenceSize } from "../../../ports/store/capture.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

type EventRow = Omit<SessionRecord, "payload"> & { payload: string };
type CheckpointRow = Omit<Checkpoint, "state" | "isOpen"> & { state: string; isOpen: number };

export function captureReads(db: Database): Sync<CaptureReads> {
  const statements = prepare(db);
  return {
    knownEvents: (ids) => new Set(statements.known.all(JSON.stringify(ids))),
    events: ({ limit, ...query }) =>
      select(db, query)
        .all({ ...parametersOf(query), limit })
        .map((row) => ({ ...row, payload: JSON.parse(row.payload) as SessionRecord["payload"] })),
    eventCount: (query) => count(db, query).get(parametersOf(query)) ?? 0,
    checkpoint(transcript) {
      const row = statements.checkpoint.get(transcript);
      return row ? { ...row, isOpen: row.isOpen === 1, state: JSON.parse(row.state) as unknown } : null;
    },
    openCheckpoints: (before, limit) => statements.open.all(before, limit),
    sessionTraces: () => statements.traces.all(),
    captureCounts: () => statements.counts.get()!,
    evidenceSize: (since) => statements.evidence.get(since)!,
    sessionsOf: (ids) => statements.sessions.all({ ids: JSON.stringify(ids) }),
  };
}

const TRACED = { events: 5_000, changes: 2_000, memories: 1_000 };
/** What these write, they write about other sessions or about none. */
const UPKEEP = ["backfill", "extract", "import", "index", "maintain", "orient", "restore"];

const CONDITIONS: Readonly<Record<keyof EventQuery, string>> = {
  ids: `id in (select value from json_each(@ids))`,
  session: `session = @session`,
  kinds: `kind in (select value from json_each(@kinds))`,
  since: `at >= @since`,
  before: `at < @before`,
};

/** Only what is given, because a condition that may be absent would keep SQLite from using an index. */
function parametersOf(query: EventQuery): Record<string, string | number> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]));
}

const conditionsOf = (query: EventQuery): string =>
  ["true", ...Object.keys(parametersOf(query)).map((name) => CONDITIONS[name as keyof EventQuery])].join(" and ");

const select = (db: Database, query: EventQuery) =>
  db.prepare<[object], EventRow>(`
    select id, kind, session, turn, at, payload from event
    where ${conditionsOf(query)} order by at desc, id desc limit @limit`);

const count = (db: Database, query: EventQuery) =>
  db.prepare<[object], number>(`select count(*) from event where ${conditionsOf(query)}`).pluck();

function prepare(db: Database) {
  const ofRows = SHELVES.map(
    (shelf) => `select session from ${shelf}_item where id in (select value from json_each(@ids))`,
  );
  return {
    known: db.prepare<[string], string>(`select id from event where id in (select value from json_each(?))`).pluck(),
    checkpoint: db.prepare<[string], CheckpointRow>(`
      select transcript, session, extractor, offset, lines, skipped, state, is_open as isOpen, updated_at as updatedAt
      from checkpoint where transcript = ?`),
    open: db
      .prepare<
        [number, number],
        string
      >(`select transcript from checkpoint where is_open and updated_at < ? order by updated_at, transcript limit ?`)
      .pluck(),
    counts: db.prepare<[], CaptureCounts>(`
      select (select count(*) from event) as events, (select count(*) from checkpoint) as checkpoints,
        (select max(at) from event) as lastEventAt`),
    // Beside max(at), a plain column has the value of the row with the latest time.
    traces: db.prepare<[], SessionTrace>(`
      select session, coalesce(payload ->> 'host', '') as host, 'event' as by, max(at) as lastAt,
        max(case when kind = 'session_end' then at end) as endedAt
      from (select session, kind, at, payload from event order by at desc limit ${TRACED.events}) group by session
      union all
      select session, host, 'write', max(at), null
      from (select session, host, verb, at from journal order by seq desc limit ${TRACED.changes})
      where verb not in (select value from json_each('${JSON.stringify(UPKEEP)}')) group by session
      union all
      select session, host, 'write', max(created_at), null
      from (select session, host, source, created_at from memory_item order by created_at desc limit ${TRACED.memories})
      where source not in ('extraction', 'file-index', 'code_index') group by session`),
    evidence: db.prepare<[number], EvidenceSize>(`
      select count(*) as items,
        coalesce(sum(octet_length(item.content) + coalesce(length(archive.packed), 0)), 0) as bytes
      from evidence_item item left join evidence_archive archive on archive.seq = item.seq
      where item.created_at >= ? and item.status in ('active', 'archived')`),
    sessions: db
      .prepare<[{ ids: string }], string>(
        `
        select session from journal where item_id in (select value from json_each(@ids)) and kind = 'insert_item'
        union ${ofRows.join(" union ")}`,
      )
      .pluck(),
  };
}
