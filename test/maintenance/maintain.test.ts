/** What `maintain` says it has done. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import maintain from "../../src/maintenance/verbs/maintain.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { unlikeText } from "../graph/unlike-text.ts";
import { testWorld } from "../test-world.ts";
import { DAY_MS, infer } from "./upkeep.ts";

test("a real run names the first of each stage and why, and what can be undone", async () => {
  const world = await testWorld();
  const run = async () => (await dispatch(maintain, {}, world)).answer;
  const { id: erased } = await infer(world, unlikeText(0));
  await forget(erased, 5, world);
  for (const days of [30, 91]) {
    world.clock.time += days * DAY_MS;
    await run();
  }
  const { id: pruned } = await infer(world, unlikeText(1));
  await forget(pruned, 5, world);
  const archived: string[] = [];
  for (let number = 2; number < 9; number += 1)
    archived.push((await infer(world, unlikeText(number), { type: "progress" })).id);
  world.clock.time += 30 * DAY_MS;
  const answer = await run();
  const lines = maintain.render(answer).split("\n");
  const steps = (ids: readonly string[], move: string, why: RegExp) =>
    ids.map((id) => new RegExp(`^  ${handleOf(id)}  ${move}: ${why.source}`));
  const expected = [
    /^Linked 8 memories\.$/,
    /^Archived 7 faded memories, which recall no longer shows\.$/,
    ...steps(archived.slice(0, 5), "active → archived", /confidence 0\.05 has been below 0\.3/),
    /^ {2}and 2 more$/,
    /^Pruned 1 archived memory, to be erased later unless read again\.$/,
    ...steps([pruned], "archived → pruned", /archived 30 days ago/),
    /^Erased 1 pruned memory permanently\.$/,
    ...steps([erased], "pruned → erased", /pruned 91 days ago/),
    new RegExp(
      `^Undo the archiving and pruning with \`stele rollback ${handleOf(answer.call!)}\`; what was erased or dropped cannot be brought back\\.$`,
    ),
  ];
  // The line below each step quotes the memory.
  const told = lines.filter((line) => !line.startsWith("      "));
  for (const [index, pattern] of expected.entries()) assert.match(told[index] ?? "", pattern);
  assert.equal(told.length, expected.length);
  assert.doesNotMatch(maintain.render({ ...answer, call: null }), /Undo/, "nothing is promised for erasures alone");
});
