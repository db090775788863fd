/**
 * Passages pending a vector, for each embedder whose vectors are kept, and the vectors that are known already.
 *
 * Memories and decisions come first, then documents, then code, evidence last; within a
 * shelf the newest first, because questions tend to be about recent items. An embedder
 * unused for a week is dropped with its vectors and its queue.
 */
import type { QueuedPassage } from "../journal/change.ts";
import { type Shelf, SHELVES } from "../memory/shelves.ts";
import { mayEmbed } from "../remote/provider.ts";
import { DAY_MS } from "../time/calendar.ts";
import { among, rowAmong, upTo } from "./dialect.ts";
import { arrays, count, join, raw, type Room, rows, rowsAs, send, sql, type Steps, together, value } from "./sql.ts";
import type { QueueReads, WaitingPassage } from "./store.ts";
import { asInt8 } from "./vectors/vector-blocks.ts";

/**
 * The order in which passages get their vectors: memories and decisions first, then documents, then code, evidence last.
 * An embedder that nobody has used for a week is dropped.
 */
const RANKS: readonly Shelf[] = ["memory", "decision", "proposal", "document", "code", "evidence"];
const UNUSED_MS = 7 * DAY_MS;

/** A lease that ends later by less may be a live one: whoever asks read the clock before it was taken, or it was set back a little. */
const CLOCK_TOLERANCE_MS = 60_000;

export const rankOf = (shelf: Shelf): number => RANKS.indexOf(shelf);

/** A lease that ends later was taken while the clock was ahead. */
export const latestEnd = (now: number, leaseMs = Infinity): number =>
  Math.min(now + leaseMs + CLOCK_TOLERANCE_MS, Number.MAX_SAFE_INTEGER);

/** The text to embed is the title followed by the passage. */
const toWaiting = (
  shelf: Shelf,
  { passage, title, text }: { passage: number; title: string | null; text: string },
): WaitingPassage => ({ shelf, passage, text: title ? `${title}\n${text}` : text });

const embedderUsedAt = (embedder: string) =>
  value<number>(sql`select used_at from embedder where identity = ${embedder}`);

/** How many passages have a vector or will get one. */
export function* embeddable(shelves: readonly Shelf[] = SHELVES): Steps<number> {
  if (shelves.length === 0) return 0;
  const each = shelves.map((shelf) => raw(`(select count(*) from ${shelf}_passage where embed = 1)`));
  return (yield* value<number>(sql`select ${join(each, " + ")}`)) ?? 0;
}

export const embedders = () =>
  rows<{ identity: string; waiting: number }>(sql`
    select embedder.identity, count(passage_queue.recency) as waiting
    from embedder left join passage_queue on passage_queue.embedder = embedder.identity
    group by embedder.identity order by embedder.used_at desc`);

interface CachedRow {
  text_hash: string;
  scale: number;
  vector: Buffer;
}

export const queueReads: Room<QueueReads> = {
  embedderUsedAt,
  *waiting({ embedder, limit, now, leaseMs, shelves }) {
    const found = yield* rows<{ rank: number; recency: number }>(sql`
      select rank, recency from passage_queue
      where embedder = ${embedder} and (lease_until <= ${now} or lease_until > ${latestEnd(now, leaseMs)})
        and ${shelves ? sql`rank ${among(shelves.map(rankOf))}` : raw("true")}
      order by rank, recency ${upTo(limit)}`);
    const texts = [...Map.groupBy(found, ({ rank }) => rank)].map(([rank, own]) => {
      const shelf = RANKS[rank]!;
      return rowsAs(
        (row: { passage: number; title: string | null; text: string }) => toWaiting(shelf, row),
        sql`select passage.seq as passage, item.title, passage.text
        from ${raw(shelf)}_passage passage join ${raw(shelf)}_item item on item.seq = passage.item_seq
        where passage.seq ${among(own.map(({ recency }) => -recency))} order by passage.seq desc`,
      );
    });
    return (yield* together(...texts)).flat();
  },
  // For an embedder that is not adopted yet, everything is pending.
  *waitingCount(embedder, shelves) {
    // For every recall: SQLite counts a whole table page by page, but a part of it row by row, a hundred times slower.
    const waiting = shelves
      ? sql`select count(*) from passage_queue where embedder = ${embedder} and rank ${among(shelves.map(rankOf))}`
      : sql`select case when (select count(*) from embedder) = 1 then (select count(*) from passage_queue)
        else (select count(*) from passage_queue where embedder = ${embedder}) end`;
    const [usedAt, found] = yield* together(embedderUsedAt(embedder), value<number>(waiting));
    if (usedAt !== null) return found ?? 0;
    return yield* embeddable((shelves ?? SHELVES).filter((shelf) => mayEmbed(embedder, shelf)));
  },
  *cachedVectors(embedder, hashes) {
    const found = yield* rows<CachedRow>(sql`
      select text_hash, scale, vector from embedding_cache where embedder = ${embedder} and text_hash ${among(hashes)}`);
    return new Map(
      found.map((row) => [row.text_hash, { values: new Int8Array(asInt8(row.vector)), scale: row.scale }]),
    );
  },
};

/** Queues every passage for an embedder that is not known yet. */
export function* adoptEmbedder(embedder: string, at: number): Steps<void> {
  const isKnown = (yield* count(sql`update embedder set used_at = ${at} where identity = ${embedder}`)) > 0;
  if (!isKnown) {
    yield* send(sql`insert into embedder (identity, adopted_at, used_at) values (${embedder}, ${at}, ${at})`);
    for (const shelf of SHELVES.filter((name) => mayEmbed(embedder, name)))
      yield* send(sql`
        insert into passage_queue (embedder, rank, recency)
        select ${embedder}, ${raw(String(rankOf(shelf)))}, -seq from ${raw(shelf)}_passage where embed = 1`);
  }
  if ((yield* count(sql`delete from embedder where used_at < ${at - UNUSED_MS}`)) === 0) return;
  for (const shelf of SHELVES)
    yield* send(sql`
      delete from ${raw(shelf)}_vector_block where embedder not in (select identity from embedder)`);
}

const keyOf = (rank: number, recency: number) => `${rank} ${recency}`;
const isNamed = (passages: readonly QueuedPassage[]) =>
  rowAmong(
    { rank: "integer", recency: "bigint" },
    passages.map(({ shelf, passage }) => [rankOf(shelf), -passage]),
  );

/** The first of these passages that cannot be leased, or null if all were. */
export function* leasePassages(
  embedder: string,
  passages: readonly QueuedPassage[],
  { owner, at, until }: { owner: string; at: number; until: number },
): Steps<QueuedPassage | null> {
  const isAhead = until > at ? sql`or lease_until > ${latestEnd(until, 0)}` : raw("");
  const leased = yield* arrays<[number, number]>(sql`
    update passage_queue set lease_owner = ${owner}, lease_until = ${until}
    where embedder = ${embedder} and ${isNamed(passages)}
      and (lease_until <= ${at} or lease_owner = ${owner} ${isAhead})
    returning rank, recency`);
  const held = new Set(leased.map(([rank, recency]) => keyOf(rank, recency)));
  return passages.find(({ shelf, passage }) => !held.has(keyOf(rankOf(shelf), -passage))) ?? null;
}

/** Takes passages off the queue, and returns those that `owner` still held. */
export function* finishPassages<P extends QueuedPassage>(
  embedder: string,
  passages: readonly P[],
  owner: string,
): Steps<P[]> {
  const finished = yield* arrays<[number, number]>(sql`
    delete from passage_queue where embedder = ${embedder} and lease_owner = ${owner} and ${isNamed(passages)}
    returning rank, recency`);
  const done = new Set(finished.map(([rank, recency]) => keyOf(rank, recency)));
  // Each once, even if it is named twice.
  return passages.filter(({ shelf, passage }) => done.delete(keyOf(rankOf(shelf), -passage)));
}
