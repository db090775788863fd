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
  const { id: older } = await keep(world, "The proxy listens on port 81", set);
  world.clock.time += 86_400_000;
  const { id: newer } = await keep(world, "The proxy listens on port 82", set);
  const read = async (id: string) => (await dispatch(operations.get, { id }, world)).answer;
  assert.match(
    operations.get.render(await read(newer), READER as never),
    /\nearlier .*, contradicts it, not settled: \w+ The proxy listens on port 81/,
  );
  assert.match(
    operations.get.renderForAgent!(await read(older), READER as never),
    /later: .*The proxy listens on port 82/,
  );
  const { answer } = await dispatch(operations.list, {}, world);
  assert.match(
    operations.list.render(answer, READER as never),
    /port 82, contradicts earlier \w+\n.*port 81, contradicts later \w+\n/,
  );
  await dispatch(operations.settle, { one: newer, other: older, as: "both", when: "81 in tests" }, world);
  assert.match(
    operations.get.render(await read(newer), READER as never),
    new RegExp(`\nboth hold +with ${handleOf(older)}: 81 in tests`),
  );
});
