/** An erased memory leaves nothing in what was captured of its session, wherever the memory itself was kept. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { surface } from "../../src/briefing/surface.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { Reply } from "../../src/catalog/question.ts";
import { erase } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import type { Item } from "../../src/memory/item.ts";
import { getItem } from "../../src/memory/list.ts";
import forget from "../../src/memory/verbs/forget.ts";
import { extract } from "../../src/sessions/extract.ts";
import observe from "../../src/sessions/verbs/observe.ts";
import { decide } from "../decisions/decision-steps.ts";
import { freshStore } from "../store/fresh-store.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";
import { CAUSE, OPEN, sayingModel } from "./saying-model.ts";
import { claudeLines, FIXED_LOGIN, writeTranscript } from "./transcript.ts";

function filesWith(text: string, folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return paths.filter((path) => readFileSync(path, "latin1").includes(text));
}

test("a global memory takes along what the project captured of its session", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Prefers walruses", { scope: "global" });
  const prompt = { id: "p", kind: "prompt", session: "session", turn: null, at: 1 } as const;
  const event = { ...prompt, payload: { text: "I do like walruses better" } };
  await world.project.apply([{ kind: "note_event", event }], world.origin);
  await erase(id, 5, world);
  assert.equal(await world.project.eventCount({}), 0);
  assert.deepEqual(filesWith("walruses", world.folder), []);
});

test("what hooks reported of its session goes too, before anybody digests it", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Prefers walruses");
  const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const report = (name: string, session: string) => {
    const said = { event: "prompt", host: "kimi", session, turn: null, at: 1, cwd: "/", text: "walruses again" };
    const all = { ...said, id: name, transcript: null, tool: null, command: null, path: null };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(all), { mode: 0o600 });
  };
  report("a".repeat(32), "session");
  report("b".repeat(32), "another");
  await erase(id, 5, world);
  assert.deepEqual(await world.spool.list(9), [`${"b".repeat(32)}.json`]);
});

test("records in backups go too", async () => {
  const world = await testWorld();
  const { ids } = (await dispatch(observe, { event: "error_occurred", content: "EWALRUS" }, world)).answer;
  await world.backups.take("asked");
  assert.ok(filesWith("EWALRUS", join(world.folder, "backups")).length > 0);
  await erase(ids[0]!, 5, world);
  assert.deepEqual(filesWith("EWALRUS", world.folder), []);
});

test("the surfaces that this and other projects keep go too, and their backups", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Prefers walruses", { scope: "global" });
  const path = join(world.folder, "spaces", "other.db");
  const project = await freshStore({ path, kind: "project", clock: world.clock });
  for (const place of [{ ...world, project }, world]) {
    assert.match((await surface(place)).text, /walruses/);
    await world.afterwards.settle();
  }
  await project.close();
  await world.backups.take("asked");
  assert.deepEqual(filesWith("walruses", world.folder).includes(path), true);
  await erase(id, 5, world);
  assert.deepEqual(filesWith("walruses", world.folder), []);
});

const CORRECTION = "freeze the clock globally";
const CORRECTED = { ...CAUSE, content: "Inject a Clock; do not freeze the clock globally." };

/** A world that has taken in a session, and the memory that a model made of what its person corrected. */
async function withCaptured(): Promise<{ world: TestWorld; path: string; memory: Item; evidence: string[] }> {
  const world = await testWorld({ llm: sayingModel(CORRECTED, OPEN) });
  const path = join(world.folder, "project", "s1.jsonl");
  writeTranscript(path, claudeLines(FIXED_LOGIN));
  const { memories } = await extract({ path, isEnded: true }, world);
  const items = await world.project.items("memory", memories);
  const memory = items.find(({ content }) => content.includes(CORRECTION))!;
  return { world, path, memory, evidence: memory.details["evidence"] as string[] };
}

const storedWith = (text: string, { folder }: TestWorld): string[] =>
  filesWith(text, folder).filter((path) => !path.endsWith(".jsonl"));

test("the evidence of a captured memory goes with it, from backups too, and the transcript does not bring it back", async () => {
  const { world, path, memory, evidence } = await withCaptured();
  await world.backups.take("asked");
  assert.ok(storedWith(CORRECTION, world).length > 1);
  const { answer } = await dispatch(forget, { target: memory.id, purge: true }, world);
  assert.deepEqual([answer.status, answer.evidence, answer.evidenceKept, answer.traces], ["erased", evidence, [], []]);
  assert.ok(answer.evidenceShared! > 0, "the session taught more than one thing");
  assert.deepEqual(storedWith(CORRECTION, world), []);
  const again = await extract({ path, isEnded: true }, world);
  assert.deepEqual([again.memories, again.evidence, again.error], [[], 0, null]);
  assert.deepEqual(storedWith(CORRECTION, world), []);
  assert.match(
    forget.render(answer),
    new RegExp(`Erased with it: the .* of evidence it was taken from .*${handleOf(evidence[0]!)}`),
  );
});

test("the question says which evidence would go, and how many others stay without it", async () => {
  const { world, memory, evidence } = await withCaptured();
  const asked: string[] = [];
  const ask = async ({ message }: { message: string }): Promise<Reply> => {
    asked.push(message.replace(/\s+/g, " "));
    return { action: "decline" };
  };
  const shell = { ...world, origin: { ...world.origin, host: "cli" } };
  await assert.rejects(dispatch(forget, { target: memory.id, purge: true }, shell, { ask }), { code: "refused" });
  const pieces = evidence.length === 1 ? "piece" : `${evidence.length} pieces`;
  const said = `This also erases the ${pieces} of evidence it was taken from (${evidence.map(handleOf).join(", ")}).`;
  assert.ok(asked[0]!.includes(said), asked[0]);
  assert.match(asked[0]!, /\d+ other items? points? to the same evidence and stays? without it\./);
  assert.equal((await world.project.items("evidence", evidence)).length, evidence.length, "nothing was erased");
});

test("evidence that a decision rests on stays, and the answer says how to erase it", async () => {
  const { world, memory, evidence } = await withCaptured();
  await decide(world, "Clocks are injected", { evidence: [evidence[0]!] });
  const { answer } = await dispatch(forget, { target: memory.id, purge: true }, world);
  assert.deepEqual([answer.evidenceKept, answer.evidence], [[evidence[0]], evidence.slice(1)]);
  assert.equal((await world.project.items("evidence", [evidence[0]!])).length, 1);
  assert.match(forget.render(answer), new RegExp(`stele forget ${handleOf(evidence[0]!)} --purge`));
});

test("of a capture that was rolled back, the backups lose the evidence too", async () => {
  const { world, memory, evidence } = await withCaptured();
  await world.backups.take("asked");
  for (const [shelf, ids] of [
    ["memory", [memory.id]],
    ["evidence", evidence],
  ] as const)
    for (const { id, version } of await world.project.items(shelf, ids))
      await world.project.apply([{ kind: "remove_item", shelf, id, expectedVersion: version }], world.origin);
  const { answer } = await dispatch(forget, { target: memory.id, purge: true }, world);
  assert.deepEqual([answer.evidence, answer.traces], [evidence, []]);
  assert.deepEqual(storedWith(CORRECTION, world), []);
});

test("a backup that could not be cleaned at once loses the evidence when the call is repeated", async () => {
  const { world, memory } = await withCaptured();
  await world.backups.take("asked");
  const backups = { ...world.backups, erase: () => Promise.reject(new Error("full")) };
  const first = await dispatch(forget, { target: memory.id, purge: true }, { ...world, backups });
  assert.equal(first.answer.traces?.length, 1);
  assert.ok(storedWith(CORRECTION, world).length > 0);
  const again = await dispatch(forget, { target: memory.id, purge: true }, world);
  assert.deepEqual([again.answer.status, again.answer.traces], ["erased", []]);
  assert.deepEqual(storedWith(CORRECTION, world), []);
});

test("a memory that was taken from the same evidence no longer names it", async () => {
  const { world, memory, evidence } = await withCaptured();
  const { items } = await world.project.list("memory", { statuses: ["active"], now: 0 }, { limit: 9, offset: 0 });
  const { id } = items.find((item) => item.id !== memory.id)!;
  assert.deepEqual((await getItem({ id }, world)).memory.evidence, evidence);
  await dispatch(forget, { target: memory.id, purge: true }, world);
  assert.deepEqual((await getItem({ id }, world)).memory.evidence, []);
});
