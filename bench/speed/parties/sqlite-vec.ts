/**
 * The plain build: one table, FTS5 kept in sync by triggers, and sqlite-vec.
 *
 * Hybrid search takes three times the limit from each, scales both to 0..1 and adds 0.7 of the
 * vector score to 0.3 of the keyword score. Nothing is tuned; mapping the file into memory, the
 * one setting that makes its scan faster, is a separate party.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { DIMENSIONS, LIMIT, type Asked, type Entry, type OpenParty, type Way, peerPackage } from "../party.ts";

const POOL = 3;
const VECTOR_WEIGHT = 0.7;
const KEYWORD_WEIGHT = 0.3;

const SCHEMA = `
  create table memory_entries (
    id integer primary key autoincrement,
    content text not null,
    content_hash text unique not null,
    entry_type text not null default 'fact',
    source text default 'manual',
    context text,
    confidence real default 1.0,
    importance integer default 5,
    tags text,
    created_at integer not null,
    updated_at integer not null,
    expires_at integer,
    access_count integer default 0,
    last_accessed_at integer
  );
  create index entry_by_type on memory_entries (entry_type);
  create index entry_by_importance on memory_entries (importance desc);
  create index entry_by_expiry on memory_entries (expires_at);
  create virtual table memory_fts using fts5 (content, context, tags, content = 'memory_entries', content_rowid = 'id');
  create trigger memory_ai after insert on memory_entries begin
    insert into memory_fts (rowid, content, context, tags) values (new.id, new.content, new.context, new.tags);
  end;
  create virtual table vec_entries using vec0 (entry_id integer primary key, embedding float[${DIMENSIONS}]);
`;

interface Found {
  id: number;
  score: number;
}

export interface SqliteVec {
  addTexts(entries: readonly Pick<Entry, "id" | "text">[]): void;
  addVectors(entries: readonly Pick<Entry, "id" | "vector">[]): void;
  /** Ids, best first. */
  rank(way: Way, asked: Asked, limit: number): number[];
  /** The entries of a ranking, as a program would show them. */
  read(ids: readonly number[]): unknown[];
  close(): void;
}

/** The most SQLite can map. */
const MAPPED_BYTES = 2 ** 31 - 2 ** 16;

/** Null when sqlite-vec is not installed. Ids start at 0. */
export async function openSqliteVec(path: string, { mapped = false } = {}): Promise<SqliteVec | null> {
  const extension = await peerPackage<{ getLoadablePath(): string }>("sqlite-vec");
  if (!extension) return null;
  const db = new Sqlite(path);
  db.loadExtension(extension.getLoadablePath());
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = normal");
  if (mapped) db.pragma(`mmap_size = ${MAPPED_BYTES}`);
  db.exec(SCHEMA);
  const addText = db.prepare<[number, string, string, number, number]>(
    "insert into memory_entries (id, content, content_hash, created_at, updated_at) values (?, ?, ?, ?, ?)",
  );
  const addVector = db.prepare<[bigint, Buffer]>("insert into vec_entries (entry_id, embedding) values (?, ?)");
  const nearest = db.prepare<[Buffer, number], { id: number; distance: number }>(
    "select entry_id as id, distance from vec_entries where embedding match ? and k = ? order by distance",
  );
  const matching = db.prepare<[string, number], { id: number; rank: number }>(
    "select rowid as id, rank from memory_fts where memory_fts match ? order by rank limit ?",
  );
  const readEntry = db.prepare<[number], { expires_at: number | null }>("select * from memory_entries where id = ?");

  function byVector({ vector }: Asked, limit: number): Found[] {
    const rows = nearest.all(bytes(vector), limit);
    const scale = Math.max(2 * Math.max(0, ...rows.map(({ distance }) => distance)), 2);
    return rows.map(({ id, distance }) => ({ id: id - 1, score: 1 - distance / scale }));
  }

  function byKeyword({ text }: Asked, limit: number): Found[] {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
    if (words.size === 0) return [];
    const rows = matching.all([...words].map((word) => `"${word}"`).join(" OR "), limit);
    const worst = Math.max(...rows.map(({ rank }) => rank));
    const range = worst - Math.min(...rows.map(({ rank }) => rank)) || 1;
    return rows.map(({ id, rank }) => ({ id: id - 1, score: (worst - rank) / range }));
  }

  return {
    addTexts: db.transaction((entries: readonly Pick<Entry, "id" | "text">[]) => {
      for (const { id, text } of entries) addText.run(id + 1, text, hashOf(text), Date.now(), Date.now());
    }),
    addVectors: db.transaction((entries: readonly Pick<Entry, "id" | "vector">[]) => {
      for (const { id, vector } of entries) addVector.run(BigInt(id + 1), bytes(vector));
    }),
    rank(way, asked, limit) {
      if (way === "keyword") return byKeyword(asked, limit).map(({ id }) => id);
      if (way === "vector") return byVector(asked, limit).map(({ id }) => id);
      const pool = limit * POOL;
      return weighted(byVector(asked, pool), byKeyword(asked, pool)).slice(0, limit);
    },
    read: (ids) => ids.map((id) => readEntry.get(id + 1)).filter((entry) => entry?.expires_at === null),
    close: () => void db.close(),
  };
}

function weighted(vector: readonly Found[], keyword: readonly Found[]): number[] {
  const scores = new Map<number, number>();
  const add = (found: readonly Found[], weight: number) => {
    for (const { id, score } of found) scores.set(id, (scores.get(id) ?? 0) + weight * score);
  };
  add(vector, VECTOR_WEIGHT);
  add(keyword, KEYWORD_WEIGHT);
  return [...scores].sort(([, one], [, other]) => other - one).map(([id]) => id);
}

const bytes = (vector: Float32Array) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

export const sqliteVecParty =
  (options: { mapped: boolean }): OpenParty =>
  async (folder) => {
    const store = await openSqliteVec(join(folder, "memory.db"), options);
    if (!store) return null;
    return {
      ways: ["keyword", "vector", "hybrid"],
      addTexts: async (entries) => store.addTexts(entries),
      addVectors: async (entries) => store.addVectors(entries),
      // Our writes do not wait for their vectors either.
      addOne: async (entry) => store.addTexts([entry]),
      ask: async (way, asked) => store.read(store.rank(way, asked, LIMIT)).length,
      close: async () => store.close(),
    };
  };
