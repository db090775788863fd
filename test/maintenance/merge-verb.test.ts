/** What `merge` asks and says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import merge from "../../src/maintenance/verbs/merge.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { itemIn, keep, testWorld } from "../test-world.ts";

const nobody: Ask = async () => assert.fail("nobody need be asked");

test("a dry run asks nobody, says what would be merged, and merges nothing", async () => {
  const world = await testWorld();
  const [{ id: first }, { id: second }] = [
    await keep(world, "Ann tags releases"),
    await keep(world, "Ann tags releases on Fridays"),
  ];
  const { answer } = await dispatch(merge, { first, second }, world, { ask: nobody, dryRun: true });
  const [one, two] = [handleOf(first), handleOf(second)];
  assert.equal(
    merge.renderDryRun!(answer),
    `Would ask a person to merge ${one} and ${two}, with the text of ${two}, which says more.`,
  );
  for (const id of [first, second]) assert.equal((await itemIn(world, id))?.status, "active");
  assert.equal(await itemIn(world, answer.id), undefined);
});

test("lines that a question leaves out can be read where it says", async () => {
  const world = await testWorld();
  const [{ id: first }, { id: second }] = [
    await keep(world, "line\n".repeat(102)),
    await keep(world, "Ann tags releases"),
  ];
  const { message } = (await merge.question!({ first, second, content: "other\n".repeat(150) }, world))!;
  const notes = message.split("\n").filter((line) => line.startsWith("("));
  assert.deepEqual(notes, [
    `(3 more lines; \`stele get ${handleOf(first)}\` in another terminal shows all of it.)`,
    "(51 more lines; all of the text that was given is kept.)",
  ]);
});

test("a person is given the command with everything that was asked for", async () => {
  const world = await testWorld();
  const [{ id: first }, { id: second }] = [await keep(world, "Ann tags releases"), await keep(world, "Ben tags")];
  await assert.rejects(dispatch(merge, { first, second, content: "Ann and Ben tag releases" }, world), {
    hint: `A person can run \`stele merge ${first} ${second} --content "Ann and Ben tag releases"\` in a terminal.`,
  });
});
