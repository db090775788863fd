/**
 * Counts the passages each wordpiece occurs in: in batches, up to a stored passage number. The few passages after it are
 * counted when read.
 */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { WrittenPassage } from "../../rows/passage-row.ts";
import { countPieces, distinctPieces } from "../../rows/wordpiece-bytes.ts";
import type { Database } from "../connection/database.ts";

const BATCH_PASSAGES = 256;

export interface WordpieceCounter {
  /** The last passage that was added. */
  added(passage: number): void;
  /** Called before the rows are deleted. */
  removed(passages: readonly Pick<WrittenPassage, "number" | "tokens">[]): Promise<void>;
  flush(): Promise<void>;
}

export function wordpieceCounter(db: Database, shelf: Shelf): WordpieceCounter {
  const counted = db.prepareColumn<string>(`select value from fact where key = @key`);
  const moveTo = db.prepare(`
    insert into fact (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value`);
  const change = db.prepare(`
    insert into ${shelf}_wordpiece (piece, passages)
    select piece, passages from unnest(@pieces::integer[], @counts::bigint[]) counted (piece, passages)
    on conflict (piece) do update set passages = ${shelf}_wordpiece.passages + excluded.passages`);
  const between = db.prepareColumn<Buffer | null>(
    `select tokens from ${shelf}_passage where seq > @from and seq <= @to`,
  );
  const key = factKey(shelf);
  const countedUpTo = async () => Number((await counted.get({ key })) ?? 0);
  let latest = 0;

  async function count(passages: readonly (Buffer | null)[], sign: 1 | -1): Promise<void> {
    const pieces = new Map<number, number>();
    for (const tokens of passages)
      for (const piece of distinctPieces(tokens)) pieces.set(piece, (pieces.get(piece) ?? 0) + sign);
    if (pieces.size > 0) await change.run({ pieces: [...pieces.keys()], counts: [...pieces.values()] });
  }

  return {
    added(passage) {
      latest = passage;
    },
    async removed(passages) {
      const upTo = await countedUpTo();
      await count(
        passages.filter(({ number }) => number <= upTo).map(({ tokens }) => tokens),
        -1,
      );
    },
    async flush() {
      const last = latest;
      latest = 0;
      const from = last >= BATCH_PASSAGES ? await countedUpTo() : 0;
      if (last - from < BATCH_PASSAGES) return;
      await count(await between.all({ from, to: last }), 1);
      await moveTo.run({ key, value: String(last) });
    },
  };
}

/** The number of passages each of these pieces occurs in, including passages not counted yet. */
export function pieceFrequency(
  db: Database,
  shelf: Shelf,
): (pieces: readonly number[]) => Promise<Map<number, number>> {
  const counted = db.prepareRaw<[number, number]>(
    `select piece, passages from ${shelf}_wordpiece where piece = any (@pieces::integer[])`,
  );
  const behind = db.prepareColumn<Buffer>(`
    select tokens from ${shelf}_passage
    where seq > coalesce((select value::bigint from fact where key = @key), 0) and tokens is not null`);
  return async (pieces) => {
    const frequency = new Map(await counted.all({ pieces }));
    countPieces(pieces, await behind.all({ key: factKey(shelf) }), frequency);
    return frequency;
  };
}

const factKey = (shelf: Shelf) => `counted_${shelf}`;
