/** The programs of the build: compiled code of each command is kept under a name of its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PROCESS_COMMANDS } from "../src/hosts/cli/commands.ts";
import { catalog } from "../src/operations/catalog.ts";
import { compiledName, programOf } from "../src/own-programs.ts";

/** Commands as they are typed, and what hooks run. */
const COMMANDS = [
  ...[...catalog.names, ...Object.keys(catalog.aliases), ...PROCESS_COMMANDS.map(({ name }) => name)],
  ...["hook session_start", "hook prompt", "", "--version"],
];

test("no two commands share a name, even if one program ran them all", () => {
  for (const named of [
    (command: string) => compiledName(programOf(command), command),
    compiledName.bind(null, "main.js"),
  ])
    assert.equal(new Set(COMMANDS.map(named)).size, COMMANDS.length);
});

test("a program shares no name with another one, and every name is that of a file", () => {
  assert.notEqual(compiledName("main.js", "recall"), compiledName("main-recall.js", "recall"));
  assert.match(compiledName("main.js", "../../etc/\u0000"), /^main\.js-\d+$/);
});
