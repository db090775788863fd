/** Two memories merged on real stores: what is found afterwards, what is refused, and that a rollback is exact. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { rollback } from "../../src/journal/rollback.ts";
import { merge, type MergeRequest, type Merging, planMerging } from "../../src/maintenance/merge.ts";
import { erase, forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { promote } from "../../src/memory/move.ts";
import { exportItems } from "../../src/transfer/export.ts";
import type { World } from "../../src/world.ts";
import { decide, stage } from "../decisions/decision-steps.ts";
import { runs } from "../lane.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { EVERYTHING } from "../transfer/export-rounds.ts";

const during = (world: TestWorld, call: string): World => ({ ...world, origin: { ...world.origin, call, verb: "merge" } }); // prettier-ignore

/** With the consent of a person to exactly this. */
async function merging(world: World, first: string, second: string, content?: string): Promise<Merging> {
  const request: MergeRequest = { first, second, content };
  const { fingerprint } = await planMerging(request, world);
  return merge(request, { values: { merge: true }, about: fingerprint }, world);
}

let exports = 0;
async function exported(world: TestWorld): Promise<string[]> {
  const path = join(world.folder, `export-${(exports += 1)}.jsonl`);
  await exportItems({ ...EVERYTHING, path, journal: false }, world);
  return readFileSync(path, "utf8").split("\n").slice(1);
}

test("the merged memory is found instead of both, with both as history", async () => {
  const world = await testWorld();
  const old = await keep(world, "Deploys need VPN access");
  const one = await keep(world, "Deploys need the VPN", { supersedes: old.id, tags: ["ops"], priority: 3 });
  world.clock.time += 1_000;
  const context = { files: ["deploy.sh"], symbols: ["deploy"] };
  const two = await keep(world, "Deploys need the VPN and two approvals", { tags: ["deploy"], priority: 8, context, confidence: 0.4 }); // prettier-ignore
  world.clock.time += 1_000;
  const { item, kept } = await merging(during(world, "merge"), handleOf(one.id), handleOf(two.id));
  assert.deepEqual([kept.from, kept.because], [two.id, "says more"]);
  const stored = await itemIn(world, item.id);
  assert.deepEqual(stored, item);
  assert.deepEqual([item.priority, item.confidence, item.tags.toSorted()], [8, 1, ["deploy", "ops"]]);
  assert.deepEqual([item.context.files, item.context.symbols], [["deploy.sh"], ["deploy"]]);
  for (const { id } of [one, two]) {
    const original = await itemIn(world, id);
    assert.deepEqual([original?.status, original?.supersededBy], ["superseded", item.id]);
  }
  const { hits } = await ask(world, "what do deploys need");
  assert.deepEqual(hits.map(({ id }) => id), [item.id]); // prettier-ignore
  assert.deepEqual(hits[0]!.history.map(({ id }) => id).toSorted(), [old.id, one.id, two.id].toSorted(), "the chain is whole"); // prettier-ignore
  const edges = await world.project.edgesOf("memory", [item.id], { limit: 10 });
  assert.deepEqual(
    edges.map(({ source, relation, target }) => [source, relation, target]).toSorted(),
    [one, two].map(({ id }) => [item.id, "supersedes", id]).toSorted(),
  );
});

test("one call in the journal, undone as one", async () => {
  const world = await testWorld();
  const [one, two] = [await keep(world, "Ann reviews every release"), await keep(world, "Ann reviews releases")];
  world.clock.time += 1_000;
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const { item } = await merging(during(world, "merge"), one.id, two.id, `Ann reviews them with ${secret}`);
  const { records } = await world.project.journal({ calls: ["merge"] }, { limit: 9, offset: 0 });
  assert.equal(new Set(records.map(({ transaction }) => transaction)).size, 1);
  assert.ok(!JSON.stringify([item, records]).includes(secret), "what a person gives is cleaned too");
  const undone = await rollback({ call: "merge" }, during(world, "undo"));
  assert.deepEqual([undone.items.length, undone.edges], [3, 2]);
  for (const { id } of [one, two]) assert.equal((await itemIn(world, id))?.status, "active");
});

test("whoever changes one of them meanwhile is not overruled", async () => {
  const world = await testWorld();
  const [one, two] = [await keep(world, "Ann reviews every release"), await keep(world, "Ann reviews releases")];
  const request = { first: one.id, second: two.id };
  const about = (await planMerging(request, world)).fingerprint;
  const { version, updatedAt } = (await itemIn(world, two.id))!;
  await world.project.apply(
    [
      {
        kind: "revise_item",
        shelf: "memory",
        id: two.id,
        expectedVersion: version,
        expectedUpdatedAt: updatedAt,
        set: { tags: ["new"] },
        passages: null,
        embed: false,
      },
    ],
    world.origin,
  );
  const before = await exported(world);
  await assert.rejects(merge(request, { values: {}, about }, world), { code: "conflict", message: /meantime/ });
  await assert.rejects(merge(request, null, world), { code: "refused" });
  assert.deepEqual(await exported(world), before);
});

test("bad input is refused with a reason, and nothing is changed", async () => {
  const world = await testWorld();
  const one = (await keep(world, "Ann reviews every release")).id;
  const two = (await keep(world, "Ann reviews releases")).id;
  const three = (await keep(world, "Ann reviews each release")).id;
  const global = (await keep(world, "Ann reviews the releases", { scope: "global" })).id;
  const working = (await keep(world, "Ann reviews the release now", { scope: "working" })).id;
  const proposal = await stage(world, "Review releases");
  const decision = await decide(world, "Review every release");
  const archived = (await keep(world, "Ann reviewed it")).id;
  await forget(archived, 5, world);
  world.clock.time += 1_000;
  const merged = (await merging(world, one, two)).item.id;
  const before = await exported(world);
  const cases: [string, string, string | undefined, { code: string; message: RegExp }][] = [
    [one, two, undefined, { code: "conflict", message: new RegExp(`already replaced by ${handleOf(merged)}`) }],
    [two, one, undefined, { code: "conflict", message: /already replaced by/ }],
    [three, three, undefined, { code: "invalid_input", message: /with itself/ }],
    [three, handleOf(three), undefined, { code: "invalid_input", message: /with itself/ }],
    [three, one, undefined, { code: "conflict", message: /is superseded/ }],
    [three, archived, undefined, { code: "conflict", message: /is archived/ }],
    [three, global, undefined, { code: "invalid_input", message: /is global; only memories of one scope/ }],
    [three, working, undefined, { code: "invalid_input", message: /is working/ }],
    [three, decision, undefined, { code: "invalid_input", message: /only memories can be merged/ }],
    [proposal, three, undefined, { code: "invalid_input", message: /only memories can be merged/ }],
    [three, "nowhere0", undefined, { code: "not_found", message: /no memory nowhere0/ }],
  ];
  for (const [first, second, content, expected] of cases)
    await assert.rejects(merging(world, first, second, content), expected, `${first} ${second}`);
  const other = (await keep(world, "Something else entirely")).id;
  await assert.rejects(merging(world, three, merged, "Something else entirely"), {
    code: "conflict",
    message: new RegExp(`${handleOf(other)} already has this content`),
  });
  const isNew = (line: string) => line.includes(other);
  assert.deepEqual((await exported(world)).filter((line) => !isNew(line)), before.filter((line) => !isNew(line))); // prettier-ignore
});

test("a merged memory moves and is erased with both of its originals", async () => {
  const world = await testWorld();
  const [one, two] = [await keep(world, "Ann reviews every release"), await keep(world, "Ann reviews releases")];
  world.clock.time += 1_000;
  const { item } = await merging(world, one.id, two.id);
  const all = [item.id, one.id, two.id];
  world.clock.time += 1_000;
  await promote(item.id, "global", world);
  assert.deepEqual([(await world.project.items("memory", all)).length, (await world.global.items("memory", all)).length], [0, 3]); // prettier-ignore
  assert.equal((await world.global.edgesOf("memory", [item.id], { limit: 9 })).length, 2);
  await erase(item.id, 5, world);
  assert.deepEqual(await world.global.items("memory", all), []);
  assert.deepEqual(await world.global.walkEdges("memory", { after: null, limit: 9 }), []);
});

test("an interrupted move is completed before a merger", async () => {
  const world = await testWorld();
  const [one, two] = [await keep(world, "Ann reviews every release"), await keep(world, "Ann reviews releases")];
  const [whole] = await world.project.whole("memory", [one.id]);
  const { item, passages, embed } = whole!;
  await world.global.apply([{ kind: "insert_item", shelf: "memory", item, passages, embed }], world.origin);
  await assert.rejects(merging(world, one.id, two.id), { code: "conflict", message: /in both stores/ });
});

test("merged, then rolled back: everything is as it was", async () => {
  const words = ["deploy", "VPN", "approval", "cache", "release", "Ann"];
  const text = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 6 }).map((all) => all.join(" "));
  const memory = fc.record({
    content: text,
    scope: fc.constantFrom("project" as const, "global" as const),
    tags: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
    priority: fc.integer({ min: 1, max: 10 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(memory, { minLength: 3, maxLength: 6, selector: ({ content, scope }) => `${scope} ${content}` }),
      fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.option(text)), { minLength: 1, maxLength: 4 }),
      async (memories, pairs) => {
        const world = await testWorld();
        const ids: string[] = [];
        for (const set of memories) ids.push((await keep(world, set.content, set)).id);
        const states = [await exported(world)];
        const calls: string[] = [];
        for (const [index, [first, second, content]] of pairs.entries()) {
          world.clock.time += 1_000;
          const done = await merging(during(world, `merge ${index}`), ids[first % ids.length]!, ids[second % ids.length]!, content ?? undefined).catch(() => null); // prettier-ignore
          if (!done) {
            assert.deepEqual(await exported(world), states.at(-1), "a refusal changes nothing");
            continue;
          }
          ids.push(done.item.id);
          calls.push(`merge ${index}`);
          states.push(await exported(world));
        }
        for (const call of calls.toReversed()) {
          states.pop();
          world.clock.time += 1_000;
          await rollback({ call }, during(world, `undo ${call}`));
          assert.deepEqual(await exported(world), states.at(-1));
          const again = await rollback({ call }, during(world, `undo ${call} again`));
          assert.deepEqual(
            [again.status, again.call],
            ["unchanged", null],
            "what was rolled back is not rolled back twice",
          );
        }
      },
    ),
    { numRuns: runs(5) },
  );
});
