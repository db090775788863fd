/** Places: which shelves of which stores a search looks at, and what it sees there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { byPlace, filledPlaces, searchPlaces } from "../../src/recall/places.ts";
import type { Filter } from "../../src/recall/search.ts";
import { keep, testWorld } from "../test-world.ts";

const world = await testWorld();
const now = world.clock.now();

const scopes: [Filter["scopes"], string[]][] = [
  [undefined, ["project", "global"]],
  [["project"], ["project"]],
  [["working"], ["project"]],
  [["global"], ["global"]],
  [
    ["working", "global"],
    ["project", "global"],
  ],
];
for (const [wanted, expected] of scopes)
  test(`scopes ${wanted?.join(", ") ?? "of any kind"} are kept in the stores ${expected.join(", ")}`, () => {
    const places = searchPlaces(["memory"], wanted ? { scopes: wanted } : {}, world);
    assert.deepEqual(
      places.map(({ store }) => (store === world.project ? "project" : "global")),
      expected,
    );
  });

test("without a status, each shelf shows what holds now", () => {
  const seen = Object.fromEntries(
    searchPlaces(["memory", "decision", "proposal", "evidence"], { scopes: ["project"] }, world).map(
      ({ shelf, filter: { statuses, validAt } }) => [shelf, { statuses, validAt }],
    ),
  );
  assert.deepEqual(seen, {
    memory: { statuses: ["active"], validAt: now },
    decision: { statuses: ["active"], validAt: now },
    proposal: { statuses: ["pending"], validAt: undefined },
    evidence: { statuses: ["active"], validAt: undefined },
  });
});

test("a status that is asked for is seen, also of memories whose window has ended", () => {
  const [memory, decision] = searchPlaces(["memory", "decision"], { statuses: ["archived"] }, world);
  assert.deepEqual([memory!.filter.statuses, memory!.filter.validAt], [["archived"], undefined]);
  assert.equal(decision!.filter.validAt, now);
});

test("only shelves with something on them are searched; all where there is nothing", async () => {
  const empty = await testWorld();
  const places = searchPlaces(["memory", "decision"], {}, empty);
  assert.deepEqual(await filledPlaces(places), places);
  await keep(empty, "The walrus sleeps");
  assert.deepEqual(await filledPlaces(places), [places[0]]);
});

test("what is in one place is read together", () => {
  const [first, second] = searchPlaces(["memory", "decision"], { scopes: ["project"] }, world);
  const entries = [first!, second!, first!].map((place, index) => ({ id: `${index}`, place }));
  assert.deepEqual(
    [...byPlace(entries).values()].map((here) => here.map(({ id }) => id)),
    [["0", "2"], ["1"]],
  );
});
