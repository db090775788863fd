/** Every field of the table goes into a row and comes back, and what is not sound in a row is read without it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { withLaterFields } from "../../../src/memory/item-changes.ts";
import { type Field, FIELDS, LATER_FIELDS } from "../../../src/memory/item-fields.ts";
import type { Item } from "../../../src/memory/item.ts";
import { ITEM_COLUMNS, itemOn, type ItemRow, toValues } from "../../../src/store/item-row.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { contentHash } from "../../../src/text/content-hash.ts";

/** Not what a field begins with, so that one that is forgotten is noticed. */
function exampleOf(name: string, field: Field): unknown {
  switch (field.kind) {
    case "id":
    case "text":
      return `some ${name}`;
    case "hash":
      return contentHash("some content");
    case "texts":
      return [`one of ${name}`, "zwei"];
    case "number":
    case "whole":
    case "moment":
      return "maximum" in field ? Math.min(field.maximum, 7) : Date.UTC(2026, 0, 15);
    case "flag":
      return true;
    case "choice":
      return field.of.at(-1);
    case "object":
      return { [name]: [1, null] };
    case "group":
      return Object.fromEntries(Object.entries(field.fields).map(([part, inner]) => [part, exampleOf(part, inner)]));
  }
}

const full = Object.fromEntries(FIELDS.map(([name, field]) => [name, exampleOf(name, field)])) as unknown as Item;
const empty = Object.fromEntries(
  FIELDS.map(([name, { nullable }]) => [name, nullable ? null : full[name]]),
) as unknown as Item;

function stored(item: Item): ItemRow {
  const db = new Sqlite(":memory:");
  try {
    migrate(db, "project");
    const places = ITEM_COLUMNS.map(() => "?").join(", ");
    db.prepare(`insert into memory_item (${ITEM_COLUMNS.join(", ")}) values (${places})`).run(toValues(item));
    return db.prepare(`select seq, ${ITEM_COLUMNS.join(", ")} from memory_item`).get() as ItemRow;
  } finally {
    db.close();
  }
}

for (const [what, item] of Object.entries({ full, empty })) {
  test(`a row holds all of an item that is ${what}, in the order of the table`, () => {
    const row = stored(item);
    assert.equal(JSON.stringify(itemOn("proposal", row)), JSON.stringify(item));
    assert.equal(row["branch"], item.context.branch);
  });
}

const row = stored(full);

for (const [shelf, type] of [
  ["memory", "fact"],
  ["evidence", "evidence"],
  ["proposal", "decision"],
  ["decision", "decision"],
] as const)
  test(`a row of type decision on the shelf ${shelf} is read as ${type}`, () => {
    assert.equal(itemOn(shelf, { ...row, type: "decision" }).type, type);
  });

for (const [column, value, read] of [
  ["tags", "nope", { tags: [] }],
  ["tags", "[1]", { tags: [] }],
  ["details", "null", { details: {} }],
  ["context", "{", { context: { branch: null, commits: [], files: [], symbols: [], language: null } }],
  [
    "context",
    `{"files": ["a"], "branch": 7}`,
    { context: { branch: null, commits: [], files: ["a"], symbols: [], language: null } },
  ],
] as const)
  test(`a row whose ${column} is ${value} is read without it`, () => {
    assert.deepEqual(itemOn("memory", { ...row, [column]: value }), { ...full, ...read });
  });

test("an item from before a field existed gets it, in its place", () => {
  const kept = { ...empty };
  for (const name of LATER_FIELDS) delete (kept as Partial<Item>)[name];
  assert.ok(LATER_FIELDS.length > 0);
  assert.equal(JSON.stringify(withLaterFields(kept)), JSON.stringify(empty));
  assert.equal(withLaterFields(full), full);
});
