/** The runner of the tests: nothing that is left out, hangs, does not load or leaves something behind passes. */
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
  test("good", (context) => context.diagnostic("12 of 12 good"));
  test("left out", { skip: true }, () => undefined);
  test("put off", { todo: true }, () => undefined);
  test("hanging", () => new Promise((resolve) => setTimeout(resolve, 2_500)));
  test("wrong", () => { throw new Error("so it is"); });
  test("careless", () => void mkdtempSync(join(tmpdir(), "careless-")));
`;

const BROKEN = `
  import { test } from "node:test";
  test("declared", () => undefined);
  throw new Error("half of it");
`;

test("what is left out, hangs, fails, does not load or leaves something behind is named, and nothing of it passes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stele-runner-"));
  try {
    const file = join(folder, "some.test.ts");
    const broken = join(folder, "broken.test.ts");
    writeFileSync(file, TESTS);
    writeFileSync(broken, BROKEN);
    const { code, output, errors } = await runChild(RUNNER, ["--limit-ms", 2_000, file, broken]);
    assert.equal(code, 1, output);
    assert.match(output, /^12 of 12 good$/m);
    assert.match(output, /^FAILED: left out .*\n.*skip/m);
    assert.match(output, /^FAILED: put off .*\n.*todo/m);
    assert.match(output, /^FAILED: hanging .*\n.*2000ms/m);
    assert.match(output, /^FAILED: wrong .*\nError: so it is/m);
    assert.match(errors, /^FAILED: .*broken.test.ts threw while it was loaded\nError: half of it/m);
    assert.match(
      output,
      /^3 passed, 4 failed in [\d.]+ s\nFAILED: left behind in the temporary folder: careless-\w+$/m,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
