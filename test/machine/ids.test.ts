import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createIds } from "../../src/machine/ids.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Ids under a clock that shows these times one after the other. */
function idsAt(times: readonly number[], random?: (size: number) => Uint8Array): string[] {
  let turn = 0;
  const ids = createIds({ now: () => times[turn++]! }, random);
  return times.map(() => ids.next());
}
const timeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);
const isSorted = (ids: readonly string[]) => ids.every((id, index) => index === 0 || ids[index - 1]! < id);

test("an id says when it was made, counts within the millisecond, and marks version and variant", () => {
  const ones = (size: number) => new Uint8Array(size).fill(0xff);
  const zeros = (size: number) => new Uint8Array(size);
  const at = 0x0123456789ab;
  assert.deepEqual(idsAt([at, at, at + 1], ones), [
    "01234567-89ab-7000-bfff-ffffffffffff",
    "01234567-89ab-7001-bfff-ffffffffffff",
    "01234567-89ac-7000-bfff-ffffffffffff",
  ]);
  assert.deepEqual(idsAt([at], zeros), ["01234567-89ab-7000-8000-000000000000"]);
});

test("ten thousand ids of one millisecond are distinct, sorted and well formed", () => {
  const ids = idsAt(Array.from({ length: 10_000 }, () => 1_700_000_000_000));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(isSorted(ids));
  assert.ok(ids.every((id) => UUID_V7.test(id)));
  // 4,096 fit into a millisecond; the rest borrows from the next ones.
  assert.deepEqual(
    [timeOf(ids[4_095]!), timeOf(ids[4_096]!), timeOf(ids[9_999]!)],
    [1_700_000_000_000, 1_700_000_000_001, 1_700_000_000_002],
  );
});

test("a clock that goes back does not take the ids along", () => {
  const ids = idsAt([2_000, 1_000, 1_500, 2_000, 2_001]);
  assert.ok(isSorted(ids));
  assert.deepEqual(ids.map(timeOf), [2_000, 2_000, 2_000, 2_000, 2_001]);
});

test("under any clock ids are sorted, distinct and well formed", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 31), { minLength: 1, maxLength: 50 }), (times) => {
      const ids = idsAt(times);
      assert.ok(isSorted(ids));
      assert.ok(ids.every((id) => UUID_V7.test(id)));
    }),
  );
});

test("two makers under one clock do not make the same ids", () => {
  const [left] = idsAt([5]);
  const [right] = idsAt([5]);
  assert.notEqual(left, right);
});
