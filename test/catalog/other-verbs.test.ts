import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../src/catalog/catalog.ts";
import { MEANT_VERBS, meantVerb } from "../../src/catalog/other-names.ts";
import { PROCESS_COMMANDS } from "../../src/cli/commands.ts";
import { kebab } from "../../src/cli/fields.ts";
import { nearest } from "../../src/errors.ts";

const commands: string[] = [...catalog.names.map(kebab), ...PROCESS_COMMANDS.map(({ name }) => name)];

const told: [word: string, hint: string | null][] = [
  ["note", "To keep something: `stele remember TEXT`."],
  ["save", "To keep something: `stele remember TEXT`."],
  ["find", "To find what is remembered: `stele recall QUESTION`."],
  ["DELETE", "To forget something: `stele forget HANDLE`."],
  ["undo", "To undo the last call: `stele rollback --last 1`."],
  ["code", "To find code: `stele search-code WORDS`."],
  ["install", "To connect a host: `stele init`."],
  ["xyzzy", null],
  ["", null],
];
for (const [word, hint] of told) test(`${word} is told ${hint}`, () => assert.equal(meantVerb(word), hint));

test("no word is told two things, or hides a command or an alias", () => {
  const words = MEANT_VERBS.flatMap(([list]) => list.split(" "));
  assert.equal(new Set(words).size, words.length);
  assert.deepEqual(
    words.filter((word) => commands.includes(word) || Object.hasOwn(catalog.aliases, word)),
    [],
  );
});

test("everything people are told to type exists", () => {
  const named = MEANT_VERBS.map(([, , command]) => command.split(" ")[0]!);
  assert.deepEqual(
    named.filter((name) => !commands.includes(name)),
    [],
  );
});

test("aliases name verbs, and none is a command itself", () => {
  for (const [alias, [verb]] of Object.entries(catalog.aliases)) {
    assert.ok(catalog.names.includes(verb), alias);
    assert.ok(!commands.includes(alias), alias);
  }
});

const slips: [word: string, meant: string | null][] = [
  ["edti", "edit"],
  ["recal", "recall"],
  ["serach", "search"],
  ["rmember", "remember"],
  ["forgett", "forget"],
  ["lst", "list"],
  ["node", null],
  ["note", null],
  ["nope", null],
  ["wat", null],
];
const known = [...commands, ...Object.keys(catalog.aliases)];
for (const [word, meant] of slips)
  test(`${word} is a slip for ${meant ?? "nothing"}`, () => assert.equal(nearest(word, known), meant));

test("a word with a sense of its own is no slip for a verb that looks alike", () => {
  assert.equal(nearest("edit", ["audit"]), null);
  assert.equal(nearest("note", ["code"]), null);
});
