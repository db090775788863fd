/**
 * Reads and writes events and checkpoints.
 *
 * An erasure drops every event that names the item, contains its content or comes from its session. The checkpoints of
 * that session lose their state but keep their place: read again from the beginning, the transcript would bring the
 * item back.
 */
import { SHELVES } from "../memory/shelves.ts";
import type { Checkpoint, SessionRecord } from "../sessions/session.ts";
import { dropContext } from "./context.ts";
import { among, contains, each, greater, isText, latest, uniqueBy, upTo } from "./dialect.ts";
import {
  allOf,
  column,
  count,
  either,
  join,
  raw,
  type Room,
  row,
  rows,
  rowsAs,
  send,
  type Sql,
  sql,
  type Steps,
  value,
  type Writers,
} from "./sql.ts";
import type { CaptureCounts, CaptureReads, EventQuery, EvidenceSize } from "./store.ts";

/** Converts events and checkpoints from rows, and says which traces of sessions count. */
type EventRow = Omit<SessionRecord, "payload"> & { payload: string };
type CheckpointRow = Omit<Checkpoint, "state" | "isOpen"> & { state: string; isOpen: number };

const toRecord = (row: EventRow): SessionRecord => ({
  ...row,
  payload: JSON.parse(row.payload) as SessionRecord["payload"],
});

const toCheckpoint = (row: CheckpointRow): Checkpoint => ({
  ...row,
  isOpen: row.isOpen === 1,
  state: JSON.parse(row.state) as unknown,
});

const TRACED = { events: 5_000, changes: 2_000, memories: 1_000 };
/** What these write, they write about other sessions or about none. */
const UPKEEP = ["backfill", "extract", "import", "index", "maintain", "orient", "restore"];
/** What was extracted later is no trace of the session in which it was. */
const EXTRACTED_SOURCES = ["extraction", "file-index", "code_index"];

/** What sessions leave on these shelves, and the name of the count. */
const LEFT = { memory: "memories", proposal: "proposals", evidence: "evidence" } as const;
const OUTLINED = 5_000;
const IS_SESSION = `session <> ''`;
/** Notes, reports and errors that a session was handed have other keys. */
const ITEM_ID = "________-____-____-____-____________";

/** What tells of erased items in events and checkpoints. */
interface CapturedTraces {
  ids: readonly string[];
  contents: readonly string[];
  sessions: readonly string[];
}

/** Texts are found as they are written in JSON. */
const tracedTexts = ({ ids, contents }: CapturedTraces): string[] =>
  [...ids, ...contents.map((text) => JSON.stringify(text).slice(1, -1))].filter((text) => text !== "");

const EVENT = raw(`id, kind, session, turn, at, payload`);
const CHECKPOINT = raw(`
  transcript, session, extractor, "offset", lines, skipped, state, is_open as "isOpen", updated_at as "updatedAt"`);
/** Postgres keeps the host of an event in a column, because it refuses some of what the payload may hold. */
const TOLD = either(raw("payload"), raw("host"));
const TOLD_HOST = either(raw(`payload ->> 'host'`), raw("host"));
const LATEST_HOST = either(raw(`payload ->> 'host'`), latest("host", "at").either!.postgres);
const EVIDENCE_BYTES = raw(`coalesce(sum(octet_length(item.content) + coalesce(octet_length(archive.packed), 0)), 0)`);
const EVIDENCE = raw(`from evidence_item item left join evidence_archive archive on archive.seq = item.seq
  where item.status in ('active', 'archived')`);

/** Only what is given, because a condition that may be absent would keep SQLite from using an index. */
const conditionsOf = ({ ids, session, kinds, since, before }: EventQuery): Sql =>
  allOf([
    ids && sql`id ${among(ids)}`,
    session !== undefined && isText("session", session),
    kinds && sql`kind ${among(kinds)}`,
    since !== undefined && sql`at >= ${since}`,
    before !== undefined && sql`at < ${before}`,
  ]);

export const captureReads: Room<CaptureReads> = {
  *knownEvents(ids) {
    return new Set(yield* column<string>(sql`select id from event where id ${among(ids)}`));
  },
  events: ({ limit, ...query }) =>
    rowsAs<EventRow, ReturnType<typeof toRecord>>(
      toRecord,
      sql`select ${EVENT} from event where ${conditionsOf(query)} order by at desc, id desc ${upTo(limit)}`,
    ),
  walkEvents: ({ after, limit }) =>
    rowsAs(toRecord, sql`select ${EVENT} from event where id > ${after} order by id ${upTo(limit)}`),
  walkCheckpoints: ({ after, limit }) =>
    rowsAs(
      toCheckpoint,
      sql`select ${CHECKPOINT} from checkpoint where transcript > ${after} order by transcript ${upTo(limit)}`,
    ),
  *eventCount(query) {
    return (yield* value<number>(sql`select count(*) from event where ${conditionsOf(query)}`)) ?? 0;
  },
  *checkpoint(transcript) {
    const found = yield* row<CheckpointRow>(
      sql`select ${CHECKPOINT} from checkpoint where ${isText("transcript", transcript)}`,
    );
    return found ? toCheckpoint(found) : null;
  },
  openCheckpoints: (before, limit) =>
    column(sql`
      select transcript from checkpoint where is_open = 1 and updated_at < ${before}
      order by updated_at, transcript ${upTo(limit)}`),
  sessionTraces: () => rows(TRACES),
  sessionOutlines: ({ before, limit }) =>
    rows(sql`${OUTLINES} having max(at) < ${before} order by max(at) desc, session ${upTo(limit)}`),
  *captureCounts() {
    return (yield* row<CaptureCounts>(sql`
      select (select count(*) from event) as events, (select count(*) from checkpoint) as checkpoints,
        (select max(at) from event) as "lastEventAt"`))!;
  },
  *evidenceSize(since) {
    return (yield* row<EvidenceSize>(sql`
      select count(*) as items, ${EVIDENCE_BYTES} as bytes ${EVIDENCE} and item.created_at >= ${since}`))!;
  },
  // Counting takes a while in a large file, and its pages are never smaller than what they hold.
  *isEvidenceBelow(bytes) {
    const isSmall = either(
      sql`(select page_count * page_size from pragma_page_count, pragma_page_size) < ${bytes}`,
      raw("false"),
    );
    return Boolean(
      yield* value(sql`
        select case when ${isSmall} then true else (select ${EVIDENCE_BYTES} ${EVIDENCE}) < ${bytes} end`),
    );
  },
  sessionsOf: (ids) =>
    column(sql`
      select session from journal where item_id ${among(ids)} and kind = 'insert_item' union ${join(
        SHELVES.map((shelf) => sql`select session from ${raw(shelf)}_item where id ${among(ids)}`),
        " union ",
      )}`),
};

/** The host of a session is that of its latest trace. */
const TRACES = sql`
  select session, coalesce(${LATEST_HOST}, '') as host, 'event' as by, max(at) as "lastAt",
    max(at) filter (where kind = 'session_end') as "endedAt"
  from (select session, kind, at, ${TOLD} from event order by at desc ${upTo(TRACED.events)}) event group by session
  union all
  select session, ${latest("host", "at")}, 'write', max(at), null
  from (select session, host, verb, at from journal order by seq desc ${upTo(TRACED.changes)}) change
  where not verb ${among(UPKEEP)} group by session
  union all
  select session, ${latest("host", "at")}, 'write', max(at), null
  from (
    select session, host, source, created_at as at from memory_item order by created_at desc ${upTo(TRACED.memories)}) memory
  where not source ${among(EXTRACTED_SOURCES)} group by session`;

/** Each kind of trace is read from its end, so that the cost does not grow. The host is the first that is known. */
const OUTLINES = sql`
  select session, coalesce(${either(
    raw(`substr(min(printf('%015d', at) || host) filter (where host <> ''), 16)`),
    raw(`(array_agg(host order by at, host) filter (where host <> ''))[1]`),
  )}, '') as host, min(at) as "firstAt", max(at) as "lastAt", max(at) filter (where trace = 'session_end') as "endedAt",
    ${raw(
      Object.entries(LEFT)
        .map(([shelf, name]) => `count(*) filter (where trace = '${shelf}') as ${name}`)
        .join(", "),
    )}, count(*) filter (where trace = 'item') as injected,
    count(*) filter (where trace not in (${raw(
      Object.keys(LEFT)
        .map((shelf) => `'${shelf}'`)
        .join(", "),
    )})) as reported
  from (
    select * from (
      select kind as trace, session, coalesce(${TOLD_HOST}, '') as host, at from event order by at desc ${upTo(OUTLINED)}
    ) event
    union all ${join(
      Object.keys(LEFT).map(
        (shelf) => sql`select * from (
          select '${raw(shelf)}' as trace, session, host, created_at as at from ${raw(shelf)}_item
          order by created_at desc ${upTo(OUTLINED)}) item`,
      ),
      " union all ",
    )}
    union all select * from (
      select case when key like ${ITEM_ID} then 'item' else 'report' end as trace, session, '' as host, at
      from injection order by at desc ${upTo(OUTLINED)}) injection
  ) left_behind
  where ${raw(IS_SESSION)} group by session`;

type Kind = "note_event" | "redact_events" | "drop_events" | "save_checkpoint" | "drop_checkpoints";

/** The host stands by itself as well on Postgres. */
const hostIn = (payload: object): string | null => {
  const { host } = payload as { host?: unknown };
  return typeof host === "string" ? host : null;
};

export const captureWriters: Writers<Kind> = {
  *note_event({ event: { id, kind, session, turn, at, payload } }) {
    const noted = yield* count(sql`
      insert into event (id, kind, session, turn, at, payload${either(raw(""), raw(", host"))})
      values (${id}, ${kind}, ${session}, ${turn}, ${at}, ${JSON.stringify(payload)}${either(raw(""), sql`, ${hostIn(payload)}`)})
      on conflict do nothing`);
    return noted === 0 ? `event ${id} is noted already` : null;
  },
  *redact_events({ events }) {
    for (const { id, payload } of events)
      yield* send(sql`
        update event set payload = ${JSON.stringify(payload)}${either(raw(""), sql`, host = ${hostIn(payload)}`)}
        where id = ${id}`);
    return null;
  },
  *drop_events({ before }) {
    yield* send(sql`delete from event where at < ${before}`);
    yield* dropContext(before);
    return null;
  },
  *save_checkpoint({ checkpoint, expectedOffset, expectedUpdatedAt }) {
    const { transcript, session, extractor, offset, lines, skipped, updatedAt, isOpen, state } = checkpoint;
    const found = yield* row<{ offset: number; updatedAt: number }>(
      sql`select "offset", updated_at as "updatedAt" from checkpoint where ${isText("transcript", transcript)}`,
    );
    const isExpected =
      (found?.offset ?? null) === expectedOffset &&
      (expectedUpdatedAt === undefined || found?.updatedAt === expectedUpdatedAt);
    if (!isExpected) return `${transcript} has been read further in the meantime`;
    yield* send(sql`
      insert into checkpoint (transcript, session, extractor, "offset", lines, skipped, updated_at, is_open, state)
      values (${transcript}, ${session}, ${extractor}, ${offset}, ${lines}, ${skipped}, ${updatedAt}, ${isOpen ? 1 : 0},
        ${JSON.stringify(state ?? null)})
      on conflict (${uniqueBy("transcript")}) do update set
        session = excluded.session, extractor = excluded.extractor, "offset" = excluded."offset", lines = excluded.lines,
        skipped = excluded.skipped, updated_at = excluded.updated_at,
        is_open = excluded.is_open, state = excluded.state`);
    return null;
  },
  *drop_checkpoints({ transcripts }) {
    yield* send(sql`delete from checkpoint where transcript ${among(transcripts)}`);
    return null;
  },
};

/** Erases what events and checkpoints hold of erased items. */
export function eraseCaptured(traces: CapturedTraces, at: number): Steps<void> {
  const texts = tracedTexts(traces);
  const holds = (column: string) => sql`(session ${among(traces.sessions)}
    or exists (select 1 from ${each(texts, "wanted")} where ${contains(column, raw("wanted.value"))}))`;
  return send(
    sql`delete from event where ${holds("payload")}`,
    // Whoever is reading the transcript now must notice: the text is in the state that they began with.
    sql`update checkpoint set state = 'null', is_open = 0, updated_at = ${greater(raw("updated_at + 1"), at)}
    where state <> 'null' and ${holds("state")}`,
  );
}
