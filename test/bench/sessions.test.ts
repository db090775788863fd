/** The replay of sessions: how its measures count, and that a session taken out of memory leaves nothing. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { scoreOf, textsIn } from "../../bench/handover/score.ts";
import { transcriptOfChat } from "../../bench/handover/tasks.ts";
import { askAll } from "../../bench/sessions/ask.ts";
import { asColumns, byHalf, figuresOf, type Replayed } from "../../bench/sessions/figures.ts";
import { openMemory } from "../../bench/sessions/memory.ts";
import { halfOf, kinshipOf, relativesOf, type Row } from "../../bench/sessions/rows.ts";
import { createHashEmbedder } from "../../src/embed/embedders.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const ROW: Row = {
  session: "d",
  start: "2026-03-04T09:00:00Z",
  end: "2026-03-04T10:00:00Z",
  branch: "main",
  prompts: ["Where is the boat?"],
  files: ["a/boat.ts", "b/oar.ts"],
  related: {
    a: { files: 0.34, branch: false },
    b: { files: 0, branch: true },
    c: { files: 0.1, branch: false },
    e: { files: 0.09, branch: false },
  },
};

test("a session is related by files or branch, near by some files", () => {
  assert.deepEqual([...Object.keys(ROW.related), "x"].map((session) => kinshipOf(ROW, session)), ["related", "related", "near", "other", "other"]); // prettier-ignore
  assert.deepEqual(relativesOf(ROW, "related", "near"), ["a", "b", "c"]);
});

const handed = (text: string, ...sources: string[]) => ({ text, tokens: 10, sources });
const replayed: Replayed = {
  row: ROW,
  asked: { start: handed("Edited: a/boat.ts, x/b/oar.ts", "c"), prompts: [handed("…", "a", "x"), null] },
  apart: { start: handed("…", "x"), prompts: [null, null] },
};

test("figures count what prompts and starts are handed", () => {
  const figures = figuresOf([replayed], 300);
  assert.equal(figures["prompt: speaks"], 1);
  assert.equal(figures["prompt: items related"], 0.5);
  assert.equal(figures["prompt: false"], 0);
  assert.equal(figures["prompt: found"], 1);
  assert.equal(figures["start: files named, 300 tokens"], 0.5);
  assert.equal(figuresOf([replayed], 3)["start: files named, 3 tokens"], 0);
});

test("without anything to measure there is no figure", () => {
  assert.match(asColumns([["all", figuresOf([], 300)]]), /prompt: speaks +–/);
});

test("each row is in one half, and in all", () => {
  const keys = ["a", "b", "c", "d", "e", "f"];
  const [first, second, all] = byHalf(keys, (key) => key).map(([, some]) => some);
  assert.deepEqual([...first!, ...second!].sort(), keys);
  assert.deepEqual(all, keys);
  assert.ok(first!.every((key) => halfOf(key) === "chosen on"));
});

const SAID = [
  "How long do we keep logs?",
  "Settled then: we keep every log for at most forty days, then it is removed.",
];
const NOW = ["Logs again.", "From now on we keep every log for at most ninety days, then it goes."];
const TASK = { id: "t", prompt: "p", kind: "amended", sessions: ["s"], facts: ["forty", "sixty"] } as const;
const task = { ...TASK, sessions: ["s"], facts: [...TASK.facts] };

test("a fact counts if it stands in a text from where it was decided", () => {
  assert.equal(scoreOf(`- agent: ${SAID[1]}`, task, [SAID], 300).facts, 0.5);
  assert.equal(scoreOf("- agent: Somebody else said forty about something else entirely.", task, [SAID], 300).facts, 0);
  assert.equal(scoreOf(`- agent: ${SAID[1]}`, task, [SAID], 5).facts, 0);
  assert.deepEqual(scoreOf(null, task, [SAID], 300), { speaks: false, facts: 0, fresh: NaN, stale: false });
});

test("an older rule without the fresher one is stale", () => {
  const fresh = { ...task, fresh: ["ninety"] };
  assert.equal(scoreOf(`- agent: ${SAID[1]}`, fresh, [SAID, NOW], 300).stale, true);
  assert.equal(scoreOf(`- agent: ${SAID[1]}\n- agent: ${NOW[1]}`, fresh, [SAID, NOW], 300).stale, false);
});

test("a text is a line with what is indented below it", () => {
  assert.deepEqual(textsIn("one\n  and more\n- two\n"), ["one\n  and more", "- two"]);
});

test("a session that was taken out is handed to nobody", async () => {
  const memory = await openMemory(createHashEmbedder());
  after(() => memory.close());
  const text =
    "The harbour master closes the sluice at high water because the pumps cannot drain the lower basin then.";
  const turns = [
    { role: "user" as const, text: "Why does the sluice of the lower basin close at high water?" },
    { role: "assistant" as const, text },
  ];
  const chat = { session: "sluice", pool: "both" as const, start: "2026-03-02T09:00:00Z", turns };
  memory.at.time = Date.parse("2026-03-03T09:00:00Z");
  await memory.takeIn(transcriptOfChat(chat, memory.world.place.checkout, folder));
  const [whole, apart] = [await memory.without([]), await memory.without(["sluice"])];
  const asked = await askAll("next", [turns[0]!.text], 300, whole.world);
  assert.deepEqual(asked.start?.sources, ["sluice"]);
  assert.match(asked.start.text, /the pumps cannot drain/);
  assert.deepEqual(await askAll("next", [turns[0]!.text], 300, apart.world), { start: null, prompts: [null] });
  await whole.close();
  await apart.close();
  // Copies are apart from the memory itself.
  assert.deepEqual(await memory.world.project.handovers({ limit: 9 }), []);
});
