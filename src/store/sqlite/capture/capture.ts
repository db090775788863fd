/** Reads events and checkpoints. */
import type { SessionOutline } from "../../../model/capture/session-outline.ts";
import type { SessionTrace } from "../../../model/capture/session-trace.ts";
import { SHELVES } from "../../../model/memory/shelves.ts";
import type { CaptureCounts, CaptureReads, EventQuery, EvidenceSize } from "../../../ports/store/capture.ts";
import {
  type CheckpointRow,
  type EventRow,
  IS_SESSION,
  LEFT,
  OUTLINED,
  TRACED,
  UPKEEP,
  toCheckpoint,
  toRecord,
} from "../../rows/capture/capture-row.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

export function captureReads(db: Database): Sync<CaptureReads> {
  const statements = prepare(db);
  const outlines = prepareOutlines(db);
  return {
    knownEvents: (ids) => new Set(statements.known.all(JSON.stringify(ids))),
    events: ({ limit, ...query }) =>
      select(db, query)
        .all({ ...parametersOf(query), limit })
        .map(toRecord),
    walkEvents: ({ after, limit }) => statements.walk.all(after, limit).map(toRecord),
    walkCheckpoints: ({ after, limit }) => statements.walkCheckpoints.all(after, limit).map(toCheckpoint),
    eventCount: (query) => count(db, query).get(parametersOf(query)) ?? 0,
    checkpoint(transcript) {
      const row = statements.checkpoint.get(transcript);
      return row ? toCheckpoint(row) : null;
    },
    openCheckpoints: (before, limit) => statements.open.all(before, limit),
    sessionTraces: () => statements.traces.all(),
    sessionOutlines: (page) => outlines.all(page),
    captureCounts: () => statements.counts.get()!,
    evidenceSize: (since) => statements.evidence.get(since)!,
    // Counting takes a while in a large store, and its pages are never smaller than what they hold.
    isEvidenceBelow: (bytes) => statements.pages.get()! < bytes || statements.evidence.get(0)!.bytes < bytes,
    sessionsOf: (ids) => statements.sessions.all({ ids: JSON.stringify(ids) }),
  };
}

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

const CHECKPOINT = `
  transcript, session, extractor, offset, lines, skipped, state, is_open as isOpen, updated_at as updatedAt`;

function prepare(db: Database) {
  const ofRows = SHELVES.map(
    (shelf) => `select session from ${shelf}_item where id in (select value from json_each(@ids))`,
  );
  return {
    known: db.prepare<[string], string>(`select id from event where id in (select value from json_each(?))`).pluck(),
    checkpoint: db.prepare<[string], CheckpointRow>(`select ${CHECKPOINT} from checkpoint where transcript = ?`),
    walk: db.prepare<[string, number], EventRow>(
      `select id, kind, session, turn, at, payload from event where id > ? order by id limit ?`,
    ),
    walkCheckpoints: db.prepare<[string, number], CheckpointRow>(
      `select ${CHECKPOINT} from checkpoint where transcript > ? order by transcript limit ?`,
    ),
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
    pages: db.prepare<[], number>(`select page_count * page_size from pragma_page_count, pragma_page_size`).pluck(),
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

/** Each kind of trace is read from its end, so that the cost does not grow. The host is the first that is known. */
function prepareOutlines(db: Database) {
  const items = Object.keys(LEFT).map(
    (shelf) => `
      select * from (select '${shelf}' as trace, session, host, created_at as at from ${shelf}_item
      order by created_at desc limit ${OUTLINED})`,
  );
  const counts = Object.entries(LEFT).map(([shelf, name]) => `count(*) filter (where trace = '${shelf}') as ${name}`);
  return db.prepare<[{ before: number; limit: number }], SessionOutline>(`
    select session, coalesce(substr(min(printf('%015d', at) || host) filter (where host <> ''), 16), '') as host, min(at) as firstAt, max(at) as lastAt,
      max(case when trace = 'session_end' then at end) as endedAt,
      ${counts.join(", ")}, count(*) filter (where trace = 'injection') as injected
    from (
      select * from (
        select kind as trace, session, coalesce(payload ->> 'host', '') as host, at from event
        order by at desc limit ${OUTLINED})
      union all ${items.join(" union all ")}
      union all select * from (
        select 'injection' as trace, session, '' as host, at from injection order by at desc limit ${OUTLINED}))
    where ${IS_SESSION} group by session having max(at) < @before order by max(at) desc, session limit abs(@limit)`);
}
