import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item } from "../../src/memory/item.ts";
import {
  insertedAfter,
  inWritingOrder,
  isReindexed,
  isTargetLatest,
  movedTo,
  stillReplaced,
  writing,
} from "../../src/memory/move.ts";
import { newItem } from "../store/suite/trial.ts";

const item = newItem({ id: "one", content: "The lynx is shy", updatedAt: 100, version: 7 });
const passages = [{ ordinal: 0, text: "The lynx is shy", startLine: 1, endLine: 1, tokens: null }] as never[];

const copies: [target: number, source: number, isTargetProject: boolean, isLatest: boolean, why: string][] = [
  [101, 100, true, true, "it was changed later"],
  [101, 100, false, true, "it was changed later, wherever it is"],
  [99, 100, true, false, "the source was changed later"],
  [99, 100, false, false, "the source was changed later, wherever it is"],
  [100, 100, true, true, "of two equal ones the project's counts"],
  [100, 100, false, false, "of two equal ones the project's counts, also at the source"],
];
for (const [target, source, isTargetProject, isLatest, why] of copies)
  test(`the copy at the ${isLatest ? "target" : "source"} counts: ${why}`, () => {
    const [there, here] = [target, source].map((updatedAt) => ({ ...item, updatedAt })) as [Item, Item];
    assert.equal(isTargetLatest(there, here, isTargetProject), isLatest);
  });

const moves: [given: Partial<Item>, scope: "project" | "global", expected: Partial<Item>, why: string][] = [
  [{ scope: "working", expiresAt: 9 }, "project", { scope: "project", expiresAt: null }, "a lifetime ends"],
  [{ scope: "working", expiresAt: 9 }, "global", { scope: "global", expiresAt: null }, "also for all projects"],
  [{ scope: "project", expiresAt: 9 }, "global", { scope: "global", expiresAt: 9 }, "a stated end stays"],
  [{ scope: "global", expiresAt: 9 }, "project", { scope: "project", expiresAt: 9 }, "also on the way back"],
  [
    { details: { space: "s", routedBy: "type", more: 1 } },
    "global",
    { details: { space: "s", routedBy: "caller", more: 1 } },
    "it counts as put there by the caller",
  ],
];
for (const [given, scope, expected, why] of moves)
  test(`to ${scope}: ${why}`, () => {
    const from = { ...item, ...given };
    assert.deepEqual(movedTo(scope, from), { ...from, ...movedTo(scope, from), ...expected });
    assert.deepEqual(
      { ...movedTo(scope, from), scope: 0, expiresAt: 0, details: 0 },
      { ...from, scope: 0, expiresAt: 0, details: 0 },
    );
  });

test("closed items are written first, otherwise the order stays", () => {
  const [a, b, c, d] = (["active", "superseded", "active", "archived"] as const).map((status, index) =>
    newItem({ id: String(index), status }),
  ) as [Item, Item, Item, Item];
  assert.deepEqual(inWritingOrder([a, b, c, d]), [b, d, a, c]);
});

test("a new item is inserted as its first version, a copy as the next one, with passages", () => {
  assert.equal(isReindexed(item, null), true);
  for (const [source, version] of [
    [null, 1],
    [item, 8],
  ] as const)
    assert.deepEqual(writing(item, null, source, passages), {
      kind: "insert_item",
      shelf: "memory",
      item: { ...item, version },
      passages,
      embed: true,
    });
  assert.partialDeepStrictEqual(writing({ ...item, type: "code" }, null, item, passages), { embed: false });
});

test("a copy that says the same is left alone, whoever read it, unless the source is removed", () => {
  const there = { ...item, version: 2, accessCount: 9, accessedAt: 9 };
  assert.equal(writing(item, there, null, null), null);
  assert.partialDeepStrictEqual(writing(item, there, item, null), {
    kind: "revise_item",
    expectedVersion: 2,
    version: 8,
  });
  assert.partialDeepStrictEqual(writing(item, { ...there, version: 9 }, item, null), { version: 10 });
});

test("a copy that differs is revised, with passages only if its text differs", () => {
  const there = { ...item, version: 3, updatedAt: 50 };
  assert.equal(isReindexed({ ...item, priority: 9 }, there), false);
  assert.equal(isReindexed({ ...item, tags: ["x"] }, there), true);
  assert.partialDeepStrictEqual(writing({ ...item, priority: 9 }, there, null, null), {
    kind: "revise_item",
    id: "one",
    expectedVersion: 3,
    expectedUpdatedAt: 50,
    passages: null,
    embed: false,
    set: { priority: 9, updatedAt: 100 },
  });
});

test("what was replaced in the target stays replaced, with the source's later wording", () => {
  const there: Item = {
    ...item,
    content: "old",
    status: "superseded",
    supersededBy: "two",
    validFrom: 1,
    validUntil: 2,
  };
  const expected = { ...item, status: "superseded", supersededBy: "two", validFrom: 1, validUntil: 2 };
  assert.deepEqual(stillReplaced(item, there), expected);
  const archived: Item = { ...item, status: "archived" };
  assert.deepEqual([stillReplaced(archived, there), stillReplaced(item, archived)], [archived, item]);
});

test("what was inserted is its own as long as nobody else writes to it", () => {
  const insertion = writing(item, null, item, passages)!;
  const revision = writing(item, { ...item, version: 8 }, item, null)!;
  const own = insertedAfter([insertion], new Map());
  assert.deepEqual([...own], [["one", 8]]);
  assert.deepEqual([...insertedAfter([revision], own)], [["one", 9]]);
  assert.deepEqual([...insertedAfter([revision], new Map([["one", 7]]))], []);
  assert.deepEqual([...insertedAfter([revision], new Map())], []);
});
