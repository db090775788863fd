/** Who wrote a memory is known from where the program runs: a terminal, or the shell of an agent. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
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

async function sourceOf(content: string, env: Record<string, string>, ...more: string[]): Promise<string> {
  const { id } = JSON.parse((await stele(["remember", content, "--json", ...more], env)).output) as { id: string };
  const { output } = await stele(["get", id, "--json"]);
  return (JSON.parse(output) as { source: string }).source;
}

test("a person at a terminal is believed, an agent's shell is not", async () => {
  assert.equal(await sourceOf("Typed by a person", {}), "user_explicit");
  assert.equal(await sourceOf("Run by an agent", { CLAUDECODE: "1" }), "ai_inferred");
  assert.equal(await sourceOf("Claimed by an agent", { CLAUDECODE: "1" }, "--source", "manual"), "manual");
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
