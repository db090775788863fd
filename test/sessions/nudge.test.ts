/** One line that asks an agent to keep what was just settled: at the right prompt, once a session for each kind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import { type NudgeKind, NUDGES } from "../../src/sessions/picks.ts";
import { estimatedTokens } from "../../src/text/tokens.ts";
import type { TestWorld } from "../test-world.ts";
import { itemsOn, laterWorld, pathOf } from "./session-steps.ts";
import { claudeLines, codexLines, type Saying, writeTranscript } from "./transcript.ts";

const OFFER = "Which one shall it be?\n1. one row for each harbour\n2. one file for each year";
const before = (reply: string): Saying[] => [{ prompt: "Store the tide table." }, { reply }];

async function nudged(world: TestWorld, prompt: string, lines: readonly string[] | null, session = "s1") {
  const transcript = lines === null ? null : pathOf(world, session);
  if (transcript !== null) writeTranscript(transcript, lines!);
  const request = { report: `${session} ${prompt}`, session, prompt, transcript, mostTokens: 300, isLate: () => false };
  const text = await contextForPrompt(request, world);
  return (Object.keys(NUDGES) as NudgeKind[]).filter((kind) => text?.includes(NUDGES[kind]));
}

const cases: [prompt: string, reply: string, kinds: NudgeKind[], why: string][] = [
  ["2", OFFER, ["choice"], "an option is picked"],
  ["the tide table belongs beside the berths of each harbour", "Where does it belong?", ["choice"], "a plain answer"],
  ["no, never cache the tide table of a harbour", "I cached the table.", ["correction"], "a correction"],
  ["2", "I did both of them.", [], "nothing was asked"],
  ["continue with the next harbour and its berths", "Shall I continue?", [], "an order goes on with the work"],
  ["what do you mean by a row of a harbour?", OFFER, [], "a question in return"],
  ["no", "Shall I store it?", [], "a word alone"],
  ["```\nno, never cache the tide table\n```", "I cached the table.", [], "what was pasted corrects nothing"],
];
for (const [prompt, reply, kinds, why] of cases)
  for (const [host, linesOf] of Object.entries({ claude: claudeLines, codex: codexLines }))
    test(`${why}, by ${host}`, async () => {
      assert.deepEqual(await nudged(await laterWorld(), prompt, linesOf(before(reply), "s1")), kinds);
    });

test("the prompt may stand in the transcript already", async () => {
  const lines = claudeLines([...before(OFFER), { prompt: "2" }]);
  assert.deepEqual(await nudged(await laterWorld(), "2", lines), ["choice"]);
});

test("once a session for each kind", async () => {
  const world = await laterWorld();
  const [offer, done] = [claudeLines(before(OFFER)), claudeLines(before("Done."))];
  assert.deepEqual(await nudged(world, "2", offer), ["choice"]);
  assert.deepEqual(await nudged(world, "1", offer), []);
  assert.deepEqual(await nudged(world, "no, never cache the tide table", done), ["correction"]);
  assert.deepEqual(await nudged(world, "no, always cache the berths too", done), []);
  assert.deepEqual(await nudged(world, "2", offer, "s2"), ["choice"], "of another session");
});

test("also after a compaction, which lets the rest be handed over again", async () => {
  const world = await laterWorld();
  const offer = claudeLines(before(OFFER));
  assert.deepEqual(await nudged(world, "2", offer), ["choice"]);
  await world.project.apply([{ kind: "note_injected", session: "s1", keys: ["an item"], at: 1 }], world.origin);
  await contextAtStart({ report: "again", session: "s1", source: "compact", isLate: () => false }, world);
  assert.ok(!(await world.project.injectedIn("s1")).has("an item"));
  assert.deepEqual(await nudged(world, "1", offer), []);
});

test("a setting turns them off; a transcript that is missing or something else brings none", async () => {
  const world = await laterWorld();
  const context = { ...world.settings.context, nudges: "off" } as const;
  const off = { ...world, settings: { ...world.settings, context } };
  assert.deepEqual(await nudged(off, "2", claudeLines(before(OFFER))), []);
  assert.deepEqual(await nudged(world, "2", null), []);
  assert.deepEqual(await nudged(world, "2", ["# no transcript"]), []);
  assert.deepEqual(await nudged(world, "2", []), []);
});

test("it names a verb and has few tokens, and makes nothing by itself", async () => {
  const world = await laterWorld();
  assert.deepEqual(await nudged(world, "no, never cache the tide table", null), ["correction"]);
  for (const shelf of ["memory", "proposal"] as const) assert.deepEqual(await itemsOn(world, shelf), []);
  for (const kind of Object.keys(NUDGES) as NudgeKind[]) assert.ok(estimatedTokens(NUDGES[kind]) <= 40, kind);
  assert.match(NUDGES.choice, /`propose`/);
  assert.match(NUDGES.correction, /`remember`/);
});
