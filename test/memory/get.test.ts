/** What `get` says about who wrote a memory. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { update } from "../../src/memory/update.ts";
import get from "../../src/memory/verbs/get.ts";
import { READER } from "../catalog/reader.ts";
import { apply, insertion, newItem } from "../store/suite/trial.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

test("a memory that an agent wrote or reworded is shown as the agent's", async () => {
  const world = await testWorld();
  const agent: TestWorld = { ...world, origin: { ...world.origin, byAgent: true } };
  const server: TestWorld = { ...world, origin: { ...world.origin, host: "mcp" } };
  const sourceOf = async (id: string) => {
    const { answer } = await dispatch(get, { id }, world);
    return [answer.byAgent, /^source +(.*), session/m.exec(get.render(answer, READER))![1]];
  };
  const { id: own } = await keep(world, "Deploys need the corporate VPN");
  const { id: shell } = await keep(agent, "Tests run on Jenkins", { source: "user_explicit" });
  const { id: tool } = await keep(server, "Ann tags releases");
  assert.deepEqual(await sourceOf(own), [false, "user_explicit by test"]);
  assert.deepEqual(await sourceOf(shell), [true, "user_explicit by an agent through test"]);
  assert.deepEqual(await sourceOf(tool), [true, "ai_inferred by an agent through mcp"]);
  await update(own, { content: "Deploys need the corporate VPN." }, agent);
  assert.deepEqual(await sourceOf(own), [true, "ai_inferred by an agent through test"]);
});

test("a note is nobody's, and only memories say whether an agent wrote them", async () => {
  const world = await testWorld();
  const note = newItem({ host: "mcp", source: "file-index" });
  const ratified = { by: "Ann", how: "terminal", at: 1 };
  const decision = newItem({ host: "mcp", type: "decision", details: { ratified } });
  await apply(world.project, insertion("memory", note), insertion("decision", decision));
  const answers = [];
  for (const { id } of [note, decision]) answers.push((await dispatch(get, { id }, world)).answer);
  assert.deepEqual(
    answers.map(({ byAgent }) => byAgent),
    [false, undefined],
  );
  for (const answer of answers) assert.doesNotMatch(get.render(answer, READER), /by an agent/);
});
