/** Tables of databases that other programs own: read as they are, never touched, and refused if they are not what they seem. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { readTables } from "../../../src/store/sqlite/foreign-tables.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const TABLES = [{ name: "memories", columns: ["id", "content"], later: ["tags"] }];
const LIMITS = { fileBytes: 50_000_000, rows: 1_000, valueBytes: 10_000 };

function made(sql: string, name = "source.db"): { path: string; db: Sqlite.Database } {
  const folder = temporaryFolder("foreign").folder;
  const path = join(folder, name);
  const db = new Sqlite(path);
  db.exec(sql);
  return { path, db };
}

const SCHEMA = "create table memories (id integer primary key, content text, tags text);";
const ROWS = "insert into memories values (1, 'one', 'a'), (2, 'two', null);";

/** Everything in the folder of a file. */
const state = (path: string): string[] => {
  const folder = join(path, "..");
  return readdirSync(folder).map(
    (name) =>
      `${name} ${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}`,
  );
};

const read = (path: string, limits = LIMITS) => readTables(path, TABLES, limits);
const rowsIn = async (path: string) => (await read(path)).rows.get("memories");

test("ordinary tables are read, columns of later versions if they are there, and the folder stays as it was", async () => {
  const { path, db } = made(SCHEMA + ROWS);
  db.close();
  const before = state(path);
  assert.deepEqual(await rowsIn(path), [
    { id: 1, content: "one", tags: "a" },
    { id: 2, content: "two", tags: null },
  ]);
  const older = made(
    "create table memories (id integer primary key, content text); insert into memories values (1, 'x');",
  );
  older.db.close();
  assert.deepEqual(await rowsIn(older.path), [{ id: 1, content: "x" }]);
  assert.deepEqual(state(path), before);
});

test("what a running program has written to its log so far is read too, without touching its files or its locks", async () => {
  const { path, db } = made(`pragma journal_mode = wal; ${SCHEMA} ${ROWS}`);
  db.exec("begin immediate; insert into memories values (3, 'not yet committed', null)");
  const before = state(path);
  assert.equal((await rowsIn(path))?.length, 2);
  assert.deepEqual(state(path), before);
  db.exec("commit");
  assert.equal((await rowsIn(path))?.length, 3);
  db.close();
});

test("a transaction that was interrupted is left out", async () => {
  const { path, db } = made(`pragma journal_mode = delete; pragma cache_size = 5; ${SCHEMA} ${ROWS}`);
  db.exec("begin; pragma cache_spill = 1;");
  const insert = db.prepare("insert into memories (content) values (?)");
  for (let number = 0; number < 2_000; number += 1) insert.run("x".repeat(100));
  const folder = temporaryFolder("foreign").folder;
  mkdirSync(join(folder, "crashed"));
  const copy = join(folder, "crashed", "source.db");
  for (const suffix of ["", "-journal"]) copyFileSync(path + suffix, copy + suffix);
  db.exec("rollback");
  db.close();
  assert.deepEqual(
    (await rowsIn(copy))?.map(({ content }) => content),
    ["one", "two"],
  );
});

test("values that are too large are left out and counted, without being read", async () => {
  const { path, db } = made(
    `${SCHEMA} ${ROWS} insert into memories values (3, zeroblob(20000), null), (4, 'four', printf('%.20000c', 'x'));`,
  );
  db.close();
  const { rows, leftOut } = await read(path);
  assert.deepEqual([rows.get("memories")?.length, leftOut.length, leftOut[0]?.reason], [2, 2, "is too large"]);
});

const hostile: [what: string, sql: string, says: RegExp][] = [
  [
    "a view in place of the table",
    "create table t (id, content); create view memories as select id, content from t;",
    /has no table memories/,
  ],
  ["a virtual table in its place", "create virtual table memories using fts5(id, content);", /has no table memories/],
  [
    "a column that is computed",
    "create table memories (id integer primary key, content text as (printf('%.100000c', 'x')));",
    /computes its column content/,
  ],
  [
    "a column that is computed, beside those that are read",
    "create table memories (id integer primary key, content text, x text not null as (content || 'y'));",
    /computes its column x/,
  ],
  ["another table", "create table notes (id integer primary key, body text);", /has no table memories/],
  ["an empty database", "create table x (y); drop table x;", /has no table memories/],
];
for (const [what, sql, says] of hostile)
  test(`refused: ${what}`, async () => {
    const { path, db } = made(sql);
    db.close();
    await assert.rejects(read(path), (thrown: Error) => says.test(thrown.message));
  });

test("triggers, other views and modules that are absent here do no harm", async () => {
  const { path, db } =
    made(`${SCHEMA} create table seen (n); create trigger spy after insert on memories begin insert into seen values (1); end;
    create view everything as select load_extension('/tmp/evil.so'), content from memories; ${ROWS}`);
  db.unsafeMode(true);
  db.pragma("writable_schema = on");
  db.exec(
    "insert into sqlite_schema (type, name, tbl_name, rootpage, sql) values ('table', 'vectors', 'vectors', 0, 'create virtual table vectors using vec0(v float[3])')",
  );
  db.close();
  assert.equal((await rowsIn(path))?.length, 2);
});

test("a file that was cut off, is damaged, is something else, or is too large is refused with what is wrong", async () => {
  const { path, db } = made(SCHEMA);
  const insert = db.prepare("insert into memories (content) values (?)");
  for (let number = 0; number < 500; number += 1) insert.run("a sentence that fills pages ".repeat(20));
  db.close();
  const folder = temporaryFolder("foreign").folder;
  const copied = (name: string) => {
    copyFileSync(path, join(folder, name));
    return join(folder, name);
  };
  const short = copied("short.db");
  truncateSync(short, 40_960);
  await assert.rejects(read(short), /short\.db is damaged or was cut off/);
  const torn = readFileSync(path);
  torn.fill(0xff, 8_192, 120_000);
  writeFileSync(join(folder, "torn.db"), torn);
  await assert.rejects(read(join(folder, "torn.db")), /torn\.db is damaged or was cut off/);
  writeFileSync(join(folder, "text.db"), "Dear diary");
  await assert.rejects(read(join(folder, "text.db")), /text\.db is not a SQLite database/);
  await assert.rejects(read(path, { ...LIMITS, fileBytes: 10_000 }), /can be imported/);
  await assert.rejects(read(path, { ...LIMITS, rows: 100 }), /more than 100 rows/);
  symlinkSync(path, join(folder, "link.db"));
  await assert.rejects(read(join(folder, "link.db")), /is not a regular file/);
});
