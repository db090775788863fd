/** What later work withdraws is superseded: kept as history, and no longer found. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { extract } from "../../../src/engine/capture/extract.ts";
import type { Item } from "../../../src/model/memory/item.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { type Saying, claudeLines, writeTranscript } from "./transcript.ts";

const REMOVED =
  "The basket is simpler now: removed `roundLine()` from `basket.ts`, because each total is rounded in `invoiceOf()`.";
const RESTORED =
  "The tax office rounds each line of a basket, so totals were off by a cent: restored `roundLine()` in `basket.ts`.";
const COMMIT = { command: "git commit -m work", result: "[main 1] work" };
const first: Saying[] = [{ prompt: "Make the basket simpler." }, { reply: REMOVED }, COMMIT];
const second: Saying[] = [{ prompt: "The totals are off.", minute: 5 }, { reply: RESTORED }];

const taken = async (world: TestWorld, sayings: readonly Saying[], session = "s1") => {
  world.clock.time = Date.UTC(2026, 0, 16);
  const path = join(world.folder, `${session}.jsonl`);
  writeTranscript(path, claudeLines(sayings, session));
  assert.equal((await extract({ path, isEnded: true }, world)).error, null);
};

async function memories(world: TestWorld): Promise<{ active: string[]; superseded: Item[]; all: Item[] }> {
  const filter = { statuses: ["active", "superseded"] as const, now: 0 };
  const { items: all } = await world.project.list("memory", filter, { limit: 100, offset: 0 });
  const active = all.filter(({ status }) => status === "active").map(({ content }) => content);
  return { active, superseded: all.filter(({ status }) => status === "superseded"), all };
}

describe("what later work undoes", () => {
  test("is superseded by what undid it", async () => {
    const world = await testWorld();
    await taken(world, [...first, ...second]);
    const { active, superseded, all } = await memories(world);
    assert.ok(active.includes(RESTORED) && !active.includes(REMOVED), active.join("\n"));
    const old = superseded.find(({ content }) => content === REMOVED);
    assert.equal(all.find(({ id }) => id === old?.supersededBy)?.content, RESTORED);
  });

  test("in steps as well as at once", async () => {
    const [steps, once] = [await testWorld(), await testWorld()];
    const path = join(steps.folder, "s1.jsonl");
    const lines = claudeLines([...first, ...second]);
    for (const end of lines.keys()) {
      writeTranscript(path, lines.slice(0, end + 1));
      await extract({ path, isEnded: end === lines.length - 1 }, steps);
    }
    await taken(once, [...first, ...second]);
    assert.deepEqual((await memories(steps)).active.toSorted(), (await memories(once)).active.toSorted());
  });

  test("by another session on the same branch, whichever is read first", async () => {
    for (const order of [["a", "b"], ["b", "a"]]) {
      const world = await testWorld();
      for (const session of order) await taken(world, session === "a" ? first : second, session);
      assert.deepEqual((await memories(world)).active.filter((text) => text.includes("roundLine")), [RESTORED], order.join());
    }
  }); // prettier-ignore

  test("or takes back, though the memory no longer says so", async () => {
    const claim =
      "The root cause is that the nightly importer in `import.ts` keeps the lock of the orders table open for an hour.";
    const truth = "the importer in `import.ts` waits for the lock of the orders table, which `pg_dump` keeps open.";
    const world = await testWorld();
    const later = { reply: `No, that's wrong: ${truth}` };
    await taken(world, [{ prompt: "Why?" }, { reply: claim }, COMMIT, { prompt: "Sure?", minute: 5 }, later]);
    assert.deepEqual((await memories(world)).active.filter((text) => text.includes("lock")), [`T${truth.slice(1)}`]); // prettier-ignore
  });

  test("not by work on another branch", async () => {
    const world = await testWorld();
    await taken(world, first, "a");
    await taken(world, second.map((saying) => ({ ...saying, branch: "topic" })), "b"); // prettier-ignore
    const { active } = await memories(world);
    assert.ok(active.includes(REMOVED) && active.includes(RESTORED), active.join("\n"));
  });

  test("not if a person wrote or pinned it", async () => {
    const world = await testWorld();
    await taken(world, first, "a");
    const { all } = await memories(world);
    const old = all.find(({ content }) => content === REMOVED)!;
    const pin = { kind: "revise_item", shelf: "memory", id: old.id, expectedVersion: old.version } as const;
    await world.project.apply([{ ...pin, set: { pinned: true }, passages: null, embed: false }], world.origin);
    await taken(world, second, "b");
    assert.ok((await memories(world)).active.includes(REMOVED));
  });
});

test("what a later stretch tells more fully replaces what an earlier one told", async () => {
  const brief = "The root cause is in `importer.ts`: `lockOrders()` takes the orders lock before the customer lock.";
  const full =
    "The root cause of the deadlock is in `importer.ts`: `lockOrders()` takes the orders lock before the customer lock, while the nightly export locks customers first in `exportAll()`.";
  const world = await testWorld();
  await taken(world, [{ prompt: "Why?" }, { reply: brief }, COMMIT, { prompt: "Sure?", minute: 5 }, { reply: full }]);
  const { active, superseded } = await memories(world);
  assert.deepEqual(active.filter((text) => text.includes("lockOrders")), [full]); // prettier-ignore
  assert.ok(superseded.some(({ content }) => content === brief));
});
