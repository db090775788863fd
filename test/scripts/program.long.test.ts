/** The program of the build: a command loads nothing that only others use. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle.ts";

const SELDOM_USED = ["child_process", "crypto", "net", "stream", "tty", "zlib"].map((name) => `node:${name}`);

test("the command line loads no library and no built-in module that it seldom uses", async () => {
  const { text } = await bundle("program.ts");
  const required: string[] = [];
  const load = createRequire(import.meta.url);
  const dist = fileURLToPath(new URL("../../dist", import.meta.url));
  const recording = (name: string): unknown => (required.push(name), load(name));
  const module = { exports: {} as typeof import("../../src/program.ts") };
  new Function("exports", "require", "module", "__dirname", text)(module.exports, recording, module, dist);
  await module.exports.main(["--version"]);
  assert.ok(required.includes("node:fs"), required.join(" "));
  assert.deepEqual(
    required.filter((name) => !name.startsWith("node:") || SELDOM_USED.includes(name)),
    [],
  );
});
