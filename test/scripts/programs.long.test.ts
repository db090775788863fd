/** The programs of the build: each reads the code of its own command, however many others there are. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bundleProgram } from "../../scripts/bundle.ts";
import { OWN_PROGRAMS, programOf } from "../../src/own-programs.ts";
import { PROCESS_COMMANDS } from "../../src/hosts/cli/commands.ts";
import { catalog } from "../../src/operations/catalog.ts";

const CATALOG = readFileSync(new URL("../../src/operations/catalog.ts", import.meta.url), "utf8");
/** Where each verb is declared. */
const VERBS = [...CATALOG.matchAll(/import\("\.\/([\w/-]+\.ts)"\)/g)].map(([, path]) => `src/operations/${path}`);
/** Far less than all verbs take together. */
const MOST_BYTES = 1_050_000;

async function partsOf(command: string) {
  const { metafile, text } = await bundleProgram(command);
  return { bytes: text.length, modules: Object.keys(metafile.inputs) };
}

test("remembering reads no other verb, and nothing of a process command", async () => {
  const { bytes, modules } = await partsOf("remember");
  assert.deepEqual(
    modules.filter((module) => VERBS.includes(module)),
    ["src/operations/memory/remember.ts"],
  );
  assert.deepEqual(
    modules.filter((module) => /^src\/(?:commands|demo|hook)/.test(module)),
    ["src/commands/verb.ts"],
  );
  assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
});

test("remembering loads no built-in module that it seldom uses", async () => {
  const { text } = await bundleProgram("remember");
  const atOnce = [...text.matchAll(/=\s*require\("(node:[\w/]+)"\)/g)].map(([, name]) => name);
  const slow = ["child_process", "crypto", "net", "stream", "tty", "zlib"].map((name) => `node:${name}`);
  assert.ok(atOnce.includes("node:fs"));
  assert.deepEqual(
    slow.filter((name) => atOnce.includes(name)),
    [],
  );
});

test("a process command reads only the verb that it runs itself", async () => {
  const { modules } = await partsOf("init");
  assert.deepEqual(
    modules.filter((module) => VERBS.includes(module)),
    ["src/operations/capture/extract.ts"],
  );
  assert.ok(modules.includes("src/commands/init.ts") && !modules.includes("src/commands/doctor.ts"));
});

test("programs are only for commands that exist", () => {
  const names: readonly string[] = [...catalog.names, ...PROCESS_COMMANDS.map(({ name }) => name)];
  assert.deepEqual(
    OWN_PROGRAMS.filter((command) => !names.includes(command)),
    [],
  );
  assert.deepEqual(["remember", "init", "mcp", "update", "help", "", "__proto__"].map(programOf), [
    "main-remember.js",
    "main-init.js",
    "mcp.js",
    ...Array<string>(4).fill("main.js"),
  ]);
});
