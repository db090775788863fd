/** The program of all commands that have none of their own: bundling it takes as long as all the others. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bundleProgram } from "../../scripts/bundle.ts";
import { PROCESS_PROGRAMS } from "../../src/own-programs.ts";
import { catalog } from "../../src/operations/catalog.ts";

const CATALOG = readFileSync(new URL("../../src/operations/catalog.ts", import.meta.url), "utf8");
/** Where each verb is declared. */
const VERBS = [...CATALOG.matchAll(/import\("\.\/([\w/-]+\.ts)"\)/g)].map(([, path]) => `src/operations/${path}`);

test("the program of all other commands has every verb, for help and spelling", async () => {
  const modules = Object.keys((await bundleProgram()).metafile.inputs);
  assert.equal(VERBS.length, catalog.names.length);
  assert.deepEqual(
    VERBS.filter((module) => !modules.includes(module)),
    [],
  );
  for (const command of PROCESS_PROGRAMS) assert.ok(!modules.includes(`src/commands/${command}.ts`), command);
});

test("the program of the demo has every verb too, because it runs them, and no other command", async () => {
  const modules = Object.keys((await bundleProgram("demo")).metafile.inputs);
  assert.deepEqual(
    VERBS.filter((module) => !modules.includes(module)),
    [],
  );
  assert.ok(modules.includes("src/demo/page.ts") && !modules.includes("src/commands/init.ts"));
});
