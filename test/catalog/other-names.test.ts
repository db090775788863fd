/** What somebody means by a name that a verb does not have. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { meantField, meantValue } from "../../src/catalog/other-names.ts";
import { MEMORY_TYPES } from "../../src/memory/shelves.ts";

const fields: [name: string, known: string[], meant: string | null][] = [
  ["text", ["content", "type"], "content"],
  ["text", ["query", "limit"], "query"],
  ["query", ["target", "purge"], "target"],
  ["query", ["subject", "limit"], "subject"],
  ["memory_id", ["id"], "id"],
  ["max-results", ["query", "limit"], "limit"],
  ["min_priority", ["minPriority"], "minPriority"],
  ["walrus", ["query"], null],
];
for (const [name, known, meant] of fields)
  test(`the field ${name} means ${meant} of ${known.join(", ")}`, () => assert.equal(meantField(name, known), meant));

const values: [word: string, meant: string | null][] = [
  ["note", "fact"],
  ["Notes", "fact"],
  ["todo", "progress"],
  ["bug", "bug_fix"],
  ["rule", "convention"],
  ["lesson", "gotcha"],
  ["walrus", null],
];
for (const [word, meant] of values)
  test(`the type ${word} means ${meant}`, () => assert.equal(meantValue(word, MEMORY_TYPES), meant));
