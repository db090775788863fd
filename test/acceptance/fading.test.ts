/** Who wrote a memory is known from where the program runs: a terminal, or the shell of an agent. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runChild } from "../child.ts";
import { STELE, environment } from "../mcp.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-fading-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
mkdirSync(project);

async function stele(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const all = [STELE, ...args, "--project", project];
  return runChild(null, all, { env: environment(join(folder, "home"), env) });
}

test("a person at a terminal is believed, an agent's shell is not", async () => {
  await stele(["remember", "Typed by a person"]);
  await stele(["remember", "Run by an agent"], { CLAUDECODE: "1" });
  await stele(["remember", "Claimed by an agent", "--source", "manual"], { CLAUDECODE: "1" });
  const path = join(folder, "export.jsonl");
  await stele(["export", path]);
  const sources = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes("by a"))
    .map((line) => /"source":"(\w+)"/.exec(line)?.[1]);
  assert.deepEqual(sources, ["user_explicit", "ai_inferred", "manual"]);
});

test("maintenance, statistics and nonsense read well at a terminal", async () => {
  assert.match(
    (await stele(["maintain", "--dry-run"])).output,
    /^Dry run: nothing was written\.\nWould link 3 memories\.\n/,
  );
  assert.match((await stele(["maintain"])).output, /^Linked 3 memories\.\n/);
  assert.equal((await stele(["maintain"])).output, "Nothing to do.\n");
  const { output } = await stele(["inspect"]);
  assert.match(output, /active memories by type\n {4}fact {2}\d {2}#{30}\n/);
  assert.match(output, /last maintained \d{4}-/);
  const { code } = await stele(["update", "abcd1234", "--status", "gone"]);
  assert.equal(code, 2);
});
