/** Whether a store is whole after all that: pages, references, keyword indexes, and the chain of its journal. */
import assert from "node:assert/strict";
import { basename } from "node:path";
import type { StoreKey } from "../../src/encryption/store-key.ts";
import { CHAIN_START, entryHash, payloadHash } from "../../src/journal/chain.ts";
import { SHELVES } from "../../src/memory/shelves.ts";
import { openKeyed } from "../../src/store/sqlite/sqlite.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";

const ENTRIES_AT_ONCE = 1_000;

/** Fails when anything is wrong. */
export async function assertSound(path: string, key: StoreKey | null = null): Promise<void> {
  const db = openKeyed(path, key);
  try {
    assert.equal(db.pragma("integrity_check", { simple: true }), "ok", path);
    assert.deepEqual(db.pragma("foreign_key_check"), [], path);
    for (const shelf of SHELVES) {
      db.exec(`insert into ${shelf}_fts (${shelf}_fts) values ('integrity-check')`);
      const counts = db.prepare(`select count(*) from ${shelf}_fts union all select count(*) from ${shelf}_passage`);
      const [indexed, kept] = counts.pluck().all();
      assert.equal(indexed, kept, `${path}: passages of ${shelf} and their index differ`);
    }
  } finally {
    db.close();
  }
  await assertLinked(path, key);
}

async function assertLinked(path: string, key: StoreKey | null): Promise<void> {
  const kind = basename(path) === "global.db" ? "global" : "project";
  const store = await openSqliteStore({ path, kind, clock: { now: () => Date.now() }, key });
  try {
    let last = CHAIN_START;
    let length = 0;
    for (
      let page = await store.chain(1, ENTRIES_AT_ONCE);
      page.length > 0;
      page = await store.chain(length + 1, ENTRIES_AT_ONCE)
    ) {
      for (const entry of page) {
        assert.equal(entry.hash, entryHash(last, entry), `${path}: entry ${entry.seq} is not linked`);
        if (entry.payload) assert.equal(entry.payloadHash, payloadHash(entry.payload), `${path}: payload ${entry.seq}`);
        last = entry.hash;
        length += 1;
      }
    }
    assert.deepEqual(await store.chainHead(), { length, hash: last }, `${path}: the head is not where the chain ends`);
  } finally {
    await store.close();
  }
}
