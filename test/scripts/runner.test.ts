/** The runner of the tests: nothing that is left out, hangs or leaves something behind passes. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { runChild } from "../child.ts";

const RUNNER = new URL("../../scripts/test.ts", import.meta.url);

const TESTS = `
  import { mkdtempSync } from "node:fs";
  import { tmpdir } from "node:os";
  import { join } from "node:path";
  import { test } from "node:test";
  test("good", () => undefined);
  test("left out", { skip: true }, () => undefined);
  test("put off", { todo: true }, () => undefined);
  test("hanging", () => new Promise((resolve) => setTimeout(resolve, 5_500)));
  test("wrong", () => { throw new Error("so it is"); });
  test("careless", () => void mkdtempSync(join(tmpdir(), "careless-")));
`;

test("what is left out, hangs, fails or leaves something behind is named, and nothing of it passes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stele-runner-"));
  try {
    const file = join(folder, "some.test.ts");
    writeFileSync(file, TESTS);
    const { code, output } = await runChild(RUNNER, ["--limit-ms", 5_000, file]);
    assert.equal(code, 1, output);
    assert.match(output, /^FAILED: left out .*\n.*skip/m);
    assert.match(output, /^FAILED: put off .*\n.*todo/m);
    assert.match(output, /^FAILED: hanging .*\n.*5000ms/m);
    assert.match(output, /^FAILED: wrong .*\nError: so it is/m);
    assert.match(
      output,
      /^2 passed, 4 failed in [\d.]+ s\nFAILED: left behind in the temporary folder: careless-\w+$/m,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
