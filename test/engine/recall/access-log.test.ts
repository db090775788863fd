/** The access log: each kind of access by its name. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../../src/hosts/dispatch.ts";
import evidence from "../../../src/operations/decisions/evidence.ts";
import get from "../../../src/operations/memory/get.ts";
import inspect from "../../../src/operations/care/inspect.ts";
import log from "../../../src/operations/decisions/log.ts";
import why from "../../../src/operations/decisions/why.ts";
import { askCode, askDocs, COLONY, corpusWorld } from "../corpus/corpus-steps.ts";
import { ask, keep } from "../test-world.ts";

test("what is read by id is a get, what a question finds is a search, what is said again is shown", async () => {
  const world = await corpusWorld({ "guide.md": "# Walrus\n\nIt dives.\n", "colony.ts": COLONY });
  let before = { get: 0, search: 0, shown: 0 };
  const accesses = async (act: () => Promise<unknown>) => {
    await act();
    await world.afterwards.settle();
    const { get: read, search, shown } = (await world.project.report()).accesses;
    const more = [read - before.get, search - before.search, shown - before.shown];
    before = { get: read, search, shown };
    return more;
  };
  const { id } = await keep(world, "The walrus dives at dawn");
  const { id: said } = (await dispatch(log, { text: "We saw the walrus" }, world)).answer;
  assert.deepEqual(await accesses(() => dispatch(get, { id }, world)), [1, 0, 0]);
  assert.deepEqual(await accesses(() => dispatch(evidence, { id: said }, world)), [1, 0, 0]);
  assert.deepEqual(await accesses(() => ask(world, "walrus")), [0, 1, 0]);
  assert.deepEqual(await accesses(() => ask(world, "walrus", { quiet: true })), [0, 0, 0]);
  assert.deepEqual(await accesses(() => dispatch(why, { question: "walrus" }, world)), [0, 1, 0]);
  assert.deepEqual(await accesses(() => askDocs(world, "walrus")), [0, 1, 0]);
  assert.deepEqual(await accesses(() => askCode(world, "walrusDive")), [0, 1, 0]);
  assert.deepEqual(await accesses(() => keep(world, "The walrus dives at dawn")), [0, 0, 1]);
  const { answer } = await dispatch(inspect, {}, world);
  assert.deepEqual(answer.stores.project.accesses, { get: 2, search: 4, shown: 1 });
  assert.match(inspect.render(answer), /read 2 times by id, found 4 times by searches/);
});
