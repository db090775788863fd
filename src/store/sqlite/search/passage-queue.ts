/**
 * Passages pending a vector, for each embedder whose vectors are kept.
 *
 * Memories and decisions come first, then documents, then code, evidence last; within a
 * shelf the newest first, because questions tend to be about recent items. An embedder
 * unused for a week is dropped with its vectors and its queue.
 */
import { mayEmbed } from "../../../model/care/provider.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import type { QueuedPassage } from "../../../model/journal/change.ts";
import type { QueueReads, WaitingPassage } from "../../../ports/store/queue.ts";
import { CLOCK_TOLERANCE_MS, RANKS, UNUSED_MS, latestEnd, rankOf, toWaiting } from "../../rows/search/queue-ranks.ts";
import type { Database } from "../connection/database.ts";

export interface QueueWriter {
  enqueue(shelf: Shelf, passage: number): void;
  /** Takes a passage that is being removed off every queue. */
  forget(shelf: Shelf, passage: number): void;
  adopt(embedder: string, at: number): void;
  /** Called when a transaction has ended. */
  reset(): void;
  lease(embedder: string, passage: QueuedPassage, lease: { owner: string; at: number; until: number }): boolean;
  /** Takes a passage off the queue if `owner` still holds it. */
  finish(embedder: string, passage: QueuedPassage, owner: string): boolean;
}

export function queueWriter(db: Database): QueueWriter {
  const known = db.prepare<[], string>(`select identity from embedder`).pluck();
  const add = db.prepare<[string, number, number]>(
    `insert or ignore into passage_queue (embedder, rank, recency) values (?, ?, ?)`,
  );
  const drop = db.prepare<[string, number, number]>(
    `delete from passage_queue where embedder = ? and rank = ? and recency = ?`,
  );
  const use = db.prepare<[number, string]>(`update embedder set used_at = ? where identity = ?`);
  const adopt = db.prepare<[string, number, number]>(
    `insert into embedder (identity, adopted_at, used_at) values (?, ?, ?)`,
  );
  const retire = db.prepare<[number]>(`delete from embedder where used_at < ?`);
  const lease = db.prepare(`
    update passage_queue set lease_owner = @owner, lease_until = @until
    where embedder = @embedder and rank = @rank and recency = @recency
      and (lease_until <= @at or lease_owner = @owner or (@until > @at and lease_until > @until + ${CLOCK_TOLERANCE_MS}))`);
  const finish = db.prepare<[string, number, number, string]>(
    `delete from passage_queue where embedder = ? and rank = ? and recency = ? and lease_owner = ?`,
  );
  // Read once per transaction: another process may adopt an embedder in between.
  let adopted: string[] | null = null;
  const embedders = () => (adopted ??= known.all());
  return {
    enqueue(shelf, passage) {
      for (const embedder of embedders()) if (mayEmbed(embedder, shelf)) add.run(embedder, rankOf(shelf), -passage);
    },
    forget(shelf, passage) {
      for (const embedder of embedders()) drop.run(embedder, rankOf(shelf), -passage);
    },
    reset() {
      adopted = null;
    },
    adopt(embedder, at) {
      adopted = null;
      const isKnown = use.run(at, embedder).changes > 0;
      if (!isKnown) adopt.run(embedder, at, at);
      if (!isKnown)
        for (const shelf of SHELVES.filter((name) => mayEmbed(embedder, name))) queueAll(db, shelf, embedder);
      if (retire.run(at - UNUSED_MS).changes > 0) for (const shelf of SHELVES) dropOrphans(db, shelf);
    },
    lease: (embedder, { shelf, passage }, terms) =>
      lease.run({ embedder, rank: rankOf(shelf), recency: -passage, ...terms }).changes > 0,
    finish: (embedder, { shelf, passage }, owner) => finish.run(embedder, rankOf(shelf), -passage, owner).changes > 0,
  };
}

function queueAll(db: Database, shelf: Shelf, embedder: string): void {
  db.prepare<[string, number]>(
    `insert into passage_queue (embedder, rank, recency) select ?, ?, -seq from ${shelf}_passage where embed = 1`,
  ).run(embedder, rankOf(shelf));
}

function dropOrphans(db: Database, shelf: Shelf): void {
  db.prepare(`delete from ${shelf}_vector_block where embedder not in (select identity from embedder)`).run();
}

type WaitingQuery = Parameters<QueueReads["waiting"]>[0];

export function queueReader(db: Database) {
  const queued = (condition: string) =>
    db.prepare<(string | number)[], { rank: number; recency: number }>(`
      select rank, recency from passage_queue where embedder = ? and (lease_until <= ? or lease_until > ?) ${condition}
      order by rank, recency limit ?`);
  const [free, freeAmong] = [queued(""), queued("and rank in (select value from json_each(?))")];
  const count = db.prepare<[string], number>(`select count(*) from passage_queue where embedder = ?`).pluck();
  const countAmong = db
    .prepare<
      [string, string],
      number
    >(`select count(*) from passage_queue where embedder = ? and rank in (select value from json_each(?))`)
    .pluck();
  // For every recall: SQLite counts a whole table page by page, but a part of it row by row, a hundred times slower.
  const countAll = db.prepare<[], number>(`select count(*) from passage_queue`).pluck();
  const kept = db.prepare<[], number>(`select count(*) from embedder`).pluck();
  const usedAt = db.prepare<[string], number>(`select used_at from embedder where identity = ?`).pluck();
  const all = db.prepare<[], { identity: string; waiting: number }>(`
    select embedder.identity, count(passage_queue.recency) as waiting
    from embedder left join passage_queue on passage_queue.embedder = embedder.identity
    group by embedder.identity order by embedder.used_at desc`);

  const embeddable = embeddableReader(db);

  return {
    waiting({ embedder, limit, now, leaseMs, shelves }: WaitingQuery): WaitingPassage[] {
      const open = [embedder, now, latestEnd(now, leaseMs)] as const;
      const rows = shelves
        ? freeAmong.all(...open, JSON.stringify(shelves.map(rankOf)), limit)
        : free.all(...open, limit);
      const ranks = Map.groupBy(rows, ({ rank }) => rank);
      return [...ranks].flatMap(([rank, own]) =>
        texts(
          db,
          RANKS[rank]!,
          own.map(({ recency }) => -recency),
        ),
      );
    },
    /** For an embedder that is not adopted yet, everything is pending. */
    count(embedder: string, shelves?: readonly Shelf[]): number {
      if (usedAt.get(embedder) === undefined)
        return embeddable((shelves ?? SHELVES).filter((shelf) => mayEmbed(embedder, shelf)));
      if (shelves) return countAmong.get(embedder, JSON.stringify(shelves.map(rankOf))) ?? 0;
      return (kept.get() === 1 ? countAll.get() : count.get(embedder)) ?? 0;
    },
    usedAt: (embedder: string): number | null => usedAt.get(embedder) ?? null,
    embedders: () => all.all(),
    embeddable: () => embeddable(),
  };
}

/** How many passages have a vector or will get one. */
function embeddableReader(db: Database): (shelves?: readonly Shelf[]) => number {
  const countOn = (shelves: readonly Shelf[]) => {
    const each = shelves.map((shelf) => `(select count(*) from ${shelf}_passage where embed = 1)`);
    return db.prepare<[], number>(`select ${each.join(" + ")}`).pluck();
  };
  const everywhere = countOn(SHELVES);
  return (shelves = SHELVES) => {
    if (shelves.length === 0) return 0;
    return (shelves.length === SHELVES.length ? everywhere : countOn(shelves)).get() ?? 0;
  };
}

function texts(db: Database, shelf: Shelf, passages: readonly number[]): WaitingPassage[] {
  return db
    .prepare<[string], { passage: number; title: string | null; text: string }>(
      `
      select passage.seq as passage, item.title, passage.text
      from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
      where passage.seq in (select value from json_each(?)) order by passage.seq desc`,
    )
    .all(JSON.stringify(passages))
    .map((row) => toWaiting(shelf, row));
}
