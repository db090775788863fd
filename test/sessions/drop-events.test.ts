/** Events of sessions are kept for a month. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import maintenance from "../../src/maintenance/verbs/maintain.ts";
import observe from "../../src/sessions/verbs/observe.ts";
import { testWorld } from "../test-world.ts";

const DAY_MS = 86_400_000;

test("maintenance drops old events, and a dry run says how many", async () => {
  const world = await testWorld();
  for (const content of ["ENOENT", "EPERM"]) {
    await dispatch(observe, { event: "error_occurred", content }, world);
    world.clock.time += 10 * DAY_MS;
  }
  world.clock.time += 10 * DAY_MS;
  await dispatch(maintenance, {}, world);
  world.clock.time += DAY_MS;
  await dispatch(maintenance, {}, world); // confirms the time of the first
  world.clock.time += DAY_MS;
  const announced = (await dispatch(maintenance, {}, world, { dryRun: true })).answer;
  assert.match(maintenance.renderDryRun!(announced)!, /^Would drop 1 old event of sessions\.$/m);
  const { answer } = await dispatch(maintenance, {}, world);
  assert.match(maintenance.render(answer), /^Dropped 1 old event of sessions\.$/m);
  const left = await world.project.events({ limit: 9 });
  assert.deepEqual(
    left.map(({ payload }) => payload["content"]),
    ["EPERM"],
  );
  assert.equal((await dispatch(maintenance, {}, world)).answer.events.dropped, 0);
});

test("what a session was given goes after that time too, also if nothing was captured of it", async () => {
  const world = await testWorld();
  const given = (key: string) => world.project.apply([{ kind: "note_injected", session: "s", keys: [key], at: world.clock.now() }], world.origin); // prettier-ignore
  await given("old");
  world.clock.time += 31 * DAY_MS;
  await given("new");
  for (let run = 0; run < 3; run += 1) {
    await dispatch(maintenance, {}, world);
    world.clock.time += DAY_MS;
  }
  assert.deepEqual([...(await world.project.injectedIn("s"))], ["new"]);
});
