/**
 * Counts the passages each wordpiece occurs in: in batches, up to a stored passage number. The few passages after it are
 * counted when read.
 */
import type { Shelf } from "../../memory/shelves.ts";
import { countPieces, distinctPieces, type WrittenPassage } from "../passage-row.ts";
import type { Database, OpenDatabase } from "./database.ts";

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

interface PieceStatistics {
  /** The number of passages each piece occurs in, including passages not counted yet. */
  frequency: Map<number, number>;
  total: number;
}

interface Known {
  total: number;
  /** The wordpieces of passages that are not counted yet. */
  behind: readonly Buffer[];
  counted: Map<number, number>;
}

/** A long-lived process is asked about many pieces. */
const MOST_KEPT = 10_000;

/** Kept as long as nobody writes to the shelf; `on` is the connection to ask. */
export function pieceStatistics(
  db: OpenDatabase,
  shelf: Shelf,
): (pieces: readonly number[], on: Database) => Promise<PieceStatistics> {
  const total = `select passages from ${shelf}_total where one = 1`;
  const counted = `select piece, passages from ${shelf}_wordpiece where piece = any (@pieces::integer[])`;
  const behind = `
    select tokens from ${shelf}_passage
    where seq > coalesce((select value::bigint from fact where key = '${countedFact(shelf)}'), 0) and tokens is not null`;
  const kept = db.kept([`passages ${shelf}`], async (): Promise<{ known: Known | null }> => ({ known: null }));

  async function begin(on: Database): Promise<Known> {
    const reading = [on.prepareColumn<number>(total).get(), on.prepareColumn<Buffer>(behind).all()] as const;
    const [passages = 0, tokens] = await Promise.all(reading);
    return { total: passages, behind: tokens, counted: new Map() };
  }

  async function learn(known: Known | null, pieces: readonly number[], on: Database): Promise<Known> {
    const unknown = pieces.filter((piece) => !known?.counted.has(piece));
    if (known && unknown.length === 0) return known;
    const reading = on.prepareRaw<[number, number]>(counted).all({ pieces: unknown });
    const [now, rows] = await Promise.all([known ?? begin(on), reading]);
    const found = new Map(rows);
    for (const piece of unknown) now.counted.set(piece, found.get(piece) ?? 0);
    return now;
  }

  return async (pieces, on) => {
    const place = await kept();
    if ((place.known?.counted.size ?? 0) > MOST_KEPT) place.known = null;
    const known = (place.known = await learn(place.known, pieces, on));
    const frequency = new Map(pieces.map((piece) => [piece, known.counted.get(piece) ?? 0]));
    countPieces(pieces, known.behind, frequency);
    return { frequency, total: known.total };
  };
}

/** The key of the fact that says up to which passage they are counted. */
export const countedFact = (shelf: Shelf) => `counted_${shelf}`;
