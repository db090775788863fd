import assert from "node:assert/strict";
import { test } from "node:test";
import { among, each, table } from "../../src/store/dialect.ts";
import {
  allOf,
  column,
  composing,
  count,
  elsewhere,
  raw,
  rows,
  send,
  sql,
  type Steps,
  together,
  value,
} from "../../src/store/sql.ts";
import { driveOn } from "../../src/store/sqlite/drive.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";

const [sqlite, postgres] = [composing("sqlite"), composing("postgres")];

test("values are bound by position, also those of parts, and lists in the words of each database", () => {
  const query = sql`select ${raw("id")} from event where ${allOf([
    sql`at > ${5}`,
    false,
    undefined,
    sql`id ${among(["a", "b"])}`,
  ])} limit ${2}`;
  assert.deepEqual(sqlite(query), {
    text: "select id from event where at > ? and id in (select value from json_each(?)) limit ?",
    values: [5, ["a", "b"], 2],
  });
  assert.deepEqual(postgres(query), {
    text: "select id from event where at > $1 and id = any ($2) limit $3",
    values: [5, ["a", "b"], 2],
  });
  assert.equal(sqlite(sql`where ${allOf([])}`).text, "where true");
});

const fresh = () => {
  const db = openSqlite(":memory:");
  db.exec("create table thing (name text unique, size integer)");
  return { db, drive: driveOn(db) };
};

test("the same template with other values is another statement's answer, whatever its shape", () => {
  const { db, drive } = fresh();
  const sized = (size: number) => sql`select name, size from thing where size = ${size}`;
  function* all(): Steps<unknown[]> {
    yield* send(sql`insert into thing values (${"one"}, ${1})`, sql`insert into thing values (${"two"}, ${2})`);
    const changed = yield* count(sql`update thing set size = size + ${10} where name = ${"two"}`);
    const [names, first, whole] = yield* together(column(sized(1)), value(sized(12)), rows(sized(12)));
    return [changed, names, first, whole, yield* value(sized(99))];
  }
  assert.deepEqual(drive(all()), [1, ["one"], "two", [{ name: "two", size: 12 }], null]);
  db.close();
});

test("what fails is thrown into the steps that asked, and out of them if they do not mind it", () => {
  const { db, drive } = fresh();
  const ended: string[] = [];
  function* twice(): Steps<void> {
    try {
      yield* send(sql`insert into thing values (${"one"}, ${1})`, sql`insert into thing values (${"one"}, ${2})`);
    } finally {
      ended.push("twice");
    }
  }
  function* minded(): Steps<string> {
    try {
      yield* twice();
    } catch (thrown) {
      return (thrown as { code: string }).code;
    }
    return "none";
  }
  assert.equal(drive(minded()), "SQLITE_CONSTRAINT_UNIQUE");
  assert.throws(() => drive(twice()), /UNIQUE/);
  assert.throws(
    () => drive(elsewhere(() => assert.fail("elsewhere"))),
    (thrown: Error) => thrown.message === "elsewhere",
  );
  assert.deepEqual(ended, ["twice", "twice"]);
  db.close();
});

test("half a character is the same text in a list, in rows and by itself", () => {
  const { db, drive } = fresh();
  const half = "a\ud800";
  const given = table("given", { name: "text", size: "bigint" }, [[half, 3]]);
  drive(send(sql`insert into thing select ${half}, ${1} where true`));
  const same = sql`select size from thing where name ${among([half])}`;
  assert.equal(drive(value(same)), 1);
  assert.equal(drive(value(sql`select count(*) from thing join ${each([half], "one")} on one.value = name`)), 1);
  assert.equal(drive(value(sql`select given.size from thing join ${given} on given.name = thing.name`)), 3);
  db.close();
});
