/**
 * What maintenance and `inspect` read and write: memories as they age, records that are kept for a limited time, how memories
 * are used, and when maintenance last ran.
 *
 * Without the records that are dropped the chain of the journal still verifies, because an entry says that they were. The
 * states of decisions and proposals stay: they show what people agreed to.
 */
import { ACCESS_KINDS, type AccessKind } from "../journal/change.ts";
import { LIMITED_SHELVES } from "../journal/journal.ts";
import { AGE_GROUPS_DAYS, type AgingMemory, COUNTED_DAYS, LISTED } from "../maintenance/figures.ts";
import { AGREED, BY_AGENT, REWORDED } from "../memory/authorship.ts";
import { DAY_MS } from "../time/calendar.ts";
import { among, hint, upTo } from "./dialect.ts";
import { isVisible } from "./filter.ts";
import type { TransactionOrigin } from "./journal-link.ts";
import {
  arrays,
  column,
  elsewhere,
  join,
  raw,
  type Room,
  rows,
  rowsAs,
  send,
  sql,
  type Steps,
  together,
  value,
  type Writers,
} from "./sql.ts";
import type { CareReads, ItemReads } from "./store.ts";

// Keys of the table of facts that every engine uses.

/** Key of the time of the last check of all files. */
export const LAST_LOOK = "last_look";
/** Key of the number of document changes; a trigger counts removals. */
export const CHANGES = "document_changes";
/** Key of that number at the last ranking. */
export const RANKED = "ranked_changes";

/** When maintenance last ran, the times it noted, and the rules by which everything was last redacted. */
const MAINTENANCE_KEYS = {
  maintainedAt: "maintained_at",
  redactedBy: "redacted_by",
  settledAt: "clock_settled_at",
  pendingAt: "clock_pending_at",
} as const;

type Mark = "byAgent" | "agreed" | "reworded";
type AgingRow = Omit<AgingMemory, "pinned" | Mark> & { details: string };

function toAging({ details, ...row }: AgingRow): AgingMemory {
  const marks = JSON.parse(details) as Record<string, unknown>;
  const isMarked = (name: string) => marks[name] === true;
  return { ...row, pinned: false, byAgent: isMarked(BY_AGENT), agreed: isMarked(AGREED), reworded: isMarked(REWORDED) };
}

const IS_LIMITED = sql`entry.shelf ${among(LIMITED_SHELVES)}`;

/** The last entry from before a time. Entries follow each other in time, so few of them need to be read. */
const lastBefore = (before: number) => {
  const middle = raw("(known + beyond) / 2");
  const isBefore = sql`coalesce((
    select entry.at from journal entry where entry.seq <= ${middle} order by entry.seq desc limit 1), 0) < ${before}`;
  return sql`(
    with recursive half (known, beyond) as (
      select cast(0 as bigint), (select coalesce(max(seq), 0) + 1 from journal)
      union all
      select case when ${isBefore} then ${middle} else known end, case when ${isBefore} then beyond else ${middle} end
      from half where beyond - known > 1
    )
    select max(known) from half)`;
};

const factOf = (key: string) => value<string>(sql`select value from fact where key = ${key}`);
const timeIn = (fact: string | null): number | null => (fact === null ? null : Number(fact));

export const careReads: Room<Omit<CareReads, "size">> = {
  // A range of row numbers, because a limit would let one page read past any number of rows that do not match.
  *aging(before, { after, rows: most }) {
    const through = after + most;
    const [memories, last] = yield* together(
      rowsAs(
        toAging,
        sql`select id, type, scope, status, source, host, confidence, created_at as "createdAt", updated_at as "updatedAt",
          accessed_at as "accessedAt", access_count as "accessCount", summary, details
        from memory_item
        where seq > ${after} and seq <= ${through} and pinned = 0 and scope <> 'working'
          and status in ('active', 'archived', 'pruned') and updated_at <= ${before}
        order by seq`,
      ),
      value<number>(sql`select coalesce(max(seq), 0) from memory_item`),
    );
    return { memories, next: through < (last ?? 0) ? through : null };
  },
  agedAccesses: (before, { after, limit }) =>
    column(sql`select seq from access_log where seq > ${after} and at < ${before} order by seq ${upTo(limit)}`),
  agedPayloads: (before, { after, limit }) =>
    column(sql`
      select kept.seq from journal_payload kept cross join journal entry
      where entry.seq = kept.seq and kept.seq > ${after} and kept.seq <= ${lastBefore(before)}
        and entry.at < ${before} and ${IS_LIMITED}
      order by kept.seq ${upTo(limit)}`),
  keptStates: ({ after, limit }) =>
    rows(sql`
      select kept.seq, entry.shelf, entry.item_id as "itemId", kept.payload
      from journal_payload kept cross join journal entry
      where entry.seq = kept.seq and kept.seq > ${after} order by kept.seq ${upTo(limit)}`),
  keptQuestions: ({ after, limit }) =>
    rows(sql`
      select seq, query from access_log where seq > ${after} and query is not null order by seq ${upTo(limit)}`),
  *statistics(now, visibleIn) {
    const isActive = sql`item.status = 'active' and (item.expires_at is null or item.expires_at > ${now})`;
    const isShown = sql`${isActive} and ${isVisible(visibleIn)}`;
    const younger = AGE_GROUPS_DAYS.map((days) => sql`count(*) filter (where created_at > ${now - days * DAY_MS})`);
    // Each reads the rows once, in the order in which they lie on disk; an index would slow down every access instead.
    const [[counts], days, mostRecalled, tags, edges, cachedVectors, maintainedAt] = yield* together(
      // Those without access, then those younger than each limit, then all.
      arrays<number[]>(sql`
        select count(*) filter (where access_count = 0), ${join(younger, ", ")}, count(*)
        from memory_item item ${hint("not indexed")} where ${isActive}`),
      // Only what the index on the time of creation leads to.
      rows<{ day: number; count: number }>(sql`
        select created_at / ${raw(String(DAY_MS))} as day, count(*) as count from memory_item item
        where created_at > ${now - COUNTED_DAYS * DAY_MS} and ${isActive} group by day order by day`),
      rows<{ id: string; summary: string; accessCount: number; accessedAt: number }>(sql`
        select id, summary, access_count as "accessCount", accessed_at as "accessedAt" from memory_item
        where seq in (
          select seq from memory_item item ${hint("not indexed")} where access_count > 0 and ${isShown}
          order by access_count desc, accessed_at desc, seq ${upTo(LISTED)})
        order by access_count desc, accessed_at desc, seq`),
      rows<{ tag: string; count: number }>(sql`
        with gone as materialized (select seq from memory_item item ${hint("not indexed")} where not (${isShown}))
        select tag, count(*) as count from memory_tag where item_seq not in (select seq from gone)
        group by tag order by count(*) desc, tag ${upTo(LISTED)}`),
      rows<never>(sql`
        select shelf, status, count(*) as count from edge group by shelf, status order by shelf, status`),
      value<number>(sql`select count(*) from embedding_cache`),
      factOf(MAINTENANCE_KEYS.maintainedAt),
    );
    const [neverRecalled, ...atMost] = counts!;
    return {
      ages: atMost.map((count, group) => count - (atMost[group - 1] ?? 0)),
      days,
      neverRecalled: neverRecalled!,
      mostRecalled,
      tags,
      edges,
      cachedVectors: cachedVectors ?? 0,
      maintainedAt: timeIn(maintainedAt),
    };
  },
  redactedBy: () => factOf(MAINTENANCE_KEYS.redactedBy),
  *clockMarks() {
    const [settledAt, pendingAt] = yield* together(
      factOf(MAINTENANCE_KEYS.settledAt),
      factOf(MAINTENANCE_KEYS.pendingAt),
    );
    return { settledAt: timeIn(settledAt), pendingAt: timeIn(pendingAt) };
  },
};

export interface CareLog {
  writeDrop(through: number, transaction: TransactionOrigin): void;
  /** Writes what is pending, where entries are not written at once. */
  settle?(): Promise<void>;
}

const noteFact = (key: string, fact: string | number | null) =>
  send(
    fact === null
      ? sql`delete from fact where key = ${key}`
      : sql`insert into fact (key, value) values (${key}, ${String(fact)})
        on conflict (key) do update set value = excluded.value`,
  );

type Kind = "drop_accesses" | "drop_payloads" | "note_redaction" | "note_maintenance";

export const careWriters = (log: CareLog): Writers<Kind> => ({
  *drop_accesses({ numbers }) {
    yield* send(sql`delete from access_log where seq ${among(numbers)}`);
    return null;
  },
  *drop_payloads({ numbers }, transaction) {
    if (numbers.length === 0) return null;
    yield* elsewhere(() => log.settle?.());
    yield* send(sql`
      delete from journal_payload where seq in (
        select entry.seq from journal entry where ${IS_LIMITED} and entry.seq ${among(numbers)})`);
    log.writeDrop(Math.max(...numbers), transaction);
    return null;
  },
  *note_redaction({ rules }) {
    yield* noteFact(MAINTENANCE_KEYS.redactedBy, rules);
    return null;
  },
  *note_maintenance({ at, marks }) {
    yield* noteFact(MAINTENANCE_KEYS.maintainedAt, at);
    yield* noteFact(MAINTENANCE_KEYS.settledAt, marks.settledAt);
    yield* noteFact(MAINTENANCE_KEYS.pendingAt, marks.pendingAt);
    return null;
  },
});

// Reads the log of items read, how, and for which query.

/** What a query found besides is an entry too, as shown, with a relevance; it is not counted. */
export function* accessCounts(): Steps<Record<AccessKind, number>> {
  const found = yield* rows<{ how: AccessKind; count: number }>(sql`
    select how, count(*) as count from access_log where not (how = 'shown' and relevance is not null) group by how`);
  const counts = new Map(found.map(({ how, count }) => [how, count]));
  return Object.fromEntries(ACCESS_KINDS.map((how) => [how, counts.get(how) ?? 0])) as Record<AccessKind, number>;
}

export const accessReads: Room<Pick<ItemReads, "queriesFor">> = {
  queriesFor: (ids) =>
    column(sql`select distinct query from access_log where item_id ${among(ids)} and query is not null`),
};
