/** Large sources: all of one in one transaction, or none of it. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import operation from "../../src/transfer/verbs/import.ts";
import { inLane } from "../lane.ts";
import { testWorld } from "../test-world.ts";

const COUNT = inLane({ fast: 100, long: 3_000, soak: 10_000 });

test("thousands of memories come in one call, are known afterwards, and go in one rollback", async () => {
  const world = await testWorld();
  const path = join(world.folder, "memories.json");
  const memories = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({
        id: index.toString(),
        memory: `The service number ${index} listens on port ${index}.`,
      })),
    );
  writeFileSync(path, memories(COUNT));
  const reports: string[] = [];
  const progress = { report: (_done: number, _total: number, what: string) => void reports.push(what) };
  const take = async () => (await dispatch(operation, { from: "mem0", path }, { ...world, progress })).answer;
  const { inserted, call, foreign } = await take();
  assert.deepEqual([inserted, foreign!.items.length], [COUNT, 100]);
  assert.ok(reports.includes("Importing"));
  assert.deepEqual([(await take()).unchanged, (await take()).call], [COUNT, null]);
  await dispatch(rollback, { call: call! }, world);
  const { total } = await world.project.list(
    "memory",
    { statuses: ["active"], now: world.clock.now() },
    { limit: 1, offset: 0 },
  );
  assert.equal(total, 0);
  writeFileSync(path, memories(50_001));
  await assert.rejects(take(), /has 50,001 memories; at most 50,000 can be imported at once/);
});
