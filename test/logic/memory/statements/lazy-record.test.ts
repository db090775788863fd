import assert from "node:assert/strict";
import { test } from "node:test";
import { lazyRecord } from "../../../../src/logic/memory/statements/lazy-record.ts";

test("a value is computed when it is first read, and once", () => {
  const computed: string[] = [];
  const record: { one: number; two: number } = lazyRecord<{ one: number; two: number }>({
    one: () => computed.push("one"),
    two: () => record.one + computed.push("two"),
  });
  assert.deepEqual(computed, []);
  assert.equal(record.two, 3);
  assert.deepEqual([record.two, record.one], [3, 1]);
  assert.deepEqual(computed, ["one", "two"]);
  assert.deepEqual(Object.keys(record), ["one", "two"]);
});
