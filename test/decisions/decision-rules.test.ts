/** Small rules of decisions, each by what would be told if it were broken. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { Reply } from "../../src/catalog/question.ts";
import { readDecisions } from "../../src/decisions/read-decisions.ts";
import importAdr from "../../src/decisions/verbs/import-adr.ts";
import propose from "../../src/decisions/verbs/propose.ts";
import { Failure } from "../../src/errors.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { revising } from "../../src/memory/item-changes.ts";
import type { Item } from "../../src/memory/item.ts";
import remember from "../../src/memory/verbs/remember.ts";
import recall from "../../src/recall/verbs/recall.ts";
import exportAll from "../../src/transfer/verbs/export.ts";
import importAll from "../../src/transfer/verbs/import.ts";
import { itemIn, keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { DAY, decide, held, settle, stage } from "./decision-steps.ts";

const iso = (time: number) => new Date(time).toISOString();
const idsOf = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);
const SECRET = `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`;

const failsWith = (code: Failure["code"], message: RegExp) => (thrown: unknown) =>
  thrown instanceof Failure && thrown.code === code && message.test(thrown.message);

/** A proposal that goes by itself after a day. */
const fleeting = async (world: TestWorld, content: string, more: object = {}) =>
  (await dispatch(remember, { content, type: "decision", title: "auth", ttlSeconds: 86_400, ...more }, world)).answer
    .id;

const decisionOf = async (world: TestWorld, id: string): Promise<Item> => {
  const item = await itemIn(world, id, { shelf: "decision" });
  assert.ok(item, `no decision ${id}`);
  return item;
};

test("a proposal that has expired is not ratified; one that was ratified in time does not expire", async () => {
  const world = await testWorld();
  const [late, timely] = [await fleeting(world, "Cookies"), await fleeting(world, "JWT")];
  await settle(world, timely);
  assert.equal((await decisionOf(world, timely)).expiresAt, null);
  world.clock.time += DAY;
  await assert.rejects(settle(world, late), failsWith("not_found", /no proposal/));
  assert.deepEqual(idsOf(await held(world, "auth")), [timely]);
});

test("an expired proposal does not stand in the way of what says the same of another subject", async () => {
  const world = await testWorld();
  await fleeting(world, "Cookies", { title: "login" });
  await assert.rejects(stage(world, "Cookies"), failsWith("conflict", /has the same text, about "login"/));
  world.clock.time += DAY;
  const { answer } = await dispatch(propose, { subject: "auth", decision: "Cookies" }, world);
  assert.equal(answer.status, "proposed");
});

test("what holds is not staged again, but the same from another time on, or in another's place, is", async () => {
  const world = await testWorld();
  const [first, other] = [await decide(world, "JWT"), await decide(world, "Basic for cron")];
  const status = async (more: object) =>
    (await dispatch(propose, { subject: "auth", decision: "JWT", ...more }, world, { dryRun: true })).answer.status;
  const { answer } = await dispatch(propose, { subject: "auth", decision: "JWT" }, world);
  assert.deepEqual([answer.status, answer.id], ["holds", first]);
  assert.equal(await status({ validFrom: iso(world.clock.now() + DAY) }), "proposed");
  assert.equal(await status({ supersedes: [other] }), "proposed");
  assert.equal(await status({ validUntil: iso(world.clock.now() + DAY) }), "proposed");
});

test("what a person writes while ratifying is redacted like everything else", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  await settle(world, id, { subject: `auth ${SECRET}`, decision: `JWT, signed with ${SECRET}`, rationale: SECRET });
  const { title, content, details } = await decisionOf(world, id);
  const text = JSON.stringify([title, content, details]);
  assert.ok(!text.includes(SECRET) && (title ?? "").startsWith("auth [") && content.startsWith("JWT, signed with ["));
});

test("a subject is asked for as it was stored: without its secrets", async () => {
  const world = await testWorld();
  const id = await decide(world, "Rotate it monthly", { subject: `key ${SECRET}` });
  const [hit] = await held(world, `key ${SECRET}`);
  assert.deepEqual([hit?.id, hit?.why], [id, { entity: 1 }]);
});

test("a decision that was archived is not known, so what is like its subject answers", async () => {
  const world = await testWorld();
  const gone = await decide(world, "Redis", { subject: "session store" });
  const near = await decide(world, "Thirty minutes", { subject: "session" });
  assert.deepEqual(idsOf(await held(world, "session store")), [gone]);
  const archived = revising("decision", await decisionOf(world, gone), { status: "archived" });
  await world.project.apply([archived], world.origin);
  assert.deepEqual(idsOf(await held(world, "session store")), [near]);
  assert.deepEqual(idsOf(await held(world)), [near]);
});

test("what no longer holds does not answer through what replaced it", async () => {
  const world = await testWorld();
  const first = await decide(world, "Cookies for every browser", { subject: "auth" });
  world.clock.time += DAY;
  const second = await decide(world, "Passkeys", { subject: "login", supersedes: [first] });
  const { hits } = (await dispatch(recall, { query: "cookies for every browser", mode: "keyword" }, world)).answer;
  assert.deepEqual(idsOf(hits), [second], "recall does tell the way");
  assert.deepEqual(await held(world, "cookies for every browser", { mode: "keyword", threshold: 0 }), []);
});

test("a subject is known by a part of its words, by more of them, and misspelt", async () => {
  const world = await testWorld();
  const store = await decide(world, "Redis, one node", { subject: "session store" });
  await decide(world, "Three attempts", { subject: "retry policy" });
  for (const subject of ["session", "stores", "the session store of this app", "sesion stroe", "sessionstor"]) {
    const hits = await held(world, subject, { mode: "keyword", threshold: 1 });
    assert.deepEqual(
      hits.map(({ id, why }) => [id, why]),
      [[store, { entity: 1 }]],
      subject,
    );
  }
  assert.deepEqual(await held(world, "zebra crossing", { mode: "keyword", threshold: 1 }), []);
});

test("a chain that went on elsewhere is told beside what holds of the subject itself", async () => {
  const world = await testWorld();
  const begin = world.clock.now();
  const web = await decide(world, "JWT for the web");
  const cron = await decide(world, "Basic for cron");
  world.clock.time += DAY;
  const mutual = await decide(world, "Mutual TLS for cron", { subject: "service identity", supersedes: [cron] });
  assert.deepEqual(idsOf(await held(world, "auth")), [web, mutual]);
  assert.deepEqual(idsOf(await held(world, "auth", { at: iso(begin) })).toSorted(), [web, cron].toSorted());
  assert.deepEqual(idsOf(await held(world, "auth", { limit: 1 })), [web]);
  assert.deepEqual(idsOf(await held(world, "service identity", { at: iso(begin), limit: 1 })), [cron]);
});

test("history reaches as far back as the settings say, and tells only what has ended by now", async () => {
  const world = await testWorld({ recall: { validityWindowDays: 90 } });
  const begin = world.clock.now();
  const first = await decide(world, "Cookies");
  const next = await decide(world, "Tokens", { supersedes: [first], validFrom: iso(begin + DAY) });
  const behind = async (at?: number) => {
    const [hit] = await held(world, "auth", at === undefined ? {} : { at: iso(at) });
    return [hit?.id, idsOf(hit?.history ?? [])];
  };
  assert.deepEqual(await behind(begin + 2 * DAY), [next, []], "it still holds");
  world.clock.time = begin + 2 * DAY;
  assert.deepEqual(await behind(), [next, [first]]);
  world.clock.time = begin + 91 * DAY;
  assert.deepEqual(await behind(), [next, [first]]);
  world.clock.time += 1;
  assert.deepEqual(await behind(), [next, []]);
});

test("a record that is deprecated is kept as one that was turned down", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  mkdirSync(join(folder, "adr"));
  const text =
    "# 1. Use Postgres\n\n## Status\n\nDeprecated\n\n## Context\n\nWe choose.\n\n## Decision\n\nWe use it.\n";
  writeFileSync(join(folder, "adr", "0001-use-postgres.md"), text);
  const { items } = (await dispatch(importAdr, { path: "adr" }, world)).answer;
  assert.deepEqual(
    items.map(({ recorded, status }) => [recorded, status]),
    [["deprecated", "rejected"]],
  );
});

test("a decision does not take the place of a memory that other projects have too", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "I use tabs everywhere", { scope: "global" });
  const asked = dispatch(remember, { content: "Spaces here", type: "decision", supersedes: id }, world);
  await assert.rejects(asked, failsWith("invalid_input", /is global/));
});

test("an import that would break a chain leaves it as it is, and the rest comes in", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const first = await decide(world, "JWT");
  world.clock.time += DAY;
  const second = await decide(world, "Passkeys", { supersedes: [first] });
  const path = join(folder, "all.jsonl");
  await dispatch(exportAll, { path }, world);
  const lines = readFileSync(path, "utf8").split("\n");
  const ask = async (): Promise<Reply> => ({ action: "accept", values: { import: true } });
  const brought = async (id: string, set: object) => {
    const changed = lines.map((line) => {
      const said = (line === "" ? {} : JSON.parse(line)) as Record<string, unknown>;
      const isIt = said["shelf"] === "decision" && said["id"] === id && said["line"] === "item";
      return isIt ? JSON.stringify({ ...said, ...set, version: 9 }) : line;
    });
    writeFileSync(path, changed.join("\n"));
    const { updated, conflicts } = (await dispatch(importAll, { path }, world, { ask })).answer;
    return [updated, conflicts.map((conflict) => [conflict.id, conflict.reason])];
  };
  const reopened = await brought(first, { status: "active", validUntil: null });
  assert.deepEqual(reopened, [0, [[first, `would hold together with ${handleOf(second)}, which replaces it`]]]);
  assert.deepEqual(await brought(second, { supersededBy: first }), [0, [[second, "would eventually replace itself"]]]);
  assert.deepEqual(await brought(second, { priority: 9 }), [1, []]);
  const [hit, ...more] = await held(world, "auth");
  assert.deepEqual([hit?.id, idsOf(hit?.history ?? []), more], [second, [first], []]);
});

test("of a large kernel, what a new decision may have to do with is read and nothing else", async () => {
  const world = await testWorld();
  const template = await decisionOf(world, await decide(world, "Cookies", { subject: "browser" }));
  const make = (id: string, title: string, content: string, set: Partial<Item> = {}) => ({
    kind: "insert_item" as const,
    shelf: "decision" as const,
    embed: false,
    item: { ...template, id, title, content, hash: id, ...set },
    passages: [{ ordinal: 0, heading: null, text: content, startLine: 1, endLine: 1, tokens: null }],
  });
  const ended = { status: "superseded" as const, validFrom: 1, validUntil: 2 };
  const changes = [
    ...Array.from({ length: 60 }, (_, index) => make(`other-${index}`, `topic ${index}`, `choice${index} of colours`)),
    make("subject", "Retry-Policies", "nothing in common"),
    make("words", "elsewhere", "zebras retry twice"),
    make("before", "old", "replaced by the new one", { ...ended, supersededBy: "new" }),
    make("named", "named", "it leads on", { ...ended, supersededBy: "after" }),
    make("after", "after", "it came after"),
    make("ended", "ended", "zebras ended", ended),
    make("naming", "naming", "it names the new one", { details: { relates: ["new", "else"] } }),
    make("gone", "retry policy", "gone", { status: "archived" }),
  ];
  await world.project.apply(changes, world.origin);
  const about = { id: "new", named: ["named"], subject: "retry policy", text: "zebras", validUntil: null };
  const read = async (more: object = {}) => [...(await readDecisions(world, { ...about, ...more })).keys()].sort();
  const always = ["after", "before", "named", "naming", "subject", "words"];
  assert.deepEqual(await read(), always);
  assert.deepEqual(await read({ validUntil: 3 }), [...always, "ended"].sort(), "of the past, what held then counts");
  assert.equal((await read({ text: "colours" })).length, 55, "the nearest fifty are compared");
});
