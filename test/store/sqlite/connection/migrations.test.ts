/** Migrations: the way does not matter, twice is once, a newer file is left alone, and several may come at once. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../../src/errors.ts";
import { type SpaceKind, migrate, version } from "../../../../src/store/sqlite/connection/migrate.ts";
import { openSqliteStore } from "../../../../src/store/sqlite/store.ts";
import { startChild } from "../../../child.ts";
import { active, put } from "../../suite/trial.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const { path } = temporaryFolder("migrations");
const clock = { now: () => 1 };
const KINDS: readonly SpaceKind[] = ["project", "global"];
const files = readdirSync(new URL("../../../../src/store/migrations/", import.meta.url))
  .filter((name) => name.endsWith(".sql"))
  .sort();
const newest = files.length;

function schemaOf(db: Sqlite.Database): unknown[] {
  return db.prepare(`select type, name, tbl_name, sql from sqlite_schema order by type, name`).all();
}

function memoryFile(kind: SpaceKind, ...targets: (number | undefined)[]): Sqlite.Database {
  const db = new Sqlite(":memory:");
  for (const target of targets) migrate(db, kind, target);
  return db;
}

/** The connection, with something that happens before each use of one method. */
function before(db: Sqlite.Database, method: keyof Sqlite.Database, happen: () => void): Sqlite.Database {
  return new Proxy(db, {
    get(target, name) {
      if (name === method) happen();
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

for (const kind of KINDS) {
  describe(`a ${kind} file`, () => {
    const straight = schemaOf(memoryFile(kind, undefined));

    test("is the same whether it grew step by step or at once", () => {
      assert.ok(straight.length > 50);
      const steps = Array.from({ length: newest }, (_, step) => step + 1);
      assert.deepEqual(schemaOf(memoryFile(kind, ...steps)), straight);
    });
    for (let from = 0; from < newest; from += 1) {
      test(`reaches the newest schema from version ${from}`, () => {
        const db = memoryFile(kind, from);
        assert.equal(version(db), from);
        migrate(db, kind);
        assert.equal(version(db), newest);
        assert.deepEqual(schemaOf(db), straight);
      });
    }
    test("that another process migrates between our look and our lock is left to it", () => {
      const file = path();
      const [ours, theirs] = [new Sqlite(file), new Sqlite(file)];
      let isOvertaken = false;
      migrate(
        before(ours, "transaction", () => {
          if (!isOvertaken) migrate(theirs, kind);
          isOvertaken = true;
        }),
        kind,
      );
      assert.ok(isOvertaken);
      assert.deepEqual(schemaOf(ours), straight);
      for (const db of [ours, theirs]) db.close();
    });
    test("is held from our look at it until we are done", () => {
      const file = path();
      const [ours, theirs] = [new Sqlite(file), new Sqlite(file, { timeout: 0 })];
      ours.pragma("journal_mode = wal");
      let refused = 0;
      migrate(
        before(ours, "exec", () => {
          if (refused === 0) assert.throws(() => migrate(theirs, kind), { code: "SQLITE_BUSY" });
          refused += 1;
        }),
        kind,
      );
      assert.ok(refused > 0);
      assert.deepEqual(schemaOf(ours), straight);
      for (const db of [ours, theirs]) db.close();
    });
    test("is left as it is when it is opened again", async () => {
      const file = path();
      const store = await openSqliteStore({ path: file, kind, clock });
      await put(store, "memory");
      await store.close();
      const before = readFileSync(file);
      await (await openSqliteStore({ path: file, kind, clock })).close();
      assert.ok(readFileSync(file).equals(before));
    });
    for (const mode of ["wal", "delete"]) {
      test(`of a newer program, in ${mode} mode, is refused and not touched`, async () => {
        const file = path();
        await (await openSqliteStore({ path: file, kind, clock })).close();
        const db = new Sqlite(file);
        db.pragma(`user_version = ${newest + 1}`);
        db.pragma(`journal_mode = ${mode}`);
        db.close();
        const before = readFileSync(file);
        await assert.rejects(
          openSqliteStore({ path: file, kind, clock }),
          (thrown) => thrown instanceof Failure && thrown.code === "unavailable" && /Update/.test(thrown.hint),
        );
        assert.ok(readFileSync(file).equals(before));
      });
    }
  });
}

test("documents are read again when references begin to be kept as they are written", () => {
  const db = memoryFile("project", files.indexOf("015-reference-written.sql"));
  const known = `insert into file (path, shelf, item_id, reason, bytes, modified_at, hash) values (?, ?, ?, ?, 1, 5, 'h')`;
  db.prepare(known).run("a.md", "document", "a", null);
  db.prepare(known).run("b.ts", "code", "b", null);
  migrate(db, "project");
  const states = db.prepare(`select path, modified_at, hash from file order by path`).raw().all();
  assert.deepEqual(states, [
    ["a.md", -1, ""],
    ["b.ts", 5, "h"],
  ]);
});

test("what was called read becomes a get or a search, and keeps its place", () => {
  const db = memoryFile("project", files.indexOf("016-access-kind.sql"));
  const known = db.prepare(
    `insert into access_log (seq, at, shelf, item_id, how, relevance, query) values (?, ?, 'memory', ?, ?, ?, ?)`,
  );
  known.run(3, 10, "a", "read", null, null);
  known.run(5, 20, "b", "read", 0.5, "walrus");
  known.run(6, 25, "b", "read", 0.5, null);
  known.run(9, 30, "c", "shown", null, null);
  migrate(db, "project");
  const rows = db.prepare(`select seq, at, item_id, how, relevance, query from access_log order by seq`).raw().all();
  assert.deepEqual(rows, [
    [3, 10, "a", "get", null, null],
    [5, 20, "b", "search", 0.5, "walrus"],
    [6, 25, "b", "search", 0.5, null],
    [9, 30, "c", "shown", null, null],
  ]);
  assert.throws(() => known.run(10, 40, "d", "read", null, null), /CHECK/);
});

test("five processes open one fresh file at once, and all of them write", async () => {
  const file = path();
  const names = Array.from({ length: 5 }, (_, number) => `item of ${number}`);
  const script = new URL("../../fixtures/open-store.ts", import.meta.url);
  const children = names.map((name) => startChild(script, [file, name], { input: null }));
  // All of them have started, and open it when they are told.
  await Promise.all(children.map((child) => child.spoke()));
  for (const child of children) child.process.stdin.end();
  for (const { code, output, errors } of await Promise.all(children.map(({ ended }) => ended)))
    assert.deepEqual([code, output, errors], [0, "ready\napplied", ""]);
  const store = await openSqliteStore({ path: file, kind: "project", clock });
  const { items } = await store.list("memory", active, { limit: 100, offset: 0 });
  assert.deepEqual(items.map(({ id }) => id).toSorted(), names);
  await store.close();
});

test("an older file gets the columns that a new one has from the start", () => {
  const columnsOf = (db: Sqlite.Database, table: string) =>
    (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const db = new Sqlite(":memory:");
  migrate(db, "project", 5);
  for (const column of ["speaker", "role", "said_at"]) db.exec(`alter table evidence_passage drop column ${column}`);
  migrate(db, "project", 13);
  for (const column of ["rules", "looked_at"]) db.exec(`alter table file drop column ${column}`);
  migrate(db, "project");
  assert.deepEqual(columnsOf(db, "evidence_passage").slice(-3), ["speaker", "role", "said_at"]);
  assert.deepEqual(columnsOf(db, "file").slice(-2), ["rules", "looked_at"]);
  db.close();
});
