/** Moves that meet other changes, or a crash: nothing is lost, and nothing that was closed stays in force. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as immediate } from "node:timers/promises";
import fc from "fast-check";
import { rollback } from "../../src/journal/rollback.ts";
import { erase, forget } from "../../src/memory/forget.ts";
import type { LastingScope } from "../../src/memory/item.ts";
import { promote } from "../../src/memory/move.ts";
import { update } from "../../src/memory/update.ts";
import type { Store } from "../../src/store/store.ts";
import { runs } from "../lane.ts";
import { ask, itemIn, keep, neighbourOf, type TestWorld, testWorld } from "../test-world.ts";

/** A write that takes this many turns fails. */
const CRASH = 8;

/** A store whose reads and writes take as many turns as given. */
function slowed(store: Store, pauses: Iterator<number>): Store {
  const pause = async (): Promise<number> => {
    const turns = pauses.next().value as number;
    for (let left = turns; left > 0; left -= 1) await immediate();
    return turns;
  };
  return {
    ...store,
    async items(...args) {
      await pause();
      const items = await store.items(...args);
      await pause();
      return items;
    },
    async apply(...args) {
      if ((await pause()) === CRASH) throw new Error("interrupted");
      return store.apply(...args);
    },
  };
}

test("whatever moves and edits meet, and wherever they are interrupted, the memory is there", async () => {
  const world = await testWorld();
  const act = fc.constantFrom("project", "global", "edit");
  const acts = fc.array(fc.tuple(act, fc.infiniteStream(fc.nat(CRASH))), { minLength: 2, maxLength: 5 });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("project", "global"), acts, async (scope, all) => {
      round += 1;
      const { id } = await keep(world, `The lynx was seen ${round} times`, { scope });
      const run = async ([what, pauses]: (typeof all)[number]): Promise<void> => {
        const own = { ...world, project: slowed(world.project, pauses), global: slowed(world.global, pauses) };
        await (what === "edit" ? update(id, { priority: 9 }, own) : promote(id, what, own));
      };
      await Promise.allSettled(all.map(run));
      assert.ok((await statuses(world, id)).includes("active"));
    }),
    { numRuns: runs(10) },
  );
});

/** Something happens right before the first write to the store. */
function interrupted(store: Store, act: () => Promise<unknown>): Store {
  let isDone = false;
  return {
    ...store,
    async apply(...args) {
      if (!isDone) {
        isDone = true;
        await act();
      }
      return store.apply(...args);
    },
  };
}

const crashing = (store: Store): Store =>
  interrupted(store, async () => {
    throw new Error("interrupted");
  });

async function statuses(world: TestWorld, id: string): Promise<(string | undefined)[]> {
  return [(await itemIn(world, id))?.status, (await itemIn(world, id, { scope: "global" }))?.status];
}

const found = async (world: TestWorld, query = "lynx") =>
  (await ask(world, query, { mode: "keyword" })).hits.map(({ content, scope }) => [content, scope]);

const OTHER = { project: "global", global: "project" } as const;

for (const target of ["global", "project"] as const)
  for (const isLater of [false, true])
    test(`two opposite moves, to ${target} first and the second ${isLater ? "later" : "at the same time"}, leave one copy`, async () => {
      const world = await testWorld();
      const source: LastingScope = OTHER[target];
      const { id } = await keep(world, "The lynx is shy", { scope: source });
      if (isLater) world.clock.time += 1_000;
      const first = Promise.withResolvers<void>();
      const atRemoval = Promise.withResolvers<void>();
      let second: Promise<unknown> = Promise.resolve();
      const secondWorld = {
        ...world,
        [target]: interrupted(world[target], async () => {
          atRemoval.resolve();
          await first.promise;
        }),
      };
      const firstWorld = {
        ...world,
        [source]: interrupted(world[source], async () => {
          second = promote(id, source, secondWorld);
          await Promise.race([atRemoval.promise, second]);
        }),
      };
      await promote(id, target, firstWorld);
      first.resolve();
      await second;
      const left = (await statuses(world, id)).filter((status) => status !== undefined);
      assert.deepEqual(left, ["active"]);
      assert.equal((await found(world)).length, 1);
    });

test("two moves in the same direction leave one copy in the target", async () => {
  for (const isOlder of [false, true]) {
    const world = await testWorld();
    const { id } = await keep(world, "The lynx is shy");
    // Either the other one finishes after this one has copied, or this one finds its copy.
    const name = isOlder ? "global" : "project";
    const other = interrupted(world[name], () => promote(id, "global", world));
    await promote(id, "global", { ...world, [name]: other });
    assert.deepEqual(await statuses(world, id), [undefined, "active"]);
  }
});

test("superseded while it moves, it is refused, and its old wording is in force nowhere", async () => {
  const world = await testWorld();
  const there = await neighbourOf(world);
  const { id: first } = await keep(world, "The lynx listens on port 80");
  const { id } = await keep(world, "The lynx listens on port 81", { supersedes: first });
  const project = interrupted(world.project, () => keep(world, "The lynx listens on port 82", { supersedes: id }));
  await assert.rejects(promote(id, "global", { ...world, project }), { code: "conflict", hint: /replaced it/ });
  assert.deepEqual(await found(world), [["The lynx listens on port 82", "project"]]);
  assert.deepEqual(await found(there), []);
  assert.deepEqual(await statuses(world, id), ["superseded", undefined]);
  assert.deepEqual(await statuses(world, first), ["superseded", undefined]);
});

/** A search by another process that began before the copy was written. */
const blind = (world: TestWorld): TestWorld => ({ ...world, global: { ...world.global, items: async () => [] } });

test("forgotten while it moves, it is refused, and stays forgotten", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy");
  const project = interrupted(world.project, () => forget(id, 5, blind(world)));
  await assert.rejects(promote(id, "global", { ...world, project }), { code: "conflict" });
  assert.deepEqual(await statuses(world, id), ["archived", undefined]);
  assert.deepEqual(await found(world), []);
});

test("replaced while its replacement moves, that replacement is withdrawn too", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx listens on port 81");
  const project = interrupted(world.project, () => keep(world, "The lynx listens on port 83", { supersedes: id }));
  const edit = { scope: "global", content: "The lynx listens on port 82", as: "replacement" } as const;
  await assert.rejects(update(id, edit, { ...world, project }), { code: "conflict" });
  assert.deepEqual(await found(world), [["The lynx listens on port 83", "project"]]);
  assert.deepEqual((await world.global.report()).counts, []);
});

test("given the same wording while its replacement moves, it moves itself, once", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx listens on port 81");
  const content = "The lynx listens on port 82";
  const project = interrupted(world.project, () => update(id, { content, as: "revision" }, world));
  await update(id, { scope: "global", content, as: "replacement" }, { ...world, project });
  assert.deepEqual(await found(world), [[content, "global"]]);
  assert.deepEqual(await statuses(world, id), [undefined, "active"]);
});

/** Erased before the copy was written, but after the move had read the source. */
async function erasedMeanwhile(world: TestWorld, id: string): Promise<void> {
  const changes = [{ kind: "purge_items" as const, ids: [id], queries: [] }];
  await world.project.apply(changes, world.origin);
}

test("erased while it moves, it is unknown, and the copy leaves no trace", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy");
  const project = interrupted(world.project, () => erasedMeanwhile(world, id));
  await assert.rejects(promote(id, "global", { ...world, project }), { code: "not_found" });
  assert.deepEqual(await statuses(world, id), [undefined, undefined]);
  const { records } = await world.global.journal({ itemIds: [id] }, { limit: 9, offset: 0 });
  assert.ok(records.length > 0 && !JSON.stringify(records).includes("shy"));
});

test("erased everywhere while it moves, it is unknown", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx is shy");
  const project = interrupted(world.project, () => erase(id, 5, world));
  await assert.rejects(promote(id, "global", { ...world, project }), { code: "not_found" });
  assert.deepEqual(await statuses(world, id), [undefined, undefined]);
});

test("a predecessor erased while it moves does not come along", async () => {
  const world = await testWorld();
  const { id: first } = await keep(world, "The lynx was bold");
  const { id } = await keep(world, "The lynx is shy", { supersedes: first });
  const project = interrupted(world.project, () => erasedMeanwhile(world, first));
  assert.equal((await promote(id, "global", { ...world, project })).status, "promoted");
  assert.deepEqual(await statuses(world, first), [undefined, undefined]);
  assert.deepEqual(await statuses(world, id), [undefined, "active"]);
});

test("undone while it moves, it is unknown, and the copy goes", async () => {
  const world = await testWorld();
  const { id } = await keep({ ...world, origin: { ...world.origin, call: "first" } }, "The lynx is shy");
  const other = { ...world, origin: { ...world.origin, call: "undo" } };
  const project = interrupted(world.project, () => rollback({ call: "first" }, other));
  await assert.rejects(promote(id, "global", { ...world, project, origin: { ...world.origin, call: "move" } }), {
    code: "not_found",
  });
  assert.deepEqual(await statuses(world, id), [undefined, undefined]);
});

for (const isEdited of [false, true])
  test(`an interrupted replacement${isEdited ? ", its predecessor edited since," : ""} is completed by repeating it`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The lynx listens on port 81");
    world.clock.time += 1_000;
    const edit = { scope: "global", content: "The lynx listens on port 82", as: "replacement" } as const;
    await assert.rejects(update(id, edit, { ...world, project: crashing(world.project) }), /interrupted/);
    world.clock.time += 1_000;
    if (isEdited) await update(id, { priority: 9 }, world);
    const { id: successor, isMoved } = await update(id, edit, world);
    assert.equal(isMoved, true);
    assert.deepEqual(await found(world), [[edit.content, "global"]]);
    const old = await itemIn(world, id, { scope: "global" });
    assert.deepEqual([old?.supersededBy, old?.priority], [successor, isEdited ? 9 : 5]);
    assert.deepEqual((await world.project.report()).counts, []);
  });

test("an interrupted move of what was replaced since is refused, and closes the copy it left", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The lynx listens on port 81");
  await assert.rejects(promote(id, "global", { ...world, project: crashing(world.project) }), /interrupted/);
  world.clock.time += 1_000;
  const { id: next } = await update(id, { content: "The lynx listens on port 82", as: "replacement" }, world);
  await assert.rejects(promote(id, "global", world), { code: "conflict" });
  assert.deepEqual(await statuses(world, id), ["superseded", "superseded"]);
  assert.deepEqual(await found(await neighbourOf(world)), []);
  await promote(next, "global", world);
  assert.deepEqual(await found(world), [["The lynx listens on port 82", "global"]]);
  assert.deepEqual((await world.project.report()).counts, []);
});
