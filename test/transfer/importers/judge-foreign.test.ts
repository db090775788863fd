/** What becomes of a foreign memory, which id it gets, and how it is made storable. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { handleOf } from "../../../src/memory/handles.ts";
import type { Item } from "../../../src/memory/item.ts";
import { redact } from "../../../src/redaction/rules/redaction.ts";
import { type ForeignSituation, judgeForeign } from "../../../src/transfer/importers/find-imported.ts";
import type { ForeignMemory } from "../../../src/transfer/importers/foreign-memory.ts";
import { foreignId, storable } from "../../../src/transfer/importers/prepare-foreign.ts";
import { relationNamed, typeNamed } from "../../../src/transfer/importers/record.ts";
import { anyCharacter } from "../../any-character.ts";
import { newItem } from "../../store/suite/trial.ts";

/** It had the first hash when it was imported, and has the second now. */
const here = (then: string, now: string, set: Partial<Item> = {}): Item =>
  newItem({ id: "here", hash: now, details: { imported: { from: "mem0", hash: then } }, ...set });

const cases: [why: string, situation: Partial<ForeignSituation>, outcome: string][] = [
  ["it is unknown", {}, "inserted"],
  ["something else says the same", { twin: newItem({ id: "other", hash: "new" }) }, "unchanged"],
  ["it was imported before", { present: here("new", "new") }, "unchanged"],
  ["it was imported before and changed here", { present: here("new", "edited") }, "unchanged"],
  ["it was imported before and archived here", { present: here("new", "new", { status: "archived" }) }, "unchanged"],
  ["only the source has changed", { present: here("old", "old") }, "updated"],
  ["both have changed", { present: here("old", "edited") }, "kept"],
  ["the source has changed what is archived here", { present: here("old", "old", { status: "archived" }) }, "kept"],
  ["a person erased it here", { isErased: true }, "erased"],
];
for (const [why, situation, outcome] of cases)
  test(`${outcome}: ${why}`, () => {
    assert.equal(judgeForeign("new", { present: null, twin: null, isErased: false, ...situation }).outcome, outcome);
  });

test("an id depends on tool, key and project alone, has a handle, and sorts by when it was learnt", () => {
  const memory = { key: "mem_1", createdAt: Date.UTC(2026, 9, 5) };
  const id = foreignId("mem0", memory, "space");
  assert.equal(foreignId("mem0", { ...memory }, "space"), id);
  for (const other of [
    foreignId("agentmemory", memory, "space"),
    foreignId("mem0", { ...memory, key: "mem_2" }, "space"),
    foreignId("mem0", memory, "another"),
  ])
    assert.notEqual(handleOf(other), handleOf(id));
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(handleOf(id).length, 8);
  const later = foreignId("mem0", { ...memory, createdAt: memory.createdAt + 1 }, "space");
  assert.ok(id < later && foreignId("mem0", { key: "x", createdAt: null }, "space") < id);
});

const types: [name: string | null, type: string | null][] = [
  ["Bug Fix", "bug_fix"],
  ["bugfix", "bug_fix"],
  ["best-practice", "pattern"],
  ["task", "progress"],
  ["code_pattern", "pattern"],
  ["scratchpad", "observation"],
  ["constructor", null],
  ["__proto__", null],
  ["", null],
  [null, null],
];
for (const [name, type] of types) test(`the type ${name} is ${type}`, () => assert.equal(typeNamed(name), type));

const relations: [name: string, relation: string][] = [
  ["depends_on", "relates_to"],
  ["Contradicts", "contradicts"],
  ["based on", "derived_from"],
  ["extends", "refines"],
  ["example-of", "exemplifies"],
  ["supersedes", "relates_to"],
];
for (const [name, relation] of relations)
  test(`the relation ${name} is ${relation}`, () => assert.equal(relationNamed(name), relation));

const memory: ForeignMemory = {
  key: "k",
  type: "fact",
  title: "A title",
  content: "Some text",
  background: null,
  tags: [],
  files: [],
  createdAt: null,
};
const clean = (text: string) => redact(text).text;

test("control characters go, secrets are redacted in every field, and lists are cut", () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const made = storable(
    {
      ...memory,
      title: `Deploy\nwith ${token}`,
      content: `Line\r\none\u001b[31m red\u0000\u0007\n\tindented ${token}`,
      background: `Seen with ${token}`,
      tags: ["a", "a", "", `x ${token}`, ...Array.from({ length: 80 }, (_, index) => `t${index}`)],
      files: [`src/${token}.ts`],
      session: "one\ntwo",
    },
    clean,
  );
  assert.ok(!("fault" in made));
  assert.ok(!JSON.stringify(made).includes(token));
  assert.deepEqual([made.content.split(" ")[0], made.session], ["Line\none[31m", "one two"]);
  assert.deepEqual([made.tags.length, made.tags[0], made.title!.includes("\n")], [50, "a", false]);
});

test("text that cannot be stored is named; anything else passes, whatever it contains", () => {
  assert.deepEqual(storable({ ...memory, content: "\u0000\u0001" }, clean), { fault: "is empty" });
  assert.deepEqual(storable({ ...memory, content: "x".repeat(1_100_000) }, clean), {
    fault: "is larger than 1,048,576 bytes",
  });
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const made = storable(
        { ...memory, title: text, content: text, background: text, tags: [text], files: [text] },
        clean,
      );
      if ("fault" in made) return;
      assert.ok(made.content.isWellFormed() && !/[\u0000-\u0008\u001b]/.test(made.content));
      assert.ok([made.title, ...made.tags, ...made.files].every((line) => line === null || !/[\r\n]/.test(line)));
    }),
  );
});

const summaries: [content: string, summary: string][] = [
  ["One sentence.\n\nAnd more.", "One sentence."],
  ["- Go\n- Postgres", "Go, Postgres"],
  ["To run one:\n\n```sh\nmake one\n```", "To run one: make one"],
  ["```\nsrc/\n  cart/\n```", "src/, cart/"],
  ["1. Write a test.\n2. Run it.", "Write a test, Run it"],
  ["| a | b |\n| - | - |\n| 1 | 2 |", "a | b, 1 | 2"],
];
for (const [content, summary] of summaries)
  test(`the summary of ${JSON.stringify(content)} is ${summary}`, () => {
    const made = storable({ ...memory, content }, clean);
    assert.equal("fault" in made ? made.fault : made.summary, summary);
  });
