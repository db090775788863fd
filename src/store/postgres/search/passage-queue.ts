/** Passages pending a vector, for each embedder whose vectors are kept. `rows/search/queue-ranks.ts` has their order. */
import { mayEmbed } from "../../../model/care/provider.ts";
import type { QueuedPassage } from "../../../model/journal/change.ts";
import { SHELVES, type Shelf } from "../../../model/memory/shelves.ts";
import type { QueueReads, WaitingPassage } from "../../../ports/store/queue.ts";
import { CLOCK_TOLERANCE_MS, RANKS, UNUSED_MS, latestEnd, rankOf, toWaiting } from "../../rows/search/queue-ranks.ts";
import type { Database } from "../connection/database.ts";

export interface QueueWriter {
  /** Takes passages that are being removed off every queue. */
  forget(shelf: Shelf, passages: readonly number[]): void;
  adopt(embedder: string, at: number): Promise<void>;
  /** The first of these passages that cannot be leased, or null if all were. */
  lease(
    embedder: string,
    passages: readonly QueuedPassage[],
    lease: { owner: string; at: number; until: number },
  ): Promise<QueuedPassage | null>;
  /** Takes passages off the queue, and returns those that `owner` still held. */
  finish<P extends QueuedPassage>(embedder: string, passages: readonly P[], owner: string): Promise<P[]>;
}

export function queueWriter(db: Database): QueueWriter {
  const statements = prepareWriting(db);
  const namesOf = (passages: readonly QueuedPassage[]) => ({
    ranks: passages.map(({ shelf }) => rankOf(shelf)),
    recencies: passages.map(({ passage }) => -passage),
  });
  const keyOf = (rank: number, recency: number) => `${rank} ${recency}`;
  return {
    forget: (shelf, passages) => statements.drop.send({ rank: rankOf(shelf), passages }),
    async adopt(embedder, at) {
      db.note("queue");
      const isKnown = (await statements.use.run({ at, embedder })) > 0;
      if (!isKnown) {
        statements.adopt.send({ embedder, at });
        for (const shelf of SHELVES.filter((name) => mayEmbed(embedder, name)))
          queueAll(db, shelf).send({ embedder, rank: rankOf(shelf) });
      }
      if ((await statements.retire.run({ before: at - UNUSED_MS })) === 0) return;
      for (const shelf of SHELVES)
        db.prepare(`delete from ${shelf}_vector_block where embedder not in (select identity from embedder)`).send();
    },
    async lease(embedder, passages, terms) {
      const leased = await statements.lease.all({ embedder, ...namesOf(passages), ...terms });
      const held = new Set(leased.map(([rank, recency]) => keyOf(rank, recency)));
      return passages.find(({ shelf, passage }) => !held.has(keyOf(rankOf(shelf), -passage))) ?? null;
    },
    async finish(embedder, passages, owner) {
      db.note("queue");
      const finished = await statements.finish.all({ embedder, owner, ...namesOf(passages) });
      const done = new Set(finished.map(([rank, recency]) => keyOf(rank, recency)));
      // Each once, even if it is named twice.
      return passages.filter(({ shelf, passage }) => done.delete(keyOf(rankOf(shelf), -passage)));
    },
  };
}

const queueAll = (db: Database, shelf: Shelf) =>
  db.prepare(`
    insert into passage_queue (embedder, rank, recency)
    select @embedder, @rank, -seq from ${shelf}_passage where embed = 1`);

function prepareWriting(db: Database) {
  const named = `(rank, recency) in (select rank, recency from unnest(@ranks::integer[], @recencies::bigint[]) named (rank, recency))`;
  return {
    // By embedder, as the primary key is.
    drop: db.prepare(`
      delete from passage_queue where embedder in (select identity from embedder) and rank = @rank
        and recency in (select -passage from unnest(@passages::bigint[]) passage)`),
    use: db.prepare(`update embedder set used_at = @at where identity = @embedder`),
    adopt: db.prepare(`insert into embedder (identity, adopted_at, used_at) values (@embedder, @at, @at)`),
    retire: db.prepare(`delete from embedder where used_at < @before`),
    lease: db.prepareRaw<[number, number]>(`
      update passage_queue set lease_owner = @owner, lease_until = @until::bigint
      where embedder = @embedder and ${named} and (lease_until <= @at::bigint or lease_owner = @owner
        or (@until > @at and lease_until > @until + ${CLOCK_TOLERANCE_MS}))
      returning rank, recency`),
    finish: db.prepareRaw<[number, number]>(`
      delete from passage_queue where embedder = @embedder and lease_owner = @owner and ${named} returning rank, recency`),
  };
}

type WaitingQuery = Parameters<QueueReads["waiting"]>[0];

export function queueReader(db: Database) {
  const free = db.prepare<{ rank: number; recency: number }>(`
    select rank, recency from passage_queue
    where embedder = @embedder and (lease_until <= @now::bigint or lease_until > @latest::bigint)
      and (@ranks::integer[] is null or rank = any (@ranks))
    order by rank, recency limit @limit`);
  const count = db.prepareRaw<[usedAt: number | null, waiting: number]>(`
    select (select used_at from embedder where identity = @embedder), (
      select count(*) from passage_queue
      where embedder = @embedder and (@ranks::integer[] is null or rank = any (@ranks)))`);
  const usedAt = db.prepareColumn<number>(`select used_at from embedder where identity = @embedder`);
  const all = db.prepare<{ identity: string; waiting: number }>(`
    select embedder.identity, count(passage_queue.recency) as waiting
    from embedder left join passage_queue on passage_queue.embedder = embedder.identity
    group by embedder.identity order by embedder.used_at desc`);

  /** How many passages have a vector or will get one. */
  async function embeddable(shelves: readonly Shelf[] = SHELVES): Promise<number> {
    if (shelves.length === 0) return 0;
    const each = shelves.map((shelf) => `(select count(*) from ${shelf}_passage where embed = 1)`);
    return (await db.prepareColumn<number>(`select ${each.join(" + ")}`).get()) ?? 0;
  }

  return {
    async waiting({ embedder, limit, now, leaseMs, shelves }: WaitingQuery): Promise<WaitingPassage[]> {
      const ranks = shelves?.map(rankOf);
      const rows = await free.all({ embedder, now, latest: latestEnd(now, leaseMs), ranks, limit });
      const found: WaitingPassage[] = [];
      for (const [rank, own] of Map.groupBy(rows, (row) => row.rank))
        found.push(
          ...(await texts(
            db,
            RANKS[rank]!,
            own.map(({ recency }) => -recency),
          )),
        );
      return found;
    },
    /** For an embedder that is not adopted yet, everything is pending. */
    async count(embedder: string, shelves?: readonly Shelf[]): Promise<number> {
      const [isKnown, waiting] = (await count.get({ embedder, ranks: shelves?.map(rankOf) }))!;
      if (isKnown !== null) return waiting;
      return embeddable((shelves ?? SHELVES).filter((shelf) => mayEmbed(embedder, shelf)));
    },
    usedAt: async (embedder: string): Promise<number | null> => (await usedAt.get({ embedder })) ?? null,
    embedders: () => all.all(),
    embeddable: () => embeddable(),
  };
}

async function texts(db: Database, shelf: Shelf, passages: readonly number[]): Promise<WaitingPassage[]> {
  const rows = db.prepare<{ passage: number; title: string | null; text: string }>(`
    select passage.seq as passage, item.title, passage.text
    from ${shelf}_passage passage join ${shelf}_item item on item.seq = passage.item_seq
    where passage.seq = any (@passages::bigint[]) order by passage.seq desc`);
  return (await rows.all({ passages })).map((row) => toWaiting(shelf, row));
}
