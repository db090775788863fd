import assert from "node:assert/strict";
import { test } from "node:test";
import { inState, newItem, stateChange } from "../../src/memory/item-changes.ts";
import type { Item } from "../../src/memory/item.ts";

const context = { branch: null, commits: [], files: [], symbols: [], language: null };
const item: Item = newItem(
  { type: "evidence", content: "said", hash: "h", source: "manual", context, details: { space: "s" } },
  { id: "one", now: 5, origin: { host: "test", session: "s" } },
);
const archived: Item = { ...item, status: "archived", version: 2, updatedAt: 9, accessCount: 3, accessedAt: 8 };

test("where only the state was changed, the state and the rest tell what was there; reading is not undone", () => {
  const change = stateChange("evidence", item, archived)!;
  assert.deepEqual(change.state, { status: "active", version: 1, updatedAt: 5 });
  const { accessCount, accessedAt } = archived;
  assert.deepEqual(inState("evidence", archived, change), { ...item, accessCount, accessedAt });
  assert.ok(!JSON.stringify(change).includes("said"), "none of its words are in it");
});

for (const set of [{ title: "t" }, { content: "else" }, { tags: ["x"] }, { details: {} }, { hash: "i" }]) {
  const [name] = Object.keys(set);
  test(`a change of ${name} is more than a state, and an item with another ${name} is not the one`, () => {
    assert.equal(stateChange("evidence", item, { ...archived, ...set }), null);
    assert.equal(inState("evidence", { ...archived, ...set }, stateChange("evidence", item, archived)!), null);
  });
}

test("the order of keys in a context does not count", () => {
  const turned = { ...archived, context: { language: null, symbols: [], files: [], commits: [], branch: null } };
  assert.ok(stateChange("evidence", item, turned));
});
