import assert from "node:assert/strict";
import { test } from "node:test";
import { closing, removing, revising, withChanges } from "../../src/memory/item-changes.ts";
import { insertion, newItem } from "../store/suite/trial.ts";

const one = newItem({ id: "one", priority: 5 });
const two = newItem({ id: "two" });

test("items after changes: revised, closed and inserted, the others as they were", () => {
  assert.deepEqual(withChanges([one, two], []), [one, two]);
  assert.deepEqual(withChanges([one, two], [revising("memory", one, { priority: 9 })]), [{ ...one, priority: 9 }, two]);
  const three = newItem({ id: "three" });
  const after = withChanges([one], [closing(one, "three", 99), insertion("memory", three)]);
  assert.partialDeepStrictEqual(after, [{ id: "one", status: "superseded", supersededBy: "three" }, three]);
});

test("changes of other items, and removals, leave them alone", () => {
  assert.deepEqual(withChanges([one], [revising("memory", two, { priority: 9 }), removing("memory", one)]), [one]);
});
