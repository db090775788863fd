/**
 * Counts the passages each wordpiece occurs in.
 *
 * One memory has two dozen pieces scattered over the table, so counting them immediately
 * would cost more than the rest of the write. They are counted in batches, up to a stored
 * passage number; the few passages after it are counted when read.
 */
import type { Shelf } from "../../memory/shelves.ts";
import { ALL_PASSAGES, countPieces, distinctPieces } from "../passage-row.ts";
import type { Database } from "./database.ts";

const BATCH_PASSAGES = 256;

interface WordpieceCounter {
  added(passage: number): void;
  /** Called before the row is deleted. */
  removed(passage: number, tokens: Buffer | null): void;
  flush(): void;
  /** Called after a rollback: passage numbers that were rolled back must not count as seen. */
  discard(): void;
}

export function wordpieceCounter(db: Database, shelf: Shelf): WordpieceCounter {
  const counted = countedUpTo(db, shelf);
  const moveTo = db.prepare<[string, string]>(
    `insert into fact (key, value) values (?, ?) on conflict (key) do update set value = excluded.value`,
  );
  const change = db.prepare<[number, number]>(`
    insert into ${shelf}_wordpiece (piece, passages) values (?, ?)
    on conflict (piece) do update set passages = passages + excluded.passages`);
  const between = db.prepare<[number, number], { tokens: Buffer | null }>(
    `select tokens from ${shelf}_passage where seq > ? and seq <= ?`,
  );
  let latest = 0;

  return {
    added(passage) {
      latest = passage;
    },
    removed(passage, tokens) {
      if (passage > counted()) return;
      for (const piece of distinctPieces(tokens)) change.run(piece, -1);
    },
    flush() {
      const last = latest;
      // The file may be restored to an earlier state before the next transaction, so the number must not be kept.
      latest = 0;
      const from = last >= BATCH_PASSAGES ? counted() : 0;
      if (last - from < BATCH_PASSAGES) return;
      const pieces = new Map<number, number>();
      for (const { tokens } of between.iterate(from, last)) {
        for (const piece of distinctPieces(tokens)) pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
      }
      for (const [piece, count] of pieces) change.run(piece, count);
      moveTo.run(factKey(shelf), String(last));
    },
    discard() {
      latest = 0;
    },
  };
}

/** The number of passages, with or without wordpieces. */
export function passageTotal(db: Database, shelf: Shelf): () => number {
  // One statement, because every question asks every shelf and most are empty.
  const total = db
    .prepare<[number, string], number>(
      `select max(0, (select passages from ${shelf}_wordpiece where piece = ?)) + (
        select count(*) from ${shelf}_passage
        where seq > coalesce((select cast(value as integer) from fact where key = ?), 0)
      )`,
    )
    .pluck();
  return () => total.get(ALL_PASSAGES, factKey(shelf)) ?? 0;
}

/** Entries cached per shelf: a few hundred kilobytes at most. */
const KNOWN_LIMIT = 10_000;

/**
 * Caches frequencies until passages are added or removed. Questions share most of their words, and looking one up in
 * the keyword index costs as much as reading ten rows.
 */
export function knownFrequencies<Key>(
  db: Database,
  shelf: Shelf,
  read: (keys: readonly Key[]) => ReadonlyMap<Key, number>,
): (keys: readonly Key[], total: number) => Map<Key, number> {
  const last = db.prepare<[], number | null>(`select max(seq) from ${shelf}_passage`).pluck();
  const known = new Map<Key, number>();
  let seen = "";
  return (keys, total) => {
    const state = `${total} ${last.get()}`;
    if (state !== seen || known.size > KNOWN_LIMIT) known.clear();
    seen = state;
    const missing = keys.filter((key) => !known.has(key));
    if (missing.length > 0) {
      const found = read(missing);
      for (const key of missing) known.set(key, found.get(key) ?? 0);
    }
    return new Map(keys.map((key) => [key, known.get(key) ?? 0]));
  };
}

/** The number of passages each of these pieces occurs in, including passages not counted yet. */
export function pieceFrequency(db: Database, shelf: Shelf): (pieces: readonly number[]) => Map<number, number> {
  const counted = db
    .prepare<
      [string],
      [number, number]
    >(`select piece, passages from ${shelf}_wordpiece where piece in (select value from json_each(?))`)
    .raw();
  const behind = db
    .prepare<[string], Buffer>(
      `select tokens from ${shelf}_passage
      where seq > coalesce((select cast(value as integer) from fact where key = ?), 0) and tokens is not null`,
    )
    .pluck();
  return (pieces) => {
    const frequency = new Map(counted.all(JSON.stringify(pieces)));
    countPieces(pieces, behind.all(factKey(shelf)), frequency);
    return frequency;
  };
}

const factKey = (shelf: Shelf) => `counted_${shelf}`;

function countedUpTo(db: Database, shelf: Shelf): () => number {
  const fact = db.prepare<[string], { value: string }>(`select value from fact where key = ?`);
  return () => Number(fact.get(factKey(shelf))?.value ?? 0);
}

export { bytesOf, wordpiecesOf } from "../passage-row.ts";
