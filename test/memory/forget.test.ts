/** Forgetting: an id archives, words only show candidates, twice is once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { forget } from "../../src/memory/forget.ts";
import { update } from "../../src/memory/update.ts";
import operation from "../../src/memory/verbs/forget.ts";
import { ask, itemIn, keep, testWorld } from "../test-world.ts";

test("an id is archived, in either store, and no longer recalled", async () => {
  const world = await testWorld();
  for (const scope of ["project", "global"] as const) {
    const { id } = await keep(world, `The ${scope} ferret bites`, { scope });
    assert.deepEqual(await forget(id, 5, world), {
      status: "forgotten",
      id,
      shelf: "memory",
      supersededBy: null,
      isOnRecord: true,
      summary: `The ${scope} ferret bites`,
    });
    assert.equal((await itemIn(world, id, { scope }))?.status, "archived");
    assert.deepEqual((await ask(world, "ferret")).hits, []);
  }
});

test("forgetting twice says that it is archived already and writes nothing more", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites");
  await forget(id, 5, world);
  const { version } = (await itemIn(world, id))!;
  const length = (await world.project.report()).journalLength;
  assert.deepEqual(await forget(id, 5, world), {
    status: "unchanged",
    id,
    shelf: "memory",
    supersededBy: null,
    isOnRecord: false,
    summary: "The ferret bites",
  });
  assert.equal((await itemIn(world, id))?.version, version);
  assert.equal((await world.project.report()).journalLength, length);
});

test("the second time it is told that nothing changed, in either scope and for a proposal", async () => {
  const world = await testWorld();
  const said = async (target: string, dryRun = false) => {
    const { answer } = await dispatch(operation, { target }, world, { dryRun });
    return [answer.status, operation.render(answer)];
  };
  const cases = [
    [{ scope: "project" }, "archived"],
    [{ scope: "working" }, "archived"],
    [{ type: "decision" }, "rejected"],
  ] as const;
  for (const [fields, state] of cases) {
    const { id } = await keep(world, `The ${state} ferret bites, ${JSON.stringify(fields)}`, fields);
    assert.equal((await said(id, true))[0], "forgotten");
    assert.equal((await said(id))[0], "forgotten");
    for (const dryRun of [false, true]) {
      const [status, text] = await said(id, dryRun);
      assert.equal(status, "unchanged");
      assert.match(text!, new RegExp(`is already ${state}\\.`));
    }
  }
});

test("words show what could be meant, change nothing and count as no reading", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites");
  await keep(world, "Quarterly numbers are due");
  const answer = await forget("that biting ferret", 5, world);
  assert.equal(answer.status, "candidates");
  assert.equal(answer.status === "candidates" && answer.candidates[0]?.id, id);
  await world.afterwards.settle();
  const item = await itemIn(world, id);
  assert.deepEqual([item?.status, item?.accessCount, item?.version], ["active", 0, 1]);
  assert.deepEqual(await forget("zeppelin", 5, world), { status: "nothing", candidates: [] });
});

test("a proposal that is forgotten is rejected", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Use Rust", { type: "decision" });
  await forget(id, 5, world);
  assert.equal((await itemIn(world, id, { shelf: "proposal" }))?.status, "rejected");
});

test("what is advised afterwards is possible", async () => {
  const world = await testWorld();
  const said = async (target: string) => operation.render((await dispatch(operation, { target }, world)).answer);
  const { id: old } = await keep(world, "Port 8080");
  const { id } = await keep(world, "Port 9090", { supersedes: old });
  const { id: proposal } = await keep(world, "Use Rust", { type: "decision" });
  const undo = / Undo with `stele rollback \w+`\.$/;
  for (const target of [old, proposal]) assert.match(await said(target), undo);
  for (const target of [old, proposal, old]) assert.doesNotMatch(await said(target), /--status/);
  assert.match(await said(id), undo);
  const [, handle] = /`stele update (\w+) --status active` brings it back/.exec(await said(id))!;
  assert.equal((await update(handle!, { status: "active" }, world)).status, "restored");
});

test("what was forgotten may be remembered again", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites");
  await forget(id, 5, world);
  const again = await keep(world, "The ferret bites");
  assert.equal(again.status, "stored");
  assert.notEqual(again.id, id);
});

test("an id that nobody has is not taken for words", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites 019bbef3", { ttlSeconds: 5 });
  await assert.rejects(forget("019bbef3-b000-7000-8000-000000000000", 5, world), { code: "not_found" });
  world.clock.time += 5_000;
  await assert.rejects(forget(id, 5, world), { code: "not_found" }, "nor one that has expired");
});
