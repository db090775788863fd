/** What holds, what held, and what recall tells of it, on real stores. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import decisions from "../../src/decisions/verbs/decisions.ts";
import log from "../../src/decisions/verbs/log.ts";
import reject from "../../src/decisions/verbs/reject.ts";
import why from "../../src/decisions/verbs/why.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { handleOf } from "../../src/memory/handles.ts";
import list from "../../src/memory/verbs/list.ts";
import { ask, type TestWorld, testWorld } from "../test-world.ts";
import { DAY, decide, held, settle, stage, YES } from "./decision-steps.ts";

const iso = (time: number) => new Date(time).toISOString();
const idsOf = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);
const recalled = async (world: TestWorld, query: string) => (await ask(world, query)).hits;

test("a successor changes the answer; the time before it does not change", async () => {
  const world = await testWorld();
  const begin = world.clock.now();
  const first = await decide(world, "JWT with refresh rotation");
  assert.deepEqual(idsOf(await held(world, "auth")), [first]);
  world.clock.time += DAY;
  const second = await decide(world, "Opaque tokens in a table", { supersedes: [first] });
  const [now] = await held(world, "Auth");
  assert.deepEqual(
    [now?.id, now?.shelf, now?.status, now?.unratified, now?.related, now?.score, now?.relevance],
    [second, "decision", "active", false, [], 1, 1],
  );
  assert.deepEqual(
    now?.history.map(({ id, validFrom, validUntil }) => [id, validFrom, validUntil]),
    [[first, iso(begin), iso(begin + DAY)]],
  );
  const [then] = await held(world, "auth", { at: iso(begin + DAY / 2) });
  assert.deepEqual([then?.id, then?.status, then?.related], [first, "superseded", [second]]);
  assert.deepEqual(idsOf(await held(world, "auth", { at: iso(begin + DAY) })), [second], "a window ends just before");
  assert.deepEqual(await held(world, "auth", { at: iso(begin - 1) }), []);
  const [hit] = await recalled(world, "JWT refresh rotation for auth");
  assert.deepEqual([hit?.id, idsOf(hit?.history ?? [])], [second, [first]]);
});

test("where nothing is ratified, the proposals that wait are named, and how to ratify them", async () => {
  const world = await testWorld();
  const all = async (input: Record<string, unknown> = {}) => (await dispatch(decisions, input, world)).answer;
  assert.deepEqual(await all(), { mode: "hybrid", degraded: null, hits: [] });
  const ids: string[] = [];
  for (const subject of ["auth", "cache", "logs", "retries"]) {
    ids.push(await stage(world, `Decide ${subject} later`, { subject }));
    world.clock.time += 1;
  }
  const answer = await all();
  const newest = ids.toReversed().slice(0, 3);
  assert.deepEqual([answer.hits, answer.waiting?.total], [[], 4]);
  assert.deepEqual(idsOf(answer.waiting?.items ?? []), newest);
  const handles = newest.map((id) => handleOf(id));
  for (const shown of [
    decisions.render(answer, readerOf({}, world)),
    decisions.renderForAgent!(answer, readerOf({}, world)),
  ])
    assert.deepEqual(shown.split("\n"), [
      "No matching decisions.",
      `4 proposals wait for a person; \`stele ratify ${handles[0]}\` asks about the first:`,
      `${handles[0]}  retries: Decide retries later`,
      `${handles[1]}  logs: Decide logs later`,
      `${handles[2]}  cache: Decide cache later`,
      "and 1 more; `stele proposals` lists all",
    ]);
  const about = async (subject: string) => idsOf((await all({ subject })).waiting?.items ?? []);
  assert.deepEqual(await about("cache"), [ids[1]], "only what is about the subject");
  assert.deepEqual(await about("the cache layers"), [ids[1]]);
  assert.deepEqual(await about("zebra"), []);
  assert.equal((await all({ at: iso(world.clock.now() - DAY) })).waiting, undefined, "nothing waited then");
  await settle(world, ids[0]!);
  assert.equal((await all()).waiting, undefined, "what holds is the answer");
});

test("windows begin and end by the clock alone, for decisions, recall and list", async () => {
  const world = await testWorld();
  const begin = world.clock.now();
  const late = await decide(world, "Passkeys", { validFrom: iso(begin + DAY), validUntil: iso(begin + 3 * DAY) });
  const seen = async () => [
    idsOf(await held(world, "auth")),
    idsOf(await recalled(world, "passkeys")),
    idsOf((await dispatch(list, { shelf: ["decision"] }, world)).answer.items),
  ];
  for (const [days, ids] of [
    [0, []],
    [1, [late]],
    [2, [late]],
    [3, []],
    [4, []],
  ] as const) {
    world.clock.time = begin + days * DAY;
    assert.deepEqual(await seen(), [ids, ids, ids], `after ${days} days`);
  }
  const { items } = (await dispatch(list, { shelf: ["decision"], status: ["active"] }, world)).answer;
  assert.deepEqual(idsOf(items), [late], "who asks for a status gets all of it");
  assert.deepEqual(idsOf(await held(world, "auth", { at: iso(begin + 2 * DAY) })), [late]);
});

test("one that will be followed holds until then, and is history afterwards, found by its own words too", async () => {
  const world = await testWorld();
  const begin = world.clock.now();
  const first = await decide(world, "Cookies for every browser");
  const next = await decide(world, "Tokens", { supersedes: [first], validFrom: iso(begin + 5 * DAY) });
  assert.deepEqual(idsOf(await held(world, "auth")), [first]);
  assert.deepEqual(idsOf(await recalled(world, "cookies browser")), [first]);
  world.clock.time = begin + 5 * DAY;
  const [hit] = await recalled(world, "cookies browser");
  assert.deepEqual([hit?.id, idsOf(hit?.history ?? [])], [next, [first]]);
  const [now] = await held(world, "auth");
  assert.deepEqual([now?.id, idsOf(now?.history ?? [])], [next, [first]]);
});

test("a subject is found as it is written, then by likeness, then by meaning", async () => {
  const world = await testWorld();
  const store = await decide(world, "Redis, one node", { subject: "session store" });
  const retries = await decide(world, "Three attempts, then give up loudly", { subject: "retry policy" });
  const exact = ["session store", "Session-Stores", "sessionStore"];
  for (const subject of exact) assert.deepEqual(idsOf(await held(world, subject)), [store], subject);
  for (const subject of ["session", "the session store of the app", "sesion store"]) {
    assert.equal((await held(world, subject))[0]?.id, store, subject);
  }
  assert.equal((await held(world, "attempts before we give up"))[0]?.id, retries);
  assert.deepEqual(await held(world, "zebra crossing"), []);
  assert.deepEqual(idsOf(await held(world)).toSorted(), [store, retries].toSorted());
  assert.equal((await held(world, undefined, { limit: 1 })).length, 1);
});

test("a chain that goes on under another subject is followed both ways", async () => {
  const world = await testWorld();
  const begin = world.clock.now();
  const first = await decide(world, "Cookies", { subject: "auth" });
  world.clock.time += DAY;
  const second = await decide(world, "Passkeys", { subject: "login", supersedes: [first] });
  assert.deepEqual(idsOf(await held(world, "auth")), [second]);
  assert.deepEqual(idsOf(await held(world, "login", { at: iso(begin) })), [first]);
});

test("what waits elsewhere does not make the answer less than it could be", async () => {
  const world = await testWorld();
  await dispatch(log, { text: "nobody has embedded this" }, world);
  await stage(world, "nor this");
  const { answer } = await dispatch(decisions, { subject: "zebra" }, world);
  assert.deepEqual([answer.degraded, answer.hits], [null, []]);
});

test("a known subject of which nothing holds is answered with nothing; proposals are not decisions", async () => {
  const world = await testWorld();
  await decide(world, "Freeze the release", { subject: "release", validUntil: iso(world.clock.now() + DAY) });
  await decide(world, "The release train leaves on Monday", { subject: "train" });
  await stage(world, "JWT");
  world.clock.time += 2 * DAY;
  assert.deepEqual(await held(world, "release"), []);
  assert.deepEqual(await held(world, "auth"), []);
});

/** Every statement that runs on any connection, while something is done. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const db = new Sqlite(":memory:");
  const methods = Object.getPrototypeOf(db.prepare("select 1")) as Record<string, (...values: unknown[]) => unknown>;
  db.close();
  const names = ["get", "all", "run", "iterate"];
  const kept = names.map((name) => methods[name]!);
  const ran = new Set<string>();
  for (const [index, name] of names.entries()) {
    methods[name] = function (this: { source: string }, ...values: unknown[]) {
      ran.add(this.source);
      return kept[index]!.apply(this, values);
    };
  }
  try {
    await work();
  } finally {
    for (const [index, name] of names.entries()) methods[name] = kept[index]!;
  }
  return [...ran];
}

test("what holds reads no evidence, and why reads no decisions: the statements say so", async () => {
  const world = await testWorld();
  await decide(world, "JWT with refresh rotation");
  await dispatch(log, { text: "Ann: cookies?\nBo: no, JWT\nAnn: and rotation?\nBo: every refresh" }, world);
  await ask(world, "anything", { shelves: ["decision", "evidence"] });
  // Both have something that waits to be embedded, which a question may do for its own shelf only.
  await decide(world, "Rotate keys monthly", { subject: "keys" });
  await dispatch(log, { text: "Bo: keys are rotated monthly, or we forget." }, world);
  await world.afterwards.settle();
  const asking = async (work: () => Promise<unknown>) =>
    statementsOf(async () => {
      await work();
      await world.afterwards.settle();
    });
  const read = (statements: string[], shelf: string) => statements.filter((text) => text.includes(`${shelf}_`));
  for (const subject of ["auth", "how often are keys rotated", undefined]) {
    const statements = await asking(() => held(world, subject, { threshold: 0 }));
    assert.ok(read(statements, "decision").length > 0);
    for (const shelf of ["evidence", "memory", "proposal"]) assert.deepEqual(read(statements, shelf), [], subject);
  }
  const statements = await asking(() =>
    dispatch(why, { question: "why are keys rotated monthly", archived: true }, world),
  );
  assert.ok(read(statements, "evidence").length > 0);
  for (const shelf of ["decision", "memory", "proposal"]) assert.deepEqual(read(statements, shelf), []);
});

test("who asks why about a subject finds what its decisions rest on, whatever words it uses", async () => {
  const world = await testWorld();
  const text = "Bo: the phone app cannot keep cookies\nAnn: then the other thing it is";
  const said = (await dispatch(log, { text }, world)).answer.id;
  await dispatch(log, { text: "Ann: the auth page is slow, why is the auth page so slow" }, world);
  const asked = async () => (await dispatch(why, { question: "why auth" }, world)).answer.hits;
  assert.notEqual((await asked())[0]?.id, said);
  const id = await stage(world, "JWT with refresh rotation", { evidence: [said] });
  const { call } = await settle(world, id);
  const [first] = await asked();
  assert.deepEqual([first?.id, Object.keys(first?.why ?? {}).includes("linked")], [said, true]);
  await dispatch(rollback, { call: call! }, world, { ask: async () => YES });
  assert.notEqual((await asked())[0]?.id, said, "with the decision goes what tied it to its subject");
});

test("what was turned down stands in the history of its subject, with the reason, and nowhere else", async () => {
  const world = await testWorld();
  const cookies = await stage(world, "Cookies with a server session");
  await dispatch(reject, { id: cookies, reason: "the app has none" }, world);
  assert.deepEqual(await recalled(world, "cookies with a server session for auth"), []);
  const other = await stage(world, "Blue", { subject: "colour" });
  const jwt = await decide(world, "JWT with refresh rotation");
  const [hit] = await recalled(world, "auth cookies or JWT");
  assert.deepEqual(
    [hit?.id, hit?.history.map(({ id, status, reason }) => [id, status, reason])],
    [jwt, [[cookies, "rejected", "the app has none"]]],
  );
  const [pending] = await recalled(world, "colour blue");
  assert.deepEqual([pending?.id, pending?.unratified, pending?.history], [other, true, []]);
  world.clock.time += 91 * DAY;
  const [late] = await recalled(world, "auth JWT refresh");
  assert.deepEqual([late?.id, late?.history], [jwt, []], "history reaches as far as the settings say");
});

test("a subject that is named speaks for its decision", async () => {
  const world = await testWorld();
  await decide(world, "Tokens are rotated on every refresh", { subject: "keys" });
  await decide(world, "Tokens are rotated on every refresh call", { subject: "session store" });
  const hits = await recalled(world, "how are tokens of the sessionStore rotated");
  assert.deepEqual([hits[0]?.title, (hits[0]?.why["entity"] ?? 0) > 0], ["session store", true]);
});
