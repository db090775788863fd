import assert from "node:assert/strict";
import { test } from "node:test";
import { isUnderWay } from "../../../../../src/logic/capture/extractor/sentences/under-way.ts";

test("what a summary leaves for the next hour is on the way too", () => {
  assert.ok(isUnderWay("I read the importer and its tests.", ""));
  assert.ok(isUnderWay("The importer must skip empty rows.", "Pending Tasks"));
  assert.ok(isUnderWay("The importer skipped empty rows.", "I then read its tests"));
  assert.ok(!isUnderWay("The importer must skip empty rows.", "Rules"));
});
