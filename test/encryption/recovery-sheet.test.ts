/** The recovery sheet, and how files name their key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readSheet, sheetGroups } from "../../src/encryption/recovery-sheet.ts";
import { headOf, rawKey, storeKeyOf } from "../../src/encryption/store-key.ts";

const key = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("what a sheet says is the key again, however it is spaced", () => {
  fc.assert(
    fc.property(key, fc.constantFrom(" ", "\n", "", " - "), (bytes, between) => {
      const { hex } = storeKeyOf(bytes);
      assert.equal(readSheet(sheetGroups(hex).join(between).toUpperCase()), hex);
    }),
  );
});

test("every single wrong digit is found in its group", () => {
  const hexDigits = "0123456789abcdef";
  fc.assert(
    fc.property(
      key,
      fc.nat({ max: 7 }),
      fc.nat({ max: 7 }),
      fc.integer({ min: 1, max: 15 }),
      (bytes, group, at, by) => {
        const groups = sheetGroups(storeKeyOf(bytes).hex).map((one) => one.replaceAll("-", ""));
        const wrong = hexDigits[(hexDigits.indexOf(groups[group]![at]!) + by) % 16]!;
        groups[group] = groups[group]!.slice(0, at) + wrong + groups[group]!.slice(at + 1);
        assert.equal(readSheet(groups.join(" ")), group + 1);
      },
    ),
  );
});

test("two groups that are swapped are noticed, and so is a missing one", () => {
  const groups = sheetGroups(storeKeyOf(Buffer.from("0123456789abcdef0123456789abcdef")).hex);
  const [first, second, ...rest] = groups as [string, string, ...string[]];
  assert.equal(readSheet([second, first, ...rest].join(" ")), 1);
  assert.equal(readSheet([first, ...rest].join(" ")), 0);
});

test("the first bytes of a file name its key, and tell it from a plain file and from noise", () => {
  fc.assert(
    fc.property(key, (bytes) => {
      const found = storeKeyOf(bytes);
      const head = Buffer.from(rawKey(found).slice(-32), "hex");
      assert.deepEqual(headOf(head), { keyId: found.id });
      assert.ok(!rawKey(found).slice(-32).includes(found.hex.slice(0, 20)));
    }),
  );
  assert.equal(headOf(Buffer.from("SQLite format 3\0")), "plain");
  for (const noise of [Buffer.alloc(16), Buffer.alloc(0), Buffer.from("SQLite format 3")])
    assert.equal(headOf(noise), "unknown");
});
