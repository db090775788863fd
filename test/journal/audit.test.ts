/** The account of what was changed, over both stores, and what it says when somebody edits the file behind its back. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { audit, type AuditRequest } from "../../src/journal/audit.ts";
import { CHAIN_START, entryHash } from "../../src/journal/chain.ts";
import type { ChainEntry } from "../../src/journal/journal.ts";
import operation from "../../src/journal/verbs/audit.ts";
import { forget } from "../../src/memory/forget.ts";
import { handleOf, identityOf } from "../../src/memory/handles.ts";
import { promote } from "../../src/memory/move.ts";
import { update } from "../../src/memory/update.ts";
import type { World } from "../../src/world.ts";
import { READER } from "../catalog/reader.ts";
import { keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";

const look = (world: World, set: Partial<AuditRequest> = {}) =>
  audit({ query: {}, limit: 20, offset: 0, verify: false, ...set }, world);

/** A world whose changes are made by this verb, in a call of its own. */
const as = (world: TestWorld, verb: string): TestWorld => ({
  ...world,
  origin: { ...world.origin, verb, call: `call of ${verb}` },
});

const purging = (world: World, id: string) =>
  world.project.apply([{ kind: "purge_items", ids: [id], queries: [] }], world.origin);

test("who, how, when, what, before and after; of a revision only what differs", async () => {
  const world = await testWorld();
  const { id } = await keep(as(world, "remember"), "Deploys need the VPN", { tags: ["ops"] });
  world.clock.time += 1_000;
  await update(id, { content: "Deploys always need the VPN", priority: 8, as: "revision" }, as(world, "update"));
  world.clock.time += 1_000;
  await forget(id, 5, as(world, "forget"));
  const { entries, total, verification } = await look(world, { id });
  const common = {
    store: "project",
    host: "test",
    session: "session",
    by: null,
    space: "space",
    shelf: "memory",
    ...identityOf(id),
  };
  const kept = { ...common, kind: "revise_item", beforeNote: null, afterNote: null };
  assert.deepEqual([total, verification], [3, null]);
  assert.deepEqual(entries.slice(0, 2), [
    {
      ...kept,
      call: "call of forget",
      number: 3,
      at: "2026-01-15T00:00:02.000Z",
      verb: "forget",
      before: { status: "active" },
      after: { status: "archived" },
    },
    {
      ...kept,
      call: "call of update",
      number: 2,
      at: "2026-01-15T00:00:01.000Z",
      verb: "update",
      before: { content: "Deploys need the VPN", priority: 5 },
      after: { content: "Deploys always need the VPN", priority: 8 },
    },
  ]);
  const { after, ...inserted } = entries[2]!;
  assert.partialDeepStrictEqual(inserted, { ...common, kind: "insert_item", before: null, beforeNote: null });
  assert.partialDeepStrictEqual(after, { content: "Deploys need the VPN", priority: 5, tags: ["ops"] });
  assert.equal(after && ("accessCount" in after || "expiresAt" in after), false);
  await assert.rejects(look(world, { id: "nobody" }), { code: "not_found" });
});

/** By how many milliseconds each is written after the one before it, and where. */
const THINGS: [step: number, scope: "project" | "global"][] = [
  [0, "project"],
  [1, "global"],
  [0, "project"],
  [1, "project"],
  [-3, "project"],
  [1, "global"],
  [1, "project"],
  [9, "global"],
];

test("both stores make one list, newest first, in pages that meet, even when a clock was set back", async () => {
  const world = await testWorld();
  for (const [number, [step, scope]] of THINGS.entries()) {
    world.clock.time += step;
    await keep(world, `${number}`, { scope });
  }
  const all = (await look(world)).entries;
  // Within a store the order of writing counts, also for what was written after the clock was set back.
  assert.deepEqual(
    all.map(({ after }) => after?.["content"]),
    ["7", "6", "5", "1", "4", "3", "2", "0"],
  );
  const pages = [];
  for (let offset = 0; offset < 10; offset += 3) pages.push(...(await look(world, { limit: 3, offset })).entries);
  assert.deepEqual(pages, all);
  const recent = await look(world, { query: { after: world.clock.time } });
  assert.deepEqual([recent.total, recent.entries[0]?.after?.["content"]], [1, "7"]);
});

test("a promotion shows in both stores, the later half first", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Deploys need the VPN");
  await promote(id, "global", as(world, "promote"));
  const { entries } = await look(world, { id, query: { verb: "promote" } });
  assert.deepEqual(
    entries.map(({ store, kind, before, after }) => [store, kind, before?.["scope"], after?.["scope"]]),
    [
      ["project", "remove_item", "project", undefined],
      ["global", "insert_item", undefined, "global"],
    ],
  );
});

test("an update that moves shows in both stores, under one call", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Deploys need the VPN", { scope: "global" });
  await update(id, { scope: "project", priority: 9 }, as(world, "update"));
  const { entries } = await look(world, { id, query: { verb: "update" } });
  assert.deepEqual(
    entries
      .map(({ store, kind, before, after }) => [store, kind, before?.["priority"], after?.["priority"]])
      .toSorted(),
    [
      ["global", "remove_item", 5, undefined],
      ["project", "insert_item", undefined, 9],
    ],
  );
  assert.equal(new Set(entries.map(({ call }) => call)).size, 1);
});

test("what was erased or never kept is said to be so", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Deploys need the VPN");
  await update(id, { priority: 8 }, world);
  await purging(world, id);
  const notes = async (request: Partial<AuditRequest>) =>
    (await look(world, request)).entries.map(({ kind, before, beforeNote, after, afterNote }) => [
      ...[kind, beforeNote, afterNote],
      before === null && after === null,
    ]);
  assert.deepEqual(await notes({ id }), [
    ["purge_items", "erased", null, true],
    ["revise_item", "erased", "erased", true],
    ["insert_item", null, "erased", true],
  ]);
  const { entries, verification } = await look(world, { verify: true });
  assert.deepEqual([entries.length, verification], [3, { ok: true, checked: 3, count: 0, problems: [] }]);
});

interface Tampering {
  sql: string;
  named: string[];
}

const exchange = (one: number, other: number) =>
  [
    [one, 1_000],
    [other, one],
    [1_000, other],
  ]
    .map(([from, to]) => `update journal set seq = ${to} where seq = ${from}`)
    .join(";");

/** Six entries: two memories are kept (1, 2), both revised (3, 4), one forgotten (5), a third kept (6). */
const TAMPERINGS: Record<string, Tampering> = {
  "nothing at all": { sql: "", named: [] },
  "an edited entry": { sql: `update journal set verb = 'forget' where seq = 3`, named: ["edited 3"] },
  "an edited hash": { sql: `update journal set hash = zeroblob(32) where seq = 6`, named: ["edited 6"] },
  "another item": { sql: `update journal set item_id = 'x' where seq = 1`, named: ["edited 1"] },
  "an entry of a shelf there is not": { sql: `update journal set shelf = 'x; --' where seq = 6`, named: ["edited 6"] },
  "a time there is not": { sql: `update journal set at = 9e17 where seq = 2`, named: ["edited 2"] },
  "a deleted entry": { sql: `delete from journal where seq = 4`, named: ["missing 4"] },
  "entries that changed places": { sql: exchange(2, 5), named: ["moved 2"] },
  "neighbours that changed places": { sql: exchange(5, 6), named: ["moved 5"] },
  "a cut-off tail": { sql: `delete from journal where seq >= 5`, named: ["cut_off 5"] },
  "an emptied journal": { sql: `delete from journal`, named: ["cut_off 1"] },
  "an added entry": {
    sql: `insert into journal select 7, 7, at, verb, host, session, call, space, kind, shelf, 'x', null, hash from journal where seq = 6`,
    named: ["beyond_head 7"],
  },
  "a number below the first": {
    sql: `update journal set seq = -9 where seq = 6`,
    named: ["beyond_head -9", "cut_off 6"],
  },
  "an edited before-image": {
    sql: `update journal_payload set payload = replace(payload, 'Alpha', 'Omega') where seq = 5`,
    named: ["payload_edited 5"],
  },
  "a before-image that is none": {
    sql: `update journal_payload set payload = '{"before":{"content":7' where seq = 3`,
    named: ["payload_edited 3"],
  },
  "a deleted before-image": { sql: `delete from journal_payload where seq = 5`, named: ["payload_missing 5"] },
  "an edited head": { sql: `update journal_head set hash = zeroblob(32)`, named: ["head 6"] },
  "a head that counts wrong": { sql: `update journal_head set length = 4`, named: ["head 4"] },
  "a head that counts too far": { sql: `update journal_head set length = 9`, named: ["head 9"] },
  "a lost head": { sql: `delete from journal_head`, named: ["head 0", "beyond_head 1"] },
};

async function sixEntries(folder: string): Promise<TestWorld> {
  const world = await testWorld({ folder });
  const [alpha, beta] = [await keep(world, "Alpha holds"), await keep(world, "Beta holds")];
  await update(alpha.id, { priority: 8 }, world);
  await update(beta.id, { title: "Beta" }, world);
  await forget(alpha.id, 5, world);
  await keep({ ...world, origin: { ...world.origin, session: "session six" } }, "Gamma holds");
  return world;
}

const TABLES = ["journal_payload", "journal", "journal_head"];

test("every kind of tampering with the file is named, and nothing else is", async (context) => {
  const folder = temporaryFolder();
  const world = await sixEntries(folder);
  const db = new Sqlite(join(folder, "project.db"));
  db.pragma("foreign_keys = off");
  db.exec(`attach ':memory:' as saved`);
  for (const table of TABLES) db.exec(`create table saved.${table} as select * from main.${table}`);
  for (const [what, { sql, named }] of Object.entries(TAMPERINGS)) {
    await context.test(what, async () => {
      db.exec(sql);
      const { verification } = await look(world, { verify: true });
      assert.deepEqual(problemsIn(verification), named);
      assert.equal(verification?.ok, named.length === 0);
    });
    for (const table of TABLES)
      db.exec(`delete from main.${table}; insert into main.${table} select * from saved.${table}`);
  }
  db.close();
});

const problemsIn = (verification: Awaited<ReturnType<typeof audit>>["verification"]) =>
  verification?.problems.map(({ problem, number }) => `${problem} ${number}`);

test("bytes that were changed in the file itself are named too, and only in their store", async () => {
  const folder = temporaryFolder();
  const world = await sixEntries(folder);
  await Promise.all([world.project.close(), world.global.close()]);
  const file = join(folder, "project.db");
  const bytes = readFileSync(file);
  const [from, to] = ["session six", "session sex"].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  let found = 0;
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at), found += 1) to.copy(bytes, at);
  assert.equal(found, 2, "in the row of the item and in the journal");
  writeFileSync(file, bytes);
  const { verification } = await look(await testWorld({ folder }), { verify: true });
  assert.deepEqual([verification?.checked, verification?.problems.map(({ store }) => store)], [6, ["project"]]);
  assert.deepEqual(problemsIn(verification), ["edited 6"]);
});

test("what others write and erase during the verification is no fault", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Alpha holds");
  await update(id, { priority: 8 }, world);
  const project = {
    ...world.project,
    async chainHead() {
      const head = await world.project.chainHead();
      await keep(world, `Written after ${head.length}`);
      await purging(world, id);
      return head;
    },
  };
  const { verification } = await look({ ...world, project }, { verify: true });
  assert.deepEqual(verification, { ok: true, checked: 4, count: 0, problems: [] });
});

test("a long journal is verified in portions", async () => {
  const world = await testWorld();
  const entries: ChainEntry[] = [];
  for (let seq = 1; seq <= 2_010; seq += 1) {
    const origin = { verb: "remember", host: "test", session: "session", call: "call", space: "space" };
    const entry = { seq, transaction: 1, at: seq, ...origin, kind: "insert_item", shelf: "memory" } as const;
    const whole = { ...entry, itemId: `item-${seq}`, payloadHash: null, payload: null };
    entries.push({ ...whole, hash: entryHash(entries.at(-1)?.hash ?? CHAIN_START, whole) });
  }
  await world.project.apply([{ kind: "adopt_journal", entries }], world.origin);
  const forged = entries.with(2_004, { ...entries[2_004]!, verb: "forget" });
  await world.global.apply([{ kind: "adopt_journal", entries: forged }], world.origin);
  const { verification } = await look(world, { verify: true, limit: 1 });
  assert.deepEqual([verification?.checked, problemsIn(verification)], [4_020, ["edited 2005"]]);
});

test("a person reads one line for each call and one for each change, and what is wrong", async () => {
  const folder = temporaryFolder();
  const world = await sixEntries(folder);
  const input = operation.input.parse({ verify: true });
  const answer = await operation.run(input, world, null);
  assert.deepEqual(operation.output.parse(answer), answer);
  const [alpha, beta] = [answer.entries.at(-1)!.id, answer.entries.at(-2)!.id];
  const text = operation.render(answer, READER);
  assert.match(text, /^2026-01-15 00:00 {2}test via test, session session six {2}\(call call\)\n {2}added /);
  assert.ok(text.includes(`\n  changed memory ${handleOf(alpha)}, project 5\n    status: active → archived\n`), text);
  assert.ok(text.includes(`\n  changed memory ${handleOf(beta)}, project 4\n    title: none → Beta\n`), text);
  assert.ok(text.endsWith(`    Alpha holds\n6 of 6\nJournal: 6 entries checked, all intact.`), text);
  assert.equal(operation.isBad?.(answer), false);
  await purging(world, alpha);
  const db = new Sqlite(join(folder, "project.db"));
  db.exec(`update journal set verb = 'a' || char(10) || 'forged line' where seq = 2`);
  db.close();
  const edited = await operation.run(operation.input.parse({ verify: true, id: alpha }), world, null);
  const shown = operation.render(edited, READER).split("\n");
  assert.equal(shown.filter((line) => line.includes("before: erased")).length, 3);
  assert.deepEqual(shown.slice(-2), [
    "Journal: 7 entries checked, 1 problem.",
    "  project: Entry 2 does not agree with its hash: it was edited, or entry 1 was replaced together with its hash.",
  ]);
  assert.equal(operation.isBad?.(edited), true);
});
