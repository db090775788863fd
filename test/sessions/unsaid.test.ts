/** What must not be kept of a session reaches nothing of it: secrets, private parts, and what was said during a pause. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { contextAfterFailure } from "../../src/briefing/inject-after-failure.ts";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import { digest } from "../../src/sessions/digest.ts";
import { extract } from "../../src/sessions/extract.ts";
import type { Spooled } from "../../src/sessions/session.ts";
import type { TestWorld } from "../test-world.ts";
import { laterWorld, leftBy, pathOf, START, taken, turnsOf } from "./session-steps.ts";
import { claudeLines, codexLines, type Saying, writeTranscript } from "./transcript.ts";

const TELLING = "The berth table must never be cached, because each harbour has a zone of its own in `berths.ts` now.";

/** A session in which a text stands wherever a text can stand. */
const saying = (text: string): Saying[] => [
  { prompt: `Why do the berths of ${text} fail?`, branch: `fix/${text}` },
  { reply: `I will look at the berths of ${text} first.`, branch: `fix/${text}` },
  { command: `berths --of ${text} check`, result: `src/${text}/berths.ts:3:1 - error: no harbour ${text} is there`, isError: true },
  { command: "npm test", result: `FAIL ${text}\nError: the test of ${text} failed`, isError: true },
  { reply: `${TELLING} It was ${text} that stood in the way. Which one is next?\n1. the key ${text}\n2. another`, branch: `fix/${text}` },
  { prompt: "1", minute: 20 },
  { command: "npm test", result: `12 passed with ${text}`, minute: 21 },
  { command: `git commit -m "Zone of ${text}"`, result: `[main 1a2b3c4] Zone of ${text}`, minute: 22 },
  { compaction: `Pending: the berths of ${text} are left.`, minute: 23 },
  { prompt: `can you look at this too?\n\`\`\`\nexport A=${text}\n\`\`\``, minute: 24 },
  { reply: `${TELLING.replace("berth", "quay")} The rest of ${text} is done.`, minute: 25, branch: "topic" },
]; // prettier-ignore

/** What the agent's program itself writes of the session. */
const titled = (lines: readonly string[], text: string): string[] => [
  ...lines,
  JSON.stringify({ type: "ai-title", sessionId: "s1", aiTitle: `Berths of ${text}` }),
];

const isLate = () => false;

/** All that is kept or handed over, with what is compressed, and every file but the transcript. */
async function everythingOf(world: TestWorld): Promise<string> {
  const start = await contextAtStart({ report: "r1", session: "n1", source: "startup", isLate }, world);
  const prompt = "why must the berth table never be cached, which harbour zone?";
  const asked = { report: "r2", session: "n2", prompt, transcript: null, mostTokens: 300, isLate };
  const told = await contextForPrompt(asked, world);
  const failure = { report: "r3", session: "n3", text: "error: no harbour is there", isLate };
  const after = await contextAfterFailure(failure, world);
  await world.afterwards.settle();
  const { project } = world;
  const kept = [
    await leftBy(world, "s1"),
    await turnsOf(world),
    await project.handovers({ limit: 99 }),
    await project.checkpoint(pathOf(world, "s1")),
    await project.events({ limit: 99 }),
  ];
  const files = readdirSync(world.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".jsonl"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  return [start, told, after, JSON.stringify(kept), ...files].join("\n");
}

const SECRET = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;
const HALVES = [SECRET, SECRET.slice(0, 20), SECRET.slice(-20)];

const TAKING: Record<string, (world: TestWorld, text: string) => Promise<unknown>> = {
  "a transcript of Claude Code": (world, text) =>
    taken(world, [], { lines: titled(claudeLines(saying(text)), text) }),
  "a transcript of Codex": (world, text) => taken(world, [], { lines: codexLines(saying(text), "s1") }),
  "a transcript that is read in steps": async (world, text) => {
    const lines = titled(claudeLines(saying(text)), text);
    for (const end of lines.keys()) {
      writeTranscript(pathOf(world, "s1"), lines.slice(0, end + 1));
      await extract({ path: pathOf(world, "s1"), isEnded: false }, world);
    }
    await extract({ path: pathOf(world, "s1"), isEnded: true }, world);
  },
  "reports of hooks": async (world, text) => {
    const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const reports = saying(text).flatMap(({ prompt, reply, command, result = "", isError }): Partial<Spooled>[] => [
      ...(prompt === undefined ? [] : [{ event: "prompt" as const, text: prompt }]),
      ...(command === undefined ? [] : [{ event: isError ? ("failure" as const) : ("tool" as const), tool: "shell", command, text: result }]),
      ...(reply === undefined ? [] : [{ event: "turn_end" as const, text: reply }]),
    ]); // prettier-ignore
    for (const [number, fields] of [...reports, { event: "session_end" as const }].entries()) {
      const id = String(number).padStart(32, "0");
      const report = { id, host: "gemini", session: "s1", turn: null, at: START + number * 1_000, cwd: "/project", ...fields };
      const rest = { transcript: null, tool: null, command: null, path: null, text: null, branch: `fix/${text}` };
      writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...rest, ...report }), { mode: 0o600 });
    }
    await digest(world);
  },
}; // prettier-ignore

for (const [how, take] of Object.entries(TAKING))
  describe(`of a session taken in from ${how}`, () => {
    test("a secret in any part reaches nothing", async () => {
      const world = await laterWorld({ branch: "topic" });
      await take(world, SECRET);
      const all = await everythingOf(world);
      assert.ok(all.includes("12 passed") && all.includes("must never be cached"), "the rest is kept");
      for (const half of HALVES) assert.ok(!all.includes(half), all.slice(all.indexOf(half) - 300, all.indexOf(half)));
      assert.equal((await world.project.sessionCards({ limit: 9 })).length, 1);
    });

    test("a word that is no secret is kept, so the test above can fail", async () => {
      const world = await laterWorld({ branch: "topic" });
      await take(world, "walrus");
      const all = await everythingOf(world);
      assert.ok(all.split("walrus").length > 12);
      const handed = await world.project.handovers({ limit: 9 });
      const events = new Set(handed.map(({ event }) => event));
      assert.ok(events.has("start"));
      // Only Claude Code says on which branch the session ended.
      assert.ok(events.has("prompt") || !how.includes("Claude"));
    });
  });

test("what is marked as private reaches nothing, in prompts, messages and what tools print", async () => {
  const world = await laterWorld();
  const hidden = "<private>the WALRUS <private>nested WALRUS</private> sleeps</private>";
  await taken(world, [
    { prompt: `Look at the berths. ${hidden}` },
    { command: `berths ${hidden}`, result: `error: no berth ${hidden}`, isError: true },
    { reply: `${TELLING} ${hidden}` },
    { prompt: "go on <private>never closed WALRUS" },
    { reply: "Done." },
  ]);
  const all = await everythingOf(world);
  assert.ok(all.includes("Look at the berths") && all.includes("must never be cached"));
  assert.ok(!all.includes("WALRUS"), all.slice(all.indexOf("WALRUS") - 200).slice(0, 400));
});

test("what was said during a pause reaches nothing, whenever it is read", async () => {
  const world = await laterWorld();
  await world.spool.pause(START + 10 * 60_000);
  await world.spool.resume(START + 30 * 60_000);
  const said: Saying[] = [
    { prompt: "Look at the berths.", minute: 0 },
    { reply: TELLING, minute: 1 },
    { prompt: "the WALRUS is secret", minute: 15 },
    { command: "walrus", result: "error: no WALRUS is there", isError: true, minute: 16 },
    { reply: `${TELLING} And the WALRUS must stay hidden.`, minute: 17 },
    { prompt: "go on", minute: 40 },
    { reply: "Done.", minute: 41 },
  ];
  await taken(world, said);
  for (const again of [false, true]) {
    if (again) {
      await world.project.apply([{ kind: "drop_checkpoints", transcripts: [pathOf(world, "s1")] }], world.origin);
      await taken(world, said);
    }
    const all = await everythingOf(world);
    assert.ok(all.includes("Look at the berths") && !all.includes("WALRUS"));
  }
});
