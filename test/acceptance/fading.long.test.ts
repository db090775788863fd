/** Who wrote a memory is known from where the program runs: a terminal, or the shell of an agent. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { catalog } from "../../src/catalog/catalog.ts";
import { runCli } from "../../src/cli/run.ts";
import { runChild } from "../child.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { environment, STELE } from "../mcp.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-fading-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const project = join(folder, "project");
mkdirSync(project);

const home = join(folder, "home");

/** The program in a process and an environment of its own. */
const stele = (args: readonly string[], env: Record<string, string> = {}) =>
  runChild(null, [STELE, ...args, "--project", project], { env: environment(home, env) });

/** The same commands in this process. */
async function run(...argv: string[]): Promise<{ code: number; output: string }> {
  const { io, out } = streams({ stdin: "" });
  const settings = { embedder: { provider: "hash" } } as const;
  const open = () => openWorld({ host: "cli", home, project, settings });
  return { code: await runCli(argv, { catalog, io, attended: true, open }), output: out() };
}

test("a person at a terminal is believed, an agent's shell is not", async () => {
  await stele(["remember", "Typed by a person"]);
  await stele(["remember", "Run by an agent"], { CLAUDECODE: "1" });
  await stele(["remember", "Claimed by an agent", "--source", "manual"], { CLAUDECODE: "1" });
  const path = join(folder, "export.jsonl");
  await run("export", path);
  const sources = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.includes("by a"))
    .map((line) => /"source":"(\w+)"/.exec(line)?.[1]);
  assert.deepEqual(sources, ["user_explicit", "ai_inferred", "manual"]);
});

test("maintenance, statistics and nonsense read well at a terminal", async () => {
  assert.match(
    (await run("maintain", "--dry-run")).output,
    /^Dry run: nothing was written\.\nWould link 3 memories\.\n/,
  );
  assert.match((await run("maintain")).output, /^Linked 3 memories\.\n/);
  assert.equal((await run("maintain")).output, "Nothing to do.\n");
  const { output } = await run("inspect");
  assert.match(output, /active memories by type\n {4}fact {2}\d {2}#{30}\n/);
  assert.match(output, /last maintained \d{4}-/);
  const { code } = await run("update", "abcd1234", "--status", "gone");
  assert.equal(code, 2);
});
