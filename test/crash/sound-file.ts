/** Whether a file that processes died or fought over is whole: SQLite's own check, and that its tables agree. */
import assert from "node:assert/strict";
import type { StoreKey } from "../../src/encryption/store-key.ts";
import { openKeyed } from "../../src/store/sqlite/sqlite.ts";

/** Fails when anything is wrong; gives the ids and content hashes of all memories. */
export function soundMemories(path: string, key: StoreKey | null = null): { id: string; hash: string }[] {
  const db = openKeyed(path, key);
  try {
    const one = (sql: string) => db.prepare(sql).pluck().get();
    assert.equal(db.pragma("integrity_check", { simple: true }), "ok");
    assert.deepEqual(db.pragma("foreign_key_check"), []);
    db.exec("insert into memory_fts (memory_fts) values ('integrity-check')");
    assert.equal(one("select count(*) from memory_fts"), one("select count(*) from memory_passage"));
    const orphans = "select count(*) from passage_queue where -recency not in (select seq from memory_passage)";
    assert.equal(one(orphans), 0, "nothing waits that is not there");
    assert.equal(one("select length from journal_head"), one("select count(*) from journal"));
    const payloads = "select count(*) from journal where payload_hash is not null";
    assert.equal(one(payloads), one("select count(*) from journal_payload"));
    const lastHash = "select hash from journal order by seq desc limit 1";
    assert.deepEqual(one("select hash from journal_head"), one(lastHash) ?? Buffer.alloc(32));
    return db.prepare<[], { id: string; hash: string }>("select id, hash from memory_item").all();
  } finally {
    db.close();
  }
}
