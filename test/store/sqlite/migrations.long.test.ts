/** Migrations: the way does not matter, twice is once, and a file of another version is left alone. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { Failure } from "../../../src/errors.ts";
import { SHELVES } from "../../../src/memory/shelves.ts";
import { examineStore } from "../../../src/store/sqlite/examine.ts";
import { migrate, migrationsIn, originOf, type SpaceKind, version } from "../../../src/store/sqlite/migrate.ts";
import { openSqliteStore } from "../../../src/store/sqlite/store.ts";
import { put } from "../suite/trial.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("migrations");
const clock = { now: () => 1 };
const KINDS: readonly SpaceKind[] = ["project", "global"];
const FOLDER = fileURLToPath(new URL("../../../src/store/migrations/", import.meta.url));
const newest = migrationsIn(FOLDER).length;

const numbered = (number: number) => String(number).padStart(3, "0");

function schemaOf(db: Sqlite.Database): unknown[] {
  return db.prepare(`select type, name, tbl_name, sql from sqlite_schema order by type, name`).all();
}

function freshSchema(kind: SpaceKind): unknown[] {
  const db = new Sqlite(":memory:");
  migrate(db, kind);
  const schema = schemaOf(db);
  db.close();
  return schema;
}

/** The program's own migrations, and after them more files. */
function withMore(more: Record<string, string>): ReturnType<typeof migrationsIn> {
  const folder = path();
  cpSync(FOLDER, folder, { recursive: true });
  for (const [name, sql] of Object.entries(more)) writeFileSync(join(folder, name), sql);
  return migrationsIn(folder);
}

/** As versions before the first release left it: with a number of their own, and nothing that says whose file it is. */
function makeUnreleased(file: string, mode = "wal"): void {
  const db = new Sqlite(file);
  db.pragma("application_id = 0");
  db.pragma("user_version = 1");
  db.pragma(`journal_mode = ${mode}`);
  db.close();
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
    const straight = freshSchema(kind);

    test("has all its tables at once, or none", () => {
      const db = new Sqlite(":memory:");
      const failing = withMore({ "001-schema.global.sql": "no sql;", "001-schema.sql": "no sql;" });
      assert.throws(() => migrate(db, kind, failing), /syntax error/);
      assert.deepEqual([version(db), schemaOf(db)], [0, []]);
      migrate(db, kind);
      assert.equal(version(db), newest);
      assert.deepEqual(schemaOf(db), straight);
      db.close();
    });
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
      const refused = async (make: (file: string) => void, message: RegExp, hint: RegExp) => {
        const file = path();
        await (await openSqliteStore({ path: file, kind, clock })).close();
        make(file);
        const before = readFileSync(file);
        await assert.rejects(openSqliteStore({ path: file, kind, clock }), (thrown) => {
          assert.ok(thrown instanceof Failure);
          assert.match(thrown.message, message);
          assert.match(thrown.hint, hint);
          return thrown.code === "unavailable";
        });
        assert.ok(readFileSync(file).equals(before));
      };
      test(`of a newer program, in ${mode} mode, is refused and not touched`, () => {
        const makeNewer = (file: string) => {
          const db = new Sqlite(file);
          migrate(
            db,
            kind,
            withMore({ [`${numbered(newest + 1)}-more.sql`]: "create table more (seq integer) strict;" }),
          );
          db.pragma(`journal_mode = ${mode}`);
          db.close();
        };
        return refused(makeNewer, new RegExp(`schema ${newest + 1}`), /Update/);
      });
      test(`of another program, in ${mode} mode, is refused and not touched`, async () => {
        const makeForeign = (setUp: string) => (file: string) => {
          rmSync(file);
          const db = new Sqlite(file);
          db.exec(setUp);
          db.pragma(`journal_mode = ${mode}`);
          db.close();
        };
        const theirs = ["create table theirs (one)", "pragma application_id = 12345"];
        for (const setUp of [...theirs, `${theirs[1]!}; pragma user_version = 1`])
          await refused(makeForeign(setUp), /another program/, /not changed/);
      });
      test(`from before the first release, in ${mode} mode, is refused and not touched`, () =>
        refused((file) => makeUnreleased(file, mode), /development version/, /stele export.*stele import/));
    }
  });
}

test("migrations are numbered from one, each number once", () => {
  const names = new Set(readdirSync(FOLDER).map((file) => file.split(".")[0]!));
  const numbers = [...names].sort().map((name) => name.slice(0, 4));
  assert.deepEqual(
    numbers,
    Array.from({ length: newest }, (_, index) => `${numbered(index + 1)}-`),
  );
});

test("a later migration is added to what is there, for each shelf and in the person's own file", () => {
  const next = numbered(newest + 1);
  const migrations = withMore({
    [`${next}-mood.shelf.sql`]: "alter table {shelf}_item add column mood text not null default 'calm';",
    [`${next}-mood.sql`]: "create table mood (name text primary key) strict; insert into mood values ('calm');",
    [`${next}-mood.global.sql`]: "alter table space add column mood text;",
  });
  for (const kind of KINDS) {
    const [grown, straight] = [new Sqlite(":memory:"), new Sqlite(":memory:")];
    migrate(grown, kind);
    grown.prepare("insert into fact (key, value) values ('kept', 'yes')").run();
    assert.equal(version(grown), newest);
    for (const db of [grown, straight]) migrate(db, kind, migrations);
    assert.deepEqual([version(grown), version(straight)], [newest + 1, newest + 1]);
    assert.deepEqual(schemaOf(grown), schemaOf(straight), "the way does not matter");
    assert.equal(grown.prepare("select value from fact where key = 'kept'").pluck().get(), "yes");
    for (const shelf of SHELVES) grown.prepare(`select mood from ${shelf}_item`).all();
    assert.deepEqual(grown.prepare("select name from mood").pluck().all(), ["calm"], "run once");
    const spaces = (grown.pragma("table_info(space)") as { name: string }[]).map(({ name }) => name);
    assert.equal(spaces.includes("mood"), kind === "global");
    for (const db of [grown, straight]) db.close();
  }
});

function insertMemory(db: Sqlite.Database, id: string, status: string): void {
  const row = {
    id,
    type: "fact",
    scope: "project",
    status,
    version: 1,
    hash: id,
    confidence: 1,
    priority: 5,
    pinned: 0,
    created_at: 1,
    updated_at: 1,
    accessed_at: 1,
    access_count: 0,
    source: "user",
    host: "cli",
    session: "",
    tags: "[]",
    context: "{}",
    details: "{}",
    summary: id,
    content: id,
  };
  const columns = Object.keys(row);
  const values = columns.map((column) => `@${column}`);
  db.prepare(`insert into memory_item (${columns.join(", ")}) values (${values.join(", ")})`).run(row);
}

test("made edges of the second schema are made again, because they may lead the other way", () => {
  const db = new Sqlite(":memory:");
  migrate(db, "project", migrationsIn(FOLDER).slice(0, 2));
  for (const id of ["a", "b"]) insertMemory(db, id, "active");
  const insert = db.prepare(`insert into edge values (?, 'memory', ?, ?, 'relates_to', 0.5, 1, 'active', 7, ?)`);
  insert.run("made", "a", "b", 1);
  insert.run("stated", "b", "a", 0);
  db.prepare(`insert into edge values ('again', 'memory', 'b', 'a', 'refines', 0.3, 0, 'active', 8, 0)`).run();
  db.prepare("insert into fact (key, value) values ('linked_memory', '9')").run();
  migrate(db, "project");
  assert.deepEqual(db.prepare("select id from edge order by id").pluck().all(), ["again", "stated"]);
  assert.deepEqual(db.prepare("select item_id, edges from in_degree").raw().all(), [["a", 1]]);
  assert.equal(db.prepare("select value from fact where key = 'linked_memory'").get(), undefined, "all wait");
  db.close();
});

test("made edges of the sixth schema no longer count, stated ones do", () => {
  const db = new Sqlite(":memory:");
  migrate(db, "project", migrationsIn(FOLDER).slice(0, 6));
  for (const id of ["a", "b", "c"]) insertMemory(db, id, "active");
  const insert = db.prepare(`insert into edge values (?, 'memory', ?, ?, 'relates_to', 0.5, 1, 'active', 7, ?)`);
  for (const [source, target] of ["ba", "ca", "cb"] as const) insert.run(`made ${source}${target}`, source, target, 1);
  insert.run("stated", "c", "a", 0);
  const counted = () => db.prepare("select item_id, edges from in_degree order by item_id").raw().all();
  assert.deepEqual(counted(), [["a", 2], ["b", 1]]); // prettier-ignore
  migrate(db, "project");
  assert.deepEqual(counted(), [["a", 1]]);
  db.prepare("delete from edge where made = 1").run();
  assert.deepEqual(counted(), [["a", 1]]);
  db.close();
});

test("a store of the first schema keeps its edges, counted", () => {
  const db = new Sqlite(":memory:");
  migrate(db, "project", migrationsIn(FOLDER).slice(0, 1));
  const columns = "id, shelf, source, target, relation, strength, bidirectional, status, created_at";
  const rows = [
    ["e1", "memory", "a", "b", "relates_to", 0.5, 1, "active", 7],
    ["e2", "memory", "c", "b", "refines", 1, 0, "active", 8],
    ["e3", "decision", "a", "c", "relates_to", 1, 0, "suggested", 9],
  ];
  for (const row of rows) db.prepare(`insert into edge (${columns}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(row);
  for (const id of ["a", "b"]) insertMemory(db, id, "active");
  insertMemory(db, "c", "archived");
  migrate(db, "project");
  assert.deepEqual(db.prepare(`select ${columns} from edge order by id`).raw().all(), rows);
  assert.deepEqual(db.prepare("select item_id, edges from in_degree").raw().all(), [["b", 1]]);
  assert.deepEqual(db.prepare("select distinct made from edge").pluck().all(), [0]);
  db.close();
});

test("a migration that fails leaves the file at the one before it", () => {
  const migrations = withMore({
    [`${numbered(newest + 1)}-good.sql`]: "create table good (seq integer) strict;",
    [`${numbered(newest + 2)}-bad.sql`]: "create table bad (seq integer) strict; insert into nowhere values (1);",
  });
  const db = new Sqlite(":memory:");
  assert.throws(() => migrate(db, "project", migrations), /nowhere/);
  assert.equal(version(db), newest + 1);
  const made = db.prepare("select name from sqlite_schema where name in ('good', 'bad')").pluck().all();
  assert.deepEqual(made, ["good"]);
  db.close();
});

test("the doctor tells a file from before the first release from a whole one", async () => {
  const file = path();
  await (await openSqliteStore({ path: file, kind: "project", clock })).close();
  assert.equal((await examineStore(file)).state, "sound");
  makeUnreleased(file);
  assert.deepEqual(await examineStore(file), { state: "unreleased", schema: 1 });
});

test("a file that another process sets up during the look is never taken for another program's", () => {
  const file = path();
  const [db, other] = [new Sqlite(file), new Sqlite(file)];
  db.pragma("journal_mode = wal");
  let looks = 0;
  const disturbed = before(db, "pragma", () => {
    looks += 1;
    if (looks === 2) migrate(other, "project");
  });
  assert.equal(originOf(disturbed), "known");
  assert.equal(version(other), newest);
  other.close();
  db.close();
});
