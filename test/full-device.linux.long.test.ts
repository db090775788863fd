/** Output to a full device: one sentence, and the exit code of what is unavailable. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runStill } from "./child.ts";

const BIN = fileURLToPath(new URL("../bin/stele.js", import.meta.url));

for (const word of ["--help", "--version", "completion bash"])
  test(`stele ${word}, where nothing can be written`, () => {
    const command = `"$0" "$1" ${word} > /dev/full`;
    const { code, errors } = runStill("/bin/sh", ["-c", command, process.execPath, BIN]);
    assert.equal(code, 5);
    assert.match(errors, /^stele: [^\n]*ENOSPC[^\n]*\n/);
    assert.doesNotMatch(errors, /\n\s+at /);
  });
