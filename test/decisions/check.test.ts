/** Checking documents and changes against what holds, through the verb. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import check from "../../src/decisions/verbs/check.ts";
import type { Files } from "../../src/ports.ts";
import { temporaryFolder, testWorld } from "../test-world.ts";

async function checked(
  files: Record<string, string>,
  input: Record<string, string>,
  around = (reading: Files): Files => reading,
) {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const world = await testWorld({ folder });
  return (await dispatch(check, input, { ...world, files: around(world.files) })).answer;
}

const requirement = (text: string, section = "Requirements") => `## ${section}\n\n### Requirement: Tokens\n\n${text}\n`;

test("a change is held against the specification of the same name; a build machine notices", async () => {
  const files = {
    "cyberk-flow/specs/auth/spec.md": requirement("The server must always require tokens for users."),
    "cyberk-flow/changes/new/specs/auth/spec.md": requirement(
      "The server must never require tokens for users.",
      "ADDED Requirements",
    ),
    "cyberk-flow/changes/new/specs/other/spec.md": requirement("The server must never sleep.", "ADDED Requirements"),
  };
  const answer = await checked(files, { path: "cyberk-flow/changes/new" });
  assert.deepEqual([answer.level, answer.compared, answer.pairs.length], ["reject", 1, 1]);
  assert.deepEqual([check.isBad?.(answer), check.isBad?.({ ...answer, level: "warn" })], [true, false]);
  const { a, b, energy } = answer.pairs[0]!;
  assert.ok(energy >= 0.7 && /changes/.test(a.path) && /never/.test(a.text) && /always/.test(b.text));
});

test("two documents are compared by what they demand; equal ones do not contradict each other", async () => {
  const files = {
    "a.md": "# A\n\nClients must include the header in requests.\n",
    "b.md": "# B\n\nClients must exclude the header in requests.\n",
  };
  assert.equal((await checked(files, { path: "a.md", against: "b.md" })).level, "reject");
  assert.deepEqual((await checked(files, { path: "a.md", against: "a.md" })).pairs, []);
});

test("what cannot be compared is refused", async () => {
  const files = { "a.md": "# A\n", "empty/readme.txt": "x" };
  await assert.rejects(checked(files, { path: "a.md" }), { code: "invalid_input" });
  await assert.rejects(checked(files, { path: "gone.md" }), { code: "not_found" });
  await assert.rejects(checked(files, { path: "empty" }), { code: "not_found" });
});

test("others have their turn while much is compared, and what was not is said", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, job) => `- Job ${job} must run.`).join("\n");
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  count();
  const files = { "a.md": many(40), "b.md": many(1_003) };
  const answer = await checked(files, { path: "a.md", against: "b.md" }, (reading) => ({
    ...reading,
    async text(...about) {
      const text = await reading.text(...about);
      turns = 0;
      return text;
    },
  }));
  isOver = true;
  assert.ok(turns > 100, `${turns} turns`);
  assert.deepEqual([answer.level, answer.compared, answer.skipped], ["warn", 40_000, 3]);
  assert.match(check.render(answer), /3 requirements skipped/);
});
