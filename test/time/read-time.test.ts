/** Time words in filters and questions, in the person's zone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import decisions from "../../src/decisions/verbs/decisions.ts";
import audit from "../../src/journal/verbs/audit.ts";
import list from "../../src/memory/verbs/list.ts";
import remember from "../../src/memory/verbs/remember.ts";
import { gather } from "../../src/recall/gather.ts";
import { judge } from "../../src/recall/judge.ts";
import { searchPlaces } from "../../src/recall/places.ts";
import { prepareQuestions } from "../../src/recall/question.ts";
import recall from "../../src/recall/verbs/recall.ts";
import { UTC, zoneNamed } from "../../src/time/calendar.ts";
import { readPeriod } from "../../src/time/read-time.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

const zone = zoneNamed("America/New_York")!;
const local = (time: string) => Date.parse(`${time}-05:00`);

/** At 22:30 in New York it is the next day in UTC. */
async function eveningInNewYork(): Promise<TestWorld & { made: Record<string, string> }> {
  const world = await testWorld({ zone });
  const made: Record<string, string> = {};
  const times = { sunday: "2026-01-11T12:00", yesterday: "2026-01-14T09:00", today: "2026-01-15T08:00" };
  for (const [name, time] of Object.entries(times)) {
    world.clock.time = local(time);
    made[name] = (await keep(world, `The walrus moved on ${name}`)).id;
  }
  world.clock.time = local("2026-01-15T22:30");
  return { ...world, made };
}

test("a period is bounded by local days", async () => {
  const at = { clock: { now: () => local("2026-01-15T22:30") }, zone };
  assert.deepEqual(await readPeriod({ since: "yesterday", until: "yesterday" }, at), {
    createdAfter: local("2026-01-14T00:00"),
    createdBefore: local("2026-01-15T00:00"),
  });
  assert.deepEqual(await readPeriod({ until: "2026-01-10" }, at), { createdBefore: local("2026-01-11T00:00") });
  assert.deepEqual(await readPeriod({ since: "2026-01-10T10:00:00Z" }, at), {
    createdAfter: Date.parse("2026-01-10T10:00:00Z"),
  });
  assert.deepEqual(await readPeriod({}, at), {});
});

test("lists, searches and the journal take the same words", async () => {
  const world = await eveningInNewYork();
  const { made } = world;
  const listed = async (set: object) => (await dispatch(list, set, world)).answer.items.map(({ id }) => id);
  const found = async (set: object) =>
    (await dispatch(recall, { query: "walrus", ...set }, world)).answer.hits.map(({ id }) => id).toSorted();
  const changed = async (set: object) => (await dispatch(audit, set, world)).answer.entries.map(({ id }) => id);
  assert.deepEqual(await listed({ since: "today" }), [made["today"]]);
  assert.deepEqual(await listed({ since: "yesterday", until: "yesterday" }), [made["yesterday"]]);
  assert.deepEqual(await listed({ until: "sunday" }), [made["sunday"]]);
  assert.deepEqual(await listed({ since: "this week" }), [made["today"], made["yesterday"]]);
  assert.deepEqual(await found({ since: "today" }), [made["today"]]);
  assert.deepEqual(
    await found({ since: "last sunday", until: "2026-01-14" }),
    [made["sunday"], made["yesterday"]].toSorted(),
  );
  assert.deepEqual(await changed({ since: "today" }), [made["today"]]);
  await assert.rejects(dispatch(list, { since: "soonish" }, world), { code: "invalid_input", hint: /yesterday/ });
});

test('"today" in a question is today in the person\'s zone', async () => {
  const world = await eveningInNewYork();
  const { made } = world;
  const nearness = async (asking: TestWorld) => {
    const request = { query: "where did the walrus move today", mode: "hybrid", limit: 10, threshold: 0 } as const;
    const [question] = await prepareQuestions(request, searchPlaces(["memory"], {}, asking), asking);
    const scores = (await judge(await gather(question!), question!)).map(({ id, scores: own }) => [id, own.temporal]);
    return ["sunday", "yesterday", "today"].map((name) => Object.fromEntries(scores)[made[name]!]);
  };
  // Within a day of what is asked for counts in full.
  assert.deepEqual(await nearness(world), [0.5, 1, 1]);
  // In UTC it is already tomorrow, and the morning of yesterday was two days ago.
  assert.deepEqual(await nearness({ ...world, zone: UTC }), [0.5, 0.5, 1]);
});

test("a memory expires, and a decision held, when people say", async () => {
  const world = await eveningInNewYork();
  const { answer } = await dispatch(remember, { content: "Tusk of the week", expiresAt: "in two weeks" }, world);
  const [item] = await world.project.items("memory", [answer.id]);
  assert.equal(item?.expiresAt, local("2026-01-29T22:30"));
  assert.deepEqual((await dispatch(decisions, { at: "last friday" }, world)).answer.hits, []);
});
