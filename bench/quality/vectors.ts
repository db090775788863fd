/**
 * Vectors that outlive the folders of the groups, so that a changed splitting embeds only new passages.
 *
 * A separate file, not a store's cache, because that drops entries when it is full.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dequantise, quantise, type Quantised } from "../../src/embed/quantise.ts";
import type { Embedder } from "../../src/ports.ts";
import { contentHash } from "../../src/text/content-hash.ts";

export interface Vectors {
  /** The same embedder, used only for unknown texts. */
  before(embedder: Embedder): Embedder;
  close(): void;
}

const SCHEMA = `
  create table if not exists vector (
    embedder text not null,
    hash text not null,
    scale real not null,
    bytes blob not null,
    primary key (embedder, hash)
  ) strict, without rowid`;

export function openVectors(path: string): Vectors {
  mkdirSync(dirname(path), { recursive: true });
  const db = new Sqlite(path);
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = normal");
  db.exec(SCHEMA);
  const select = db.prepare<[string, string], { hash: string; scale: number; bytes: Buffer }>(
    "select hash, scale, bytes from vector where embedder = ? and hash in (select value from json_each(?))",
  );
  const insert = db.prepare<[string, string, number, Buffer]>("insert or ignore into vector values (?, ?, ?, ?)");

  function known(embedder: string, hashes: readonly string[]): Map<string, Quantised> {
    const rows = select.all(embedder, JSON.stringify(hashes));
    return new Map(rows.map(({ hash, scale, bytes }) => [hash, { scale, values: new Int8Array(bytes) }]));
  }

  const keep = db.transaction((embedder: string, vectors: ReadonlyMap<string, Quantised>) => {
    for (const [hash, { scale, values }] of vectors) insert.run(embedder, hash, scale, Buffer.from(values));
  });

  async function embed(embedder: Embedder, texts: readonly string[]): Promise<Float32Array[]> {
    const hashes = texts.map(contentHash);
    const vectors = known(embedder.identity, hashes);
    const missing = new Map(hashes.map((hash, index) => [hash, texts[index] ?? ""] as const));
    for (const hash of vectors.keys()) missing.delete(hash);
    const fresh = missing.size > 0 ? await embedder.embed([...missing.values()]) : [];
    const added = new Map([...missing.keys()].map((hash, index) => [hash, quantise(fresh[index]!)]));
    keep(embedder.identity, added);
    // New vectors are quantised too, so that the first run ranks like later ones.
    return hashes.map((hash) => dequantise((vectors.get(hash) ?? added.get(hash))!));
  }

  return {
    before: (embedder) => ({
      identity: embedder.identity,
      dimensions: embedder.dimensions,
      state: () => embedder.state(),
      load: () => embedder.load(),
      embed: (texts) => embed(embedder, texts),
      close: () => embedder.close(),
    }),
    close: () => void db.close(),
  };
}
