/**
 * Purging: nothing of what was erased is left in any file, and everything else is.
 *
 * Bytes are searched, not tables: SQLite keeps deleted rows in free space, and the keyword
 * index keeps words of deleted passages until its segments merge.
 */
import assert from "node:assert/strict";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dryRunWorld } from "../../src/catalog/dry-run.ts";
import { keepEvidence } from "../../src/decisions/evidence.ts";
import { createAfterwards } from "../../src/machine/background.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { decisionsErased, erase, forget } from "../../src/memory/forget.ts";
import { getItem } from "../../src/memory/list.ts";
import { promote } from "../../src/memory/move.ts";
import { update } from "../../src/memory/update.ts";
import type { Embedder } from "../../src/ports.ts";
import type { World } from "../../src/world.ts";
import { decide } from "../decisions/decision-steps.ts";
import { bytesUnder, traceOf, wordsUnder } from "../maintenance/bytes.ts";
import { edgeBetween } from "../store/suite/edges.ts";
import { ask, itemIn, keep, temporaryFolder, testWorld } from "../test-world.ts";

const NO_EVIDENCE = { evidence: [], evidenceKept: [], evidenceShared: 0 };
const WORDS = [
  "zqxvermora",
  "zqxtulgey",
  "zqxwabegimble",
  "zqxmomerath",
  "zqxborogove",
  "zqxfrabjous",
  "zqxjabberwock",
];

test("no file holds a byte of what was erased: rows, words, vectors, journal, questions, backups", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const others = [];
  for (let count = 0; count < 40; count += 1) others.push((await keep(world, `a walrus sleeps on floe ${count}`)).id);
  const { id } = await keep(world, `the zqxvermora ferret ${"zqxjabberwock passage of text. ".repeat(120)}`, {
    title: "zqxtulgey",
    tags: ["zqxwabegimble"],
    context: { files: ["src/zqxmomerath.ts"] },
  });
  for (const store of [world.project, world.global]) await drain(store, world);
  await ask(world, "zqxfrabjous about the ferret and the walrus");
  await getItem({ id: id }, world);
  await world.afterwards.settle();
  await world.backups.take("asked");
  await update(id, { content: "the ferret zqxborogove", as: "revision" }, world);
  await promote(id, "global", world);
  await forget(id, 5, world);
  for (const store of [world.project, world.global]) await drain(store, world);
  const before = bytesUnder(folder);
  for (const word of WORDS) assert.ok(before.includes(traceOf(word)), `${word} was there`);

  assert.deepEqual(await erase(id, 5, world), { status: "erased", id, replaced: [], ...NO_EVIDENCE, traces: [] });
  const after = bytesUnder(folder);
  for (const word of WORDS) assert.ok(!after.includes(traceOf(word)), `${word} is left`);
  assert.equal(await itemIn(world, id, { scope: "global" }), undefined);
  assert.equal((await ask(world, "walrus floe 7", { limit: 50 })).hits.length, others.length);
  await Promise.all([world.project.close(), world.global.close()]);
  const atRest = bytesUnder(folder);
  for (const word of WORDS) assert.ok(!atRest.includes(traceOf(word)), `${word} came back`);
});

test("of a conversation nothing is left, not even who spoke: in the rows, their index, or the journal", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const talk = (name: string, text: string) => [
    { speaker: name, text: `${text} one`, at: 5 },
    { speaker: "Ann", text: `${text} two`, role: "user" as const },
  ];
  const { id: stays } = await keepEvidence({ turns: talk("Walrus", "on the ice") }, world);
  const { id } = await keepEvidence({ turns: talk("Zqxvermora", "the ferret"), title: "zqxtulgey" }, world);
  const { id: gone } = await keepEvidence({ turns: talk("Zqxborogove", "the stoat") }, world);
  await drain(world.project, world);
  await world.backups.take("asked");
  const item = (await itemIn(world, gone, { shelf: "evidence" }))!;
  await world.project.apply(
    [{ kind: "remove_item", shelf: "evidence", id: gone, expectedVersion: item.version }],
    world.origin,
  );
  const names = ["zqxvermora", "zqxtulgey", "zqxborogove"];
  assert.deepEqual(wordsUnder(folder, names), names, "they were there");
  assert.equal((await erase(id, 5, world)).status, "erased");
  assert.equal((await erase(gone, 5, world)).status, "erased");
  assert.deepEqual(wordsUnder(folder, names), [], "nothing is left");
  assert.deepEqual((await world.project.speakers("evidence", ["zqxvermora", "zqxborogove", "walrus", "ann"])).sort(), [
    "Ann",
    "Walrus",
  ]);
  assert.ok(await itemIn(world, stays, { shelf: "evidence" }));
});

test("vectors of what was erased, and of its earlier versions, are emptied; others stay", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const kept = await keep(world, "a walrus sleeps on the ice");
  const { id } = await keep(world, "the ferret bites");
  await drain(world.project, world);
  await update(id, { content: "the ferret bites now and then", as: "revision" }, world);
  await drain(world.project, world);
  await erase(id, 5, world);
  const db = new Sqlite(join(folder, "project.db"), { readonly: true });
  const rows = db.prepare<[], { scales: Buffer; vectors: Buffer }>("select scales, vectors from memory_vector_block");
  const [block] = rows.all();
  db.close();
  const scales = new Float32Array(new Uint8Array(block!.scales).buffer);
  assert.equal(scales.filter((scale) => scale !== 0).length, 1);
  const vectors = new Int8Array(block!.vectors);
  const dimensions = vectors.length / scales.length;
  const emptied = [...scales.keys()].filter((row) => scales[row] === 0);
  for (const row of emptied)
    assert.ok(vectors.subarray(row * dimensions, (row + 1) * dimensions).every((value) => value === 0));
  assert.equal((await ask(world, "walrus ice")).hits[0]?.id, kept.id);
});

test("what only the journal still knows is erased too", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { id } = await keep(world, "the zqxvermora ferret");
  const item = (await itemIn(world, id))!;
  await world.project.apply(
    [{ kind: "remove_item", shelf: "memory", id, expectedVersion: item.version }],
    world.origin,
  );
  assert.ok(bytesUnder(folder).includes(traceOf("zqxvermora")));
  assert.equal((await erase(id, 5, world)).status, "erased");
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxvermora")));
  const { records } = await world.project.journal({ itemIds: [id] }, { limit: 10, offset: 0 });
  assert.deepEqual(
    records.map(({ kind, before }) => [kind, "why" in before && before.why]),
    [
      ["purge_items", "absent"],
      ["remove_item", "erased"],
      ["insert_item", "absent"],
    ],
  );
});

for (const scope of ["project", "global"] as const)
  test(`what it replaced goes with it, what replaced it stays: ${scope}`, async () => {
    const folder = temporaryFolder();
    const world = await testWorld({ folder });
    const { id: first } = await keep(world, "the ferret zqxvermora", { scope });
    const { id: second } = await update(first, { content: "the ferret zqxborogove", as: "replacement" }, world);
    const { id: third } = await update(second, { content: "the ferret is tame", as: "replacement" }, world);
    assert.deepEqual(await erase(second, 5, world), {
      status: "erased",
      id: second,
      replaced: [first],
      ...NO_EVIDENCE,
      traces: [],
    });
    const bytes = bytesUnder(folder);
    for (const word of ["zqxvermora", "zqxborogove"]) assert.ok(!bytes.includes(traceOf(word)), word);
    assert.equal((await itemIn(world, third, { scope }))?.status, "active");
  });

test("what another project once had of it is erased there too", async () => {
  const folder = temporaryFolder();
  const elsewhere = await testWorld({ folder: join(folder, "spaces", "elsewhere") });
  const { id } = await keep(elsewhere, "the zqxvermora ferret");
  const here = await testWorld({ folder });
  const item = (await itemIn(elsewhere, id))!;
  await elsewhere.project.apply(
    [{ kind: "remove_item", shelf: "memory", id, expectedVersion: item.version }],
    elsewhere.origin,
  );
  await elsewhere.project.close();
  renameSync(join(folder, "spaces", "elsewhere", "project.db"), join(folder, "spaces", "other.db"));
  rmSync(join(folder, "spaces", "elsewhere"), { recursive: true });
  assert.ok(bytesUnder(folder).includes(traceOf("zqxvermora")));
  assert.deepEqual(await erase(id, 5, here), { status: "erased", id, replaced: [], ...NO_EVIDENCE, traces: [] });
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxvermora")));
});

test("what only a backup still has is erased there", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { backup } = await world.backups.take("asked");
  const { id } = await keep(world, "the zqxvermora ferret");
  await world.backups.restore(backup.id, ["project"]);
  assert.equal(await itemIn(world, id), undefined);
  assert.deepEqual(await erase(id, 5, world), { status: "erased", id, replaced: [], ...NO_EVIDENCE, traces: [] });
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxvermora")));
});

/** Where the id stands: every table and column of the file. */
function placesOf(id: string, file: string): string[] {
  const db = new Sqlite(file, { readonly: true });
  const tables = db.prepare<[], string>(`select name from sqlite_schema where type = 'table'`).pluck().all();
  const columns = db.prepare<[string], string>(`select name from pragma_table_info(?)`).pluck();
  const places = tables.flatMap((table) =>
    columns
      .all(table)
      .filter((column) => {
        const found = db.prepare<[string], number>(
          `select 1 from "${table}" where instr(cast("${column}" as text), ?) > 0`,
        );
        return found.pluck().get(id) === 1;
      })
      .map((column) => `${table}.${column}`),
  );
  db.close();
  return places;
}

test("its id is left in the journal alone, which says that it was erased", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { id } = await keep(world, "the ferret bites");
  const { id: other } = await keep(world, "the stoat bites");
  const [one, two] = [(await itemIn(world, id))!, (await itemIn(world, other))!];
  await world.project.apply([{ kind: "insert_edge", edge: edgeBetween("memory", one, two) }], world.origin);
  await getItem({ id: id }, world);
  await ask(world, "what does the ferret do");
  await world.afterwards.settle();
  const file = join(folder, "project.db");
  const before = placesOf(id, file);
  for (const place of ["access_log.item_id", "memory_item.id", "edge.source"]) assert.ok(before.includes(place), place);
  await erase(id, 5, world);
  assert.deepEqual(placesOf(id, file), ["journal.item_id"]);
});

test("what was asked just before, and is not noted yet, is gone as well", async () => {
  const folder = temporaryFolder();
  const base = await testWorld({ folder });
  const world: World = { ...base, afterwards: createAfterwards(base.log, 3_600_000) };
  const { id } = await keep(world, "the ferret bites");
  // In another store, whose notes know nothing of this one's.
  const { id: other } = await keep(world, "the stoat bites", { scope: "global" });
  const { hits } = await ask(world, "zqxfrabjous: who bites");
  assert.deepEqual(hits.map((hit) => hit.id).sort(), [id, other].sort());
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxfrabjous")), "it waits");
  await erase(id, 5, world);
  await world.afterwards.settle();
  assert.ok(placesOf(other, join(folder, "global.db")).includes("access_log.item_id"), "it was noted");
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxfrabjous")));
});

test("what another process notes after the erasure says nothing of it", async () => {
  const folder = temporaryFolder();
  const [here, there] = [await testWorld({ folder }), await testWorld({ folder })];
  const reader: World = { ...there, afterwards: createAfterwards(there.log, 3_600_000) };
  const { id } = await keep(here, "the ferret bites");
  const { id: other } = await keep(here, "the stoat bites");
  await ask(reader, "zqxfrabjous: who bites");
  await erase(id, 5, here);
  await reader.afterwards.settle();
  assert.ok(placesOf(other, join(folder, "project.db")).includes("access_log.item_id"), "it was noted");
  assert.deepEqual(placesOf(id, join(folder, "project.db")), ["journal.item_id"]);
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxfrabjous")));
});

test("a working memory that could not be cleaned at once can be tried again", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { id } = await keep(world, "the zqxvermora ferret", { scope: "working" });
  const held: World = { ...world, project: { ...world.project, compact: () => Promise.reject(new Error("full")) } };
  const first = (await erase(id, 5, held)) as { traces: string[] };
  assert.deepEqual(first.traces, [join(folder, "project.db")]);
  assert.deepEqual(await erase(id, 5, world), { status: "erased", id, replaced: [], ...NO_EVIDENCE, traces: [] });
  assert.ok(!bytesUnder(folder).includes(traceOf("zqxvermora")));
});

test("what is embedded while it is erased leaves no vector and no hash", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { id } = await keep(world, "the ferret bites");
  const embedder: Embedder = {
    ...world.embedder,
    async embed(texts) {
      await erase(id, 5, world);
      return world.embedder.embed(texts);
    },
  };
  await drain(world.project, { ...world, embedder });
  const db = new Sqlite(join(folder, "project.db"), { readonly: true });
  const left = ["embedding_cache", "memory_vector_block", "passage_queue"].map((table) =>
    db.prepare(`select count(*) from ${table}`).pluck().get(),
  );
  const pieces = db.prepare("select count(*) from memory_wordpiece where piece >= 0").pluck().get();
  db.close();
  assert.deepEqual([...left, pieces], [0, 0, 0, 0]);
});

test("the background goes with it, also the one it had before", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const { id } = await keep(world, "the ferret bites", { background: "It was zqxvermora who said so." });
  await drain(world.project, world);
  await update(id, { background: "It was zqxbellavi, in fact." }, world);
  await drain(world.project, world);
  await erase(id, 5, world);
  assert.deepEqual(wordsUnder(folder, ["zqxvermora", "zqxbellavi"]), []);
  const db = new Sqlite(join(folder, "project.db"), { readonly: true });
  const cached = db.prepare("select count(*) from embedding_cache").pluck().get();
  db.close();
  assert.equal(cached, 0);
});

test("a dry run erases nothing anywhere", async () => {
  const folder = temporaryFolder();
  const elsewhere = await testWorld({ folder: join(folder, "spaces", "elsewhere") });
  const { id } = await keep(elsewhere, "the zqxvermora ferret");
  await elsewhere.project.close();
  renameSync(join(folder, "spaces", "elsewhere", "project.db"), join(folder, "spaces", "other.db"));
  const here = await testWorld({ folder });
  await keep(here, "the zqxborogove ferret");
  await here.backups.take("asked");
  const { world, changes } = dryRunWorld(here);
  await erase(id, 5, world);
  assert.ok(changes.some(({ kind }) => kind === "purge_items"));
  const words = ["zqxvermora", "zqxborogove"];
  assert.deepEqual(wordsUnder(folder, words), words);
});

test("a decision that no journal knows, because its store was recovered, is asked about like any other", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const id = await decide(world, "Use JWT");
  const known = await decisionsErased(id, world);
  const db = new Sqlite(join(folder, "project.db"));
  db.exec("delete from journal_payload; delete from journal");
  db.close();
  const unknown = await decisionsErased(id, world);
  assert.deepEqual([known.count, unknown.count], [1, 1]);
  assert.ok(known.about !== null && unknown.about !== null && known.about !== unknown.about);
  assert.equal((await decisionsErased((await keep(world, "the ferret bites")).id, world)).about, null);
});

test("words and unknown ids erase nothing", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "the ferret bites");
  assert.equal((await erase("ferret", 5, world)).status, "candidates");
  await assert.rejects(erase("019bbef3-b000-7000-8000-000000000000", 5, world), { code: "not_found" });
  assert.ok(await itemIn(world, id));
});
