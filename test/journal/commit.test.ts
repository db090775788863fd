import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../src/journal/change.ts";
import { commit } from "../../src/journal/commit.ts";
import { insertion, newItem, removal } from "../store/suite/trial.ts";
import { itemIn, testWorld } from "../test-world.ts";

/** Commits the plans in their order; answers what came of it and how often it planned. */
async function committed(plans: readonly (readonly Change[])[]) {
  const world = await testWorld();
  const attempts: number[] = [];
  const outcome = await commit(
    world.project,
    async (attempt) => {
      attempts.push(attempt);
      return { changes: plans[attempt - 1] ?? [], answer: `plan ${attempt}` };
    },
    world,
  ).catch((thrown: { code: string; message: string }) => [thrown.code, thrown.message]);
  return { world, attempts, outcome };
}

const [here, gone, lost] = [newItem({ id: "here" }), newItem({ id: "gone" }), newItem({ id: "lost" })];
const [good, bad, worse] = [insertion("memory", here), removal("memory", gone), removal("memory", lost)];

const cases: [what: string, plans: Change[][], attempts: number[], outcome: string | string[]][] = [
  ["what fits is done once", [[good]], [1], "plan 1"],
  ["nothing to do is done", [[]], [1], "plan 1"],
  ["who was overtaken plans again", [[bad], [good]], [1, 2], "plan 2"],
  ["and once more", [[bad], [bad], [good]], [1, 2, 3], "plan 3"],
  [
    "but no more than three times, and says why the last one failed",
    [[bad], [bad], [worse], [good]],
    [1, 2, 3],
    ["conflict", "Another process keeps changing this: memory lost is gone."],
  ],
];
for (const [what, plans, attempts, expected] of cases)
  test(what, async () => {
    const done = await committed(plans);
    assert.deepEqual([done.attempts, done.outcome], [attempts, expected]);
    const isThere = (await itemIn(done.world, here.id)) !== undefined;
    assert.equal(isThere, plans[attempts.length - 1]!.includes(good));
  });
