/** Statements that are compiled on first use behave like those that were compiled at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { prepareLazily } from "../../../src/store/sqlite/database.ts";

function opened(): { db: Sqlite.Database; compiled: string[] } {
  const db = new Sqlite(":memory:");
  db.exec("create table basket (id integer primary key, rate real); insert into basket values (1, 0.5), (2, 0.7)");
  const compiled: string[] = [];
  const compile = db.prepare.bind(db);
  db.prepare = ((sql: string) => (compiled.push(sql), compile(sql))) as typeof db.prepare;
  prepareLazily(db);
  return { db, compiled };
}

test("a statement is compiled by its first use, once", () => {
  const { db, compiled } = opened();
  const statement = db.prepare("select id from basket where id > ? order by id");
  assert.deepEqual(compiled, []);
  assert.deepEqual(statement.all(0), [{ id: 1 }, { id: 2 }]);
  assert.deepEqual(statement.get(1), { id: 2 });
  assert.deepEqual([...statement.iterate(1)], [{ id: 2 }]);
  assert.equal(compiled.length, 1);
});

test("each keeps its own shape", () => {
  const { db } = opened();
  const sql = "select id, rate from basket where id = 1";
  assert.deepEqual(db.prepare(sql).get(), { id: 1, rate: 0.5 });
  assert.equal(db.prepare(sql).pluck().get(), 1);
  assert.deepEqual(db.prepare(sql).raw().get(), [1, 0.5]);
  assert.deepEqual(db.prepare(sql).expand().get(), { basket: { id: 1, rate: 0.5 } });
  assert.equal(db.prepare("update basket set rate = 1 where id = ?").run(2).changes, 1);
});

test("a mistake shows up on every use", () => {
  const { db } = opened();
  const statement = db.prepare("select missing from basket");
  for (let use = 0; use < 2; use += 1) assert.throws(() => statement.all(), /no such column: missing/);
});
