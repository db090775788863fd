/** A list says what holds and what is only proposed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import list from "../../src/memory/verbs/list.ts";
import { READER } from "../catalog/reader.ts";
import { decide, stage } from "../decisions/decision-steps.ts";
import { keep, testWorld } from "../test-world.ts";

test("decisions are listed by their type: ratified, or only proposed", async () => {
  const world = await testWorld();
  await decide(world, "Everybody signs in with a passkey");
  await stage(world, "Use cookies", { subject: "sessions" });
  await keep(world, "The walrus sleeps");
  const listed = async (input: object) => {
    const { answer } = await dispatch(list, input, world);
    return list
      .render(answer, READER)
      .split("\n")
      .map((line) => line.replace(/^\S+ {2}\S+ {2}/, ""))
      .toSorted();
  };
  assert.deepEqual(await listed({ type: ["decision"] }), [
    "2 of 2",
    "decision, project, proposed  sessions: Use cookies",
    "decision, project, ratified  auth: Everybody signs in with a passkey",
  ]);
  assert.deepEqual(await listed({}), [
    "2 of 2",
    "decision, project, proposed  sessions: Use cookies",
    "fact, project  The walrus sleeps",
  ]);
});
