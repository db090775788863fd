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
  /** The last passage that was added, and up to which one all are counted. */
  added(passage: number, countedUpTo: number): void;
  /** Called before the rows are deleted. */
  removed(passages: readonly Pick<WrittenPassage, "number" | "tokens">[], countedUpTo: number): void;
  flush(): Promise<void>;
}

export function wordpieceCounter(db: Database, shelf: Shelf): WordpieceCounter {
  const moveTo = db.prepare(`
    insert into fact (key, value) values (@key, @value) on conflict (key) do update set value = excluded.value`);
  const change = db.prepare(`
    insert into ${shelf}_wordpiece (piece, passages)
    select piece, passages from unnest(@pieces::integer[], @counts::bigint[]) counted (piece, passages)
    on conflict (piece) do update set passages = ${shelf}_wordpiece.passages + excluded.passages`);
  const between = db.prepareColumn<Buffer | null>(
    `select tokens from ${shelf}_passage where seq > @from and seq <= @to`,
  );
  let [latest, counted] = [0, 0];

  function count(passages: readonly (Buffer | null)[], sign: 1 | -1): void {
    const pieces = new Map<number, number>();
    for (const tokens of passages)
      for (const piece of distinctPieces(tokens)) pieces.set(piece, (pieces.get(piece) ?? 0) + sign);
    if (pieces.size > 0) change.send({ pieces: [...pieces.keys()], counts: [...pieces.values()] });
  }

  return {
    added(passage, countedUpTo) {
      [latest, counted] = [passage, countedUpTo];
    },
    removed(passages, countedUpTo) {
      count(
        passages.filter(({ number }) => number <= countedUpTo).map(({ tokens }) => tokens),
        -1,
      );
    },
    async flush() {
      const [last, from] = [latest, counted];
      latest = 0;
      if (last - from < BATCH_PASSAGES) return;
      count(await between.all({ from, to: last }), 1);
      moveTo.send({ key: countedFact(shelf), value: String(last) });
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
    countPieces(pieces, await behind.all({ key: countedFact(shelf) }), frequency);
    return frequency;
  };
}

/** The key of the fact that says up to which passage they are counted. */
export const countedFact = (shelf: Shelf) => `counted_${shelf}`;
