/** A dry run of a capture says what would be captured. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { Failure } from "../../src/errors.ts";
import extract from "../../src/sessions/verbs/extract.ts";
import { testWorld } from "../test-world.ts";
import { claudeLines, FIXED_LOGIN, writeTranscript } from "./transcript.ts";

const dryRun = async (sayings: Parameters<typeof claudeLines>[0]) => {
  const world = await testWorld();
  // After everything that is said.
  world.clock.time += 10 * 86_400_000;
  const path = join(world.folder, "s1.jsonl");
  writeTranscript(path, claudeLines(sayings));
  const { answer, changes } = await dispatch(extract, { path, end: true }, world, { dryRun: true });
  return { answer, lines: extract.renderDryRun!(answer, changes)!.split("\n") };
};

/** Each option has a question of its own. */
const picks = (count: number) =>
  Array.from({ length: count }, (_, number) => [
    { reply: `Where shall part ${number} go?\n1. into folder ${number}a\n2. into folder ${number}b`, minute: number },
    { prompt: "2", minute: number },
  ]).flat();

test("each proposal with its type, and no evidence", async () => {
  const { answer, lines } = await dryRun(picks(2));
  assert.deepEqual([answer.proposals.length, answer.evidence], [2, 3]);
  assert.equal(lines.length, 1 + answer.proposals.length);
  assert.ok(
    lines.some((line) => /^ {2}decision, proposed {2}Where shall part 1 go\?: into folder 1b$/.test(line)),
    lines.join("\n"),
  );
});

test("of many only the newest, and how many more there are", async () => {
  const { answer, lines } = await dryRun(picks(24));
  assert.equal(answer.proposals.length, 24);
  assert.equal(lines.length, 22);
  assert.equal(lines.at(-1), "  and 4 more; `--json` has all");
  assert.match(lines[1]!, /folder 23b/);
});

test("a transcript of another folder is said to belong there, whether it is read or left out", async () => {
  const world = await testWorld();
  world.clock.time += 10 * 86_400_000;
  const lines = claudeLines(FIXED_LOGIN, "s1", "/elsewhere/shop");
  const named = join(world.folder, "s1.jsonl");
  writeTranscript(named, lines);
  const { answer } = await dispatch(extract, { path: named, end: true }, world);
  assert.deepEqual(answer.strays, [{ transcript: named, folder: "/elsewhere/shop" }]);
  assert.ok(answer.evidence > 0);
  assert.ok(extract.render(answer).endsWith(`${named} belongs to /elsewhere/shop; it was read because you named it.`));
  const beside = join(world.folder, "claude", "projects", "-project", "s2.jsonl");
  writeTranscript(beside, lines);
  const history = (await dispatch(extract, { history: true }, world)).answer;
  assert.deepEqual([history.sessions, history.strays], [0, [{ transcript: beside, folder: "/elsewhere/shop" }]]);
  assert.ok(extract.render(history).endsWith(`${beside} belongs to /elsewhere/shop; it was left out.`));
  writeTranscript(named, claudeLines(FIXED_LOGIN, "s3"));
  assert.deepEqual((await dispatch(extract, { path: named, end: true }, world)).answer.strays, []);
});

test("where the store takes nothing, a transcript and a history fail as what is unavailable", async () => {
  const world = await testWorld();
  world.clock.time += 10 * 86_400_000;
  const path = join(world.folder, "claude", "projects", "-project", "s1.jsonl");
  writeTranscript(path, claudeLines(FIXED_LOGIN));
  const full = new Failure("unavailable", "The disk is full; nothing was written.", "Free some space.");
  const project = { ...world.project, apply: () => Promise.reject(full) };
  for (const asked of [{ path, end: true }, { history: true }])
    await assert.rejects(dispatch(extract, asked, { ...world, project }), full);
  assert.ok((await dispatch(extract, { history: true }, world)).answer.evidence > 0);
});
