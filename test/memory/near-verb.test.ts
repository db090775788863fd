/** `get` and `list` say what an item is near until somebody settles it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { READER } from "../catalog/reader.ts";
import { keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

test("both of a pair name the other, and the newer one is not above for ever", async () => {
  const world = await testWorld();
  const set = { scope: "project", compare: true } as const;
  const { id: older } = await keep(world, "Merge commits are allowed", set);
  world.clock.time += 86_400_000;
  const { id: newer } = await keep(world, "Merge commits are not allowed", set);
  const read = async (id: string) => (await dispatch(operations.get, { id }, world)).answer;
  assert.match(
    operations.get.render(await read(newer), READER as never),
    /\nearlier .*, contradicts it, not settled: \w+ Merge commits are allowed/,
  );
  assert.match(
    operations.get.renderForAgent!(await read(older), READER as never),
    /later: .*Merge commits are not allowed/,
  );
  const { answer } = await dispatch(operations.list, {}, world);
  assert.match(
    operations.list.render(answer, READER as never),
    /not allowed, contradicts earlier \w+\n.*allowed, contradicts later \w+\n/,
  );
  await dispatch(operations.settle, { one: newer, other: older, as: "both", when: "allowed in forks" }, world);
  assert.match(
    operations.get.render(await read(newer), READER as never),
    new RegExp(`\nboth hold +with ${handleOf(older)}: allowed in forks`),
  );
});
