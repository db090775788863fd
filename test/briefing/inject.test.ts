/** What sessions are handed, on real stores: once each, again after a compaction, and never as if it had been read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

const FACT = "Payment webhooks fail with a signature mismatch if express.json() has consumed the raw body";
const PROMPT = "why do payment webhooks fail with a signature mismatch";
const OTHERS = ["The nightly export is written to a bucket in Dublin", "Login is limited to ten tries per account"];

async function filled(options: Parameters<typeof testWorld>[0] = {}): Promise<{ world: TestWorld; fact: string }> {
  const world = await testWorld(options);
  const { id } = await keep(world, FACT);
  for (const other of OTHERS) await keep(world, other);
  return { world, fact: id };
}

let reports = 0;
const started = async (world: TestWorld, source: string | null, session = "s", report = `${(reports += 1)}`) => {
  const text = await contextAtStart({ report, session, source, isLate: () => false }, world);
  await world.afterwards.settle();
  return text;
};
const prompted = (world: TestWorld, prompt = PROMPT, session = "s", report = `${(reports += 1)}`) =>
  contextForPrompt({ report, session, prompt, transcript: null, mostTokens: 300, isLate: () => false }, world);

test("a session gets the surface when it starts, and again once it is cleared, but not when it goes on", async () => {
  const { world } = await filled();
  for (const source of ["startup", "compact", "clear", null]) {
    const text = await started(world, source);
    assert.ok(
      [FACT, ...OTHERS].every((content) => text?.includes(content)),
      `${source}: ${text}`,
    );
  }
  for (const source of ["resume", "fork"]) assert.equal(await started(world, source), null, source);
  assert.ok(await started(world, "resume", "another"), "a session from before gets it when it goes on");
  assert.equal(await started(world, "fork", "a copy"), null, "a copy has what its original was given");
});

test("an empty memory leaves nothing to say", async () => {
  const world = await testWorld();
  assert.equal(await started(world, "startup"), null);
  assert.equal(await prompted(world), null);
});

for (const [name, options] of Object.entries({
  "by meaning": {},
  "by words alone": { embedder: createNoEmbedder() },
})) {
  test(`a prompt gets what is worth it, once: ${name}`, async () => {
    const { world, fact } = await filled(options);
    const text = (await prompted(world))!;
    assert.match(text, new RegExp(`^- \\[${handleOf(fact)}\\] fact, .*raw body`, "m"));
    assert.ok(!OTHERS.some((content) => text.includes(content)), text);
    assert.equal(await prompted(world), null, "not twice");
    assert.ok(await prompted(world, PROMPT, "another session"));
    assert.equal(await prompted(world, "ok, go on", "a third one"), null);
    assert.equal(await prompted(world, "how do we deploy the mobile app to the store?", "a third one"), null);
  });
}

test("what the surface had is not said again with a prompt, until the session is cleared", async () => {
  const { world } = await filled();
  await started(world, "startup");
  assert.equal(await prompted(world), null);
  await world.project.apply([{ kind: "clear_injected", session: "s" }], world.origin);
  assert.ok(await prompted(world));
});

test("a hook that two settings load answers once, though both run at the same time", async () => {
  const { world } = await filled();
  const other = { ...(await testWorld({ folder: world.folder })), place: world.place };
  const both = (answers: Promise<string | null>[]) =>
    Promise.all(answers).then((texts) => texts.map((text) => text !== null).sort());
  for (const source of ["startup", "compact"]) {
    const once = [world, other].map((one) => started(one, source, "twice", `the same ${source}`));
    assert.deepEqual(await both(once), [false, true], source);
  }
  assert.deepEqual(await both([world, other].map((one) => prompted(one, PROMPT, "t", "one prompt"))), [false, true]);
});

test("being handed over is not being read", async () => {
  const { world, fact } = await filled();
  const before = await world.project.items("memory", [fact]);
  await started(world, "startup");
  assert.ok(await prompted(world, PROMPT, "another"));
  await world.afterwards.settle();
  assert.deepEqual(await world.project.items("memory", [fact]), before);
});

test("a proposal waits for a person, and is not handed over with a prompt", async () => {
  const world = await testWorld();
  const item = newItem({ id: world.ids.next(), type: "decision", title: "Webhooks", content: FACT, status: "pending" });
  assert.equal((await world.project.apply([insertion("proposal", item)], world.origin)).status, "applied");
  assert.equal(await prompted(world), null);
});

test("the tokens of a prompt are never exceeded", async () => {
  const { world } = await filled();
  const request = { report: "r", session: "s", prompt: PROMPT, transcript: null, mostTokens: 50, isLate: () => false };
  assert.equal(await contextForPrompt(request, world), null);
});

test("what comes too late does not count as given", async () => {
  const { world } = await filled();
  const isLate = () => true;
  assert.equal(await contextAtStart({ report: "r", session: "s", source: "startup", isLate }, world), null);
  assert.equal(
    await contextForPrompt(
      { report: "p", session: "s", prompt: PROMPT, transcript: null, mostTokens: 300, isLate },
      world,
    ),
    null,
  );
  assert.ok(await prompted(world));
});

for (const [said, prompt] of [
  ["From now on deploy from the release branch, not from main.", "which branch do we deploy from?"],
  ["Always run the import tests with --runInBand, they share a database.", "Do the import tests share a database?"],
] as const)
  test(`a short question gets its only answer, by words alone: ${prompt}`, async () => {
    const { world } = await filled({ embedder: createNoEmbedder() });
    await keep(world, said);
    assert.ok((await prompted(world, prompt))?.includes(said));
    for (const empty of ["run the import tests", "how do I run the tests?", "why did the build fail?"])
      assert.equal(await prompted(world, empty, "another session"), null, empty);
  });
