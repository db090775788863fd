/** Ten wrong calls that an agent would make, through the official client to the shipped program: the answer helps. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { WRONG_CALLS, callWrongly, wrongCallsTable } from "../../bench/tokens/wrong-calls.ts";
import { STELE, environment } from "../mcp.ts";

const MOST_TOKENS = 80;

const folder = mkdtempSync(join(tmpdir(), "stele-wrong-calls-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The cells of a table, however it is padded. */
const cellsOf = (table: string): string[][] =>
  table
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^[|\s-]+$/.test(line))
    .map((line) => line.split("|").map((cell) => cell.trim()));

test("each gets few words that say what to do, as docs/hosts.md shows", async () => {
  const args = ["--liftoff-only", STELE, "mcp", "--project", folder];
  const answered = await callWrongly({ command: process.execPath, args, env: environment(join(folder, "home")) });
  assert.equal(answered.length, 10);
  for (const [at, { answer, tokens }] of answered.entries()) {
    const isCoerced = /^text for/.test(WRONG_CALLS[at]!.why);
    assert.match(answer, isCoerced ? /^(Remembered|Recalled)/ : /^(invalid_input|not_found): .*`|Write it like/);
    assert.ok(tokens <= MOST_TOKENS, `${tokens} tokens: ${answer}`);
  }
  const page = readFileSync(new URL("../../docs/hosts.md", import.meta.url), "utf8");
  const shown = page.slice(page.indexOf("| wrong"), page.indexOf("\n\n", page.indexOf("| wrong")));
  const hint =
    "docs/hosts.md is stale: paste `npm run -s bench:tokens -- --wrong-calls --hash`, then `npm run format`.";
  assert.deepEqual(cellsOf(shown), cellsOf(wrongCallsTable(answered)), hint);
});
