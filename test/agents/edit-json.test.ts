/** Editing JSONC: adding and removing is the identity, byte for byte, and nothing else changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addJson,
  isFault,
  isObject,
  type Json,
  jsonValue,
  readJson,
  removeJson,
  replaceJson,
} from "../../src/agents/json-text.ts";
import { runs } from "../lane.ts";
import { jsonc } from "./random-jsonc.ts";

const SERVER = { command: "/usr/bin/node", args: ["/opt/stele/bin/stele.js", "mcp"] };
const HOOK = { hooks: [{ type: "command", command: "node" }] };

const valueOf = (text: string): Json => {
  const root = readJson(text);
  if (isFault(root)) throw new Error(`${root.fault}:\n${text}`);
  return jsonValue(root);
};

test("a document is read as the value it was written from", () => {
  fc.assert(
    fc.property(jsonc, ({ text, value }) => assert.deepEqual(valueOf(text), value)),
    { numRuns: runs(150) },
  );
});

const lists = fc.constantFrom<string[]>([], ["mcpServers"], ["hooks"], ["a"], ["a", "x"], ["hooks", "SessionStart"]);

/** Whether an entry can be added there: what exists is of the right kind. */
function fits(value: Json, path: readonly string[], isElement: boolean): boolean {
  let inner: Json | undefined = value;
  for (const key of path) {
    if (!isObject(inner)) return false;
    if (!Object.hasOwn(inner, key)) return true;
    inner = inner[key]!;
  }
  return isElement ? Array.isArray(inner) : isObject(inner);
}

function withEntry(value: Json, path: readonly string[], key: string | null, entry: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined) {
    if (key === null) return [...((value ?? []) as Json[]), entry];
    return { ...(value as object), [key]: entry };
  }
  const object = (value ?? {}) as { [key: string]: Json };
  const inner = Object.hasOwn(object, first) ? object[first]! : (null as Json);
  return { ...object, [first]: withEntry(inner, rest, key, entry) };
}

test("what is added is there, everything else is as before, and removing it restores every byte", () => {
  fc.assert(
    fc.property(jsonc, lists, fc.boolean(), ({ text, value }, path, isElement) => {
      fc.pre(fits(value, path, isElement));
      const key = isElement ? null : "stele";
      const entry = isElement ? HOOK : SERVER;
      const added = addJson(text, path, key, entry);
      assert.deepEqual(valueOf(added.text), withEntry(value, path, key, entry));
      const list = path.reduce<Json>((inner, name) => (inner as { [key: string]: Json })[name]!, valueOf(added.text));
      const last = isElement ? (list as Json[]).length - 1 : "stele";
      assert.equal(removeJson(added.text, [...path, last], added.traces), text);
    }),
    { numRuns: runs(400) },
  );
});

test("an entry that somebody moved to the front is removed alone", () => {
  fc.assert(
    fc.property(jsonc, ({ text, value }) => {
      const [first] = Object.keys(value);
      fc.pre(first !== undefined);
      const { [first!]: _, ...rest } = value;
      assert.deepEqual(valueOf(removeJson(text, [first!], [])), rest);
    }),
    { numRuns: runs(150) },
  );
});

const TABLE: [string, string, string][] = [
  ["an empty object", "{}", '{\n  "stele": 1\n}'],
  ["an empty object on two lines", "{\n}\n", '{\n  "stele": 1\n}\n'],
  ["tabs", '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"stele": 1\n}'],
  ["a comment behind the last entry", '{\n  "a": 1 // one\n}', '{\n  "a": 1, // one\n  "stele": 1\n}'],
  ["a trailing comma", '{\n  "a": 1, // one\n}', '{\n  "a": 1, // one\n  "stele": 1,\n}'],
  ["one line", '{"a":1}', '{"a":1,"stele":1}'],
  ["one line with a comment", '{ "a": 1 // one\n}', '{ "a": 1, // one\n  "stele": 1\n}'],
  ["Windows line ends", '{\r\n  "a": 1\r\n}', '{\r\n  "a": 1,\r\n  "stele": 1\r\n}'],
];
for (const [what, before, after] of TABLE)
  test(`an entry is added to ${what}`, () => {
    const added = addJson(before, [], "stele", 1);
    assert.equal(added.text, after);
    assert.equal(removeJson(after, ["stele"], added.traces), before);
  });

test("a value is replaced where it stands", () => {
  const text = '{ "a": [1, /* two */ 2], // x\n "b": "old" }';
  assert.equal(replaceJson(text, ["b"], "new"), '{ "a": [1, /* two */ 2], // x\n "b": "new" }');
  assert.equal(replaceJson(text, ["a", 1], 3), '{ "a": [1, /* two */ 3], // x\n "b": "old" }');
});

test("what is not JSON is refused with its line", () => {
  const bad = ["", "{", "nonsense", "{'a': 1}", "{a: 1}", '{"a" 1}', "[1 2]", "{} {}", "[,]", "/* no end", '{"a": 01}'];
  for (const text of [...bad, '{"a": "line\nbreak"}', "[".repeat(50_000)])
    assert.ok(isFault(readJson(text)), text.slice(0, 20));
  assert.deepEqual(readJson('{\n"a": 1,\nb\n}'), { fault: "line 3 is not JSON" });
});
