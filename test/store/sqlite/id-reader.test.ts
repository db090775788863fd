/** How ids are looked up: through indexes, whatever the size of the store. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { SHELVES } from "../../../src/memory/shelves.ts";
import { itemIds, journaledIds } from "../../../src/store/ids.ts";
import { prepareLazily } from "../../../src/store/sqlite/database.ts";
import { driveOn } from "../../../src/store/sqlite/drive.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";

/** Opening a copy takes far less time than making the tables. */
const EMPTY = (() => {
  const db = new Sqlite(":memory:");
  migrate(db, "project");
  const bytes = db.serialize();
  db.close();
  return bytes;
})();

/** Which tables and indexes each statement reads, and how. */
function plansOf(use: (db: Sqlite.Database) => void): string[] {
  const db = new Sqlite(EMPTY);
  const statements: string[] = [];
  const compile = db.prepare.bind(db);
  db.prepare = ((sql: string) => (statements.push(sql), compile(sql))) as typeof db.prepare;
  prepareLazily(db);
  use(db);
  const plans = statements.map((sql) => {
    const rows = compile(`explain query plan ${sql.replaceAll(/@\w+|\?/g, "'1'")}`).all() as { detail: string }[];
    return rows.map(({ detail }) => detail).filter((detail) => /_item|journal/.test(detail));
  });
  db.close();
  return plans.flat();
}

for (const shelf of SHELVES)
  test(`an item on ${shelf} is looked up by id and by handle, and nothing is read through`, () => {
    const plans = plansOf((db) => driveOn(db)(itemIds.idsWithPrefix(shelf, "ab12", { now: 1, limit: 5 })));
    assert.equal(plans.length, 2);
    assert.match(plans[0]!, /^SEARCH \w+ USING (COVERING )?INDEX \w+ \(id>\? AND id<\?\)$/);
    assert.equal(plans[1], `SEARCH ${shelf}_item USING INDEX ${shelf}_item_handle (<expr>>? AND <expr><?)`);
  });

test("the newest ids, calls, and ids in the journal are read from indexes alone", () => {
  assert.deepEqual(
    plansOf((db) => driveOn(db)(itemIds.newestIds("memory", 5))),
    ["SCAN memory_item USING COVERING INDEX memory_item_created"],
  );
  for (const use of [
    (db: Sqlite.Database) => driveOn(db)(journaledIds.callsWithPrefix("ab12", { limit: 5 })),
    (db: Sqlite.Database) => driveOn(db)(journaledIds.journaledIds("ab12", 5)),
  ]) {
    const plans = plansOf(use);
    assert.equal(plans.length, 2);
    for (const plan of plans) assert.match(plan, /journal USING (COVERING )?INDEX journal_(call|item)/);
  }
});
