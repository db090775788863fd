import assert from "node:assert/strict";
import { test } from "node:test";
import { counted } from "../../src/text/short-text.ts";

test("a count agrees with its noun", () => {
  assert.deepEqual([counted(0, "item"), counted(1, "item"), counted(2, "item")], ["0 items", "1 item", "2 items"]);
  assert.deepEqual([counted(1, "entry", "entries"), counted(2, "entry", "entries")], ["1 entry", "2 entries"]);
});
