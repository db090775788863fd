/** Items that are near each other are found beside each other, the newer first, until somebody settles them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import { decide } from "../decisions/decision-steps.ts";
import { ask, keep, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const PAIRS: [older: string, newer: string, question: string][] = [
  ["The proxy listens on port 81", "The proxy listens on port 82", "which port does the proxy listen on"],
  ["Requests time out after thirty seconds", "Requests time out after a minute", "when do requests time out"],
  ["Backups run nightly at two o'clock", "Backups run nightly at four", "when do backups run"],
  ["Telemetry is on by default", "Telemetry stays off by default", "is telemetry on by default"],
  ["Backups laufen jede Nacht um zwei Uhr", "Backups laufen jede Nacht um vier Uhr", "wann laufen die Backups"],
];

async function two(world: TestWorld, older: string, newer: string): Promise<[string, string]> {
  const set = { scope: "project", compare: true } as const;
  const { id: first } = await keep(world, older, set);
  world.clock.time += 86_400_000;
  const { id: second } = await keep(world, newer, set);
  return [first, second];
}

for (const [older, newer, question] of PAIRS)
  test(`${question}: the newer first, the older behind it`, async () => {
    const world = await testWorld();
    const [first, second] = await two(world, older, newer);
    const { hits } = await ask(world, question);
    assert.deepEqual(hits.map(({ id }) => id), [second, first]); // prettier-ignore
    assert.equal(hits[1]!.beside?.id, second);
    assert.equal(hits[1]!.beside?.is, "earlier");
    const { hits: alone } = await ask(world, question, { limit: 1 });
    // Alone it may be told, but never without the newer one.
    if (alone[0]!.id === first) assert.equal(alone[0]!.beside?.summary, newer);
    for (const render of ["renderForAgent", "render"] as const) {
      const { answer } = await dispatch(operations.recall, { query: question }, world);
      const said = operations.recall[render]!(answer, {
        ...world,
        now: world.clock.time,
        input: { query: question },
      } as never);
      assert.match(said, /earlier/);
    }
  });

test("what both hold under is shown with both, and they are no neighbours any more", async () => {
  const world = await testWorld();
  const [first, second] = await two(world, "The proxy listens on port 81", "The proxy listens on port 82");
  await dispatch(operations.settle, { one: first, other: second, as: "both", when: "81 in tests" }, world);
  const { hits } = await ask(world, "which port does the proxy listen on");
  const told = hits.map(({ id, beside, conditions }) => [id, beside, conditions?.map(({ id: other, when }) => [other, when])]); // prettier-ignore
  assert.deepEqual(new Set(told), new Set([[first, undefined, [[second, "81 in tests"]]], [second, undefined, [[first, "81 in tests"]]]])); // prettier-ignore
});

test("a younger memory is shown behind the decision that it is near", async () => {
  const world = await testWorld();
  const decision = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  world.clock.time += 86_400_000;
  const { id } = await keep(world, "Telemetry is opt-out", { scope: "project", compare: true });
  const { hits } = await ask(world, "telemetry");
  assert.deepEqual(hits.map((hit) => [hit.id, hit.beside?.is]), [[decision, undefined], [id, "later"]]); // prettier-ignore
});

test("of two, only the one that was moved is said to be placed beside the other", async () => {
  let moved = 0;
  for (const [older, newer, question] of PAIRS) {
    const world = await testWorld();
    await two(world, older, newer);
    const { answer } = await dispatch(operations.recall, { query: question }, world);
    const said = operations.recall.render(answer, readerOf({ query: question }, world) as never);
    const places = said.split("placed beside what it is near").length - 1;
    assert.ok(places <= 1, said);
    moved += places;
  }
  assert.ok(moved > 0);
});
