/** Exporting, on real files: what is in them, in which order, and what is never written over. */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Sqlite from "better-sqlite3-multiple-ciphers";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { CHAIN_START, entryHash, payloadHash } from "../../src/journal/chain.ts";
import type { ChainEntry } from "../../src/journal/journal.ts";
import { getItem } from "../../src/memory/list.ts";
import { exportItems, type ExportRequest } from "../../src/transfer/export.ts";
import operation from "../../src/transfer/verbs/export.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { EVERYTHING, fill } from "./export-rounds.ts";

type Line = Record<string, unknown> & { line: string; shelf: string; id: string };

const linesIn = (path: string): Line[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const out = (world: TestWorld, set: Partial<ExportRequest> = {}) =>
  exportItems({ ...EVERYTHING, path: "out.jsonl", ...set }, world);

test("shelves in their order, items by id, then who looked at them; twice is the same to the byte", async () => {
  const world = await testWorld();
  await fill(world, 60);
  const first = await out(world);
  const bytes = readFileSync(first.path);
  const [header, ...lines] = linesIn(first.path);
  assert.deepEqual(header, { stele: "export", format: 1 });
  const items = lines.filter(({ line }) => line === "item");
  const access = lines.filter(({ line }) => line === "access");
  assert.deepEqual(lines, [...items, ...access], "access comes last");
  const order = (all: Line[]) => all.map(({ shelf, id }) => `${Object.keys(first.byShelf).indexOf(shelf)} ${id}`);
  assert.deepEqual(order(items), order(items).toSorted());
  assert.deepEqual(order(access), order(access).toSorted());
  assert.ok(items.every((line) => !("accessedAt" in line) && !("accessCount" in line)));
  assert.deepEqual(
    [first.items, first.byShelf],
    [60, { memory: 10, decision: 10, proposal: 10, evidence: 10, document: 10, code: 10 }],
  );
  const { lines: counted, bytes: size } = first.files[0]!;
  assert.deepEqual([counted, size], [lines.length + 1, bytes.length]);
  assert.equal(statSync(first.path).mode & 0o777, 0o600);
  world.clock.time += 1_000_000;
  await out(world);
  assert.ok(readFileSync(first.path).equals(bytes));
});

test("reading an item changes no line but its access line", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The heron stands still");
  await keep(world, "The otter does not");
  const { path } = await out(world);
  const before = linesIn(path);
  world.clock.time += 5_000;
  await getItem({ id: id }, world);
  await world.afterwards.settle();
  await out(world);
  const [added, ...others] = linesIn(path).filter(
    (line) => !before.some((old) => JSON.stringify(old) === JSON.stringify(line)),
  );
  assert.deepEqual([added?.line, added?.id, added?.["accessCount"], others], ["access", id, 1, []]);
});

test("working memories stay; scopes, shelves and access are left out when not asked for", async () => {
  const world = await testWorld();
  const { id: project } = await keep(world, "The heron stands still");
  const { id: global } = await keep(world, "The keeper likes tea", { scope: "global" });
  await keep(world, "a passing thought", { scope: "working" });
  await keep(world, "herons first", { type: "decision" });
  await getItem({ id: project }, world);
  await world.afterwards.settle();
  const ids = async (set: Partial<ExportRequest>) =>
    linesIn((await out(world, set)).path)
      .slice(1)
      .map(({ id }) => id);
  assert.deepEqual(await ids({ shelves: ["memory"], access: false }), [project, global]);
  assert.deepEqual(await ids({ shelves: ["memory"], scopes: ["global"] }), [global]);
  assert.deepEqual((await ids({ shelves: ["proposal"] })).length, 1);
  assert.deepEqual(await ids({ shelves: ["code"] }), []);
});

test("a folder has one file a kind, and none for what is no longer there", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "herons first", { type: "decision" });
  await keep(world, "The heron stands still");
  const split = { split: true, path: "folder" };
  const { path, files } = await out(world, split);
  assert.deepEqual(readdirSync(path).sort(), ["memory.jsonl", "proposal.jsonl"]);
  assert.deepEqual(
    files.map((file) => file.lines),
    [2, 2],
  );
  for (const file of files) assert.deepEqual(linesIn(file.path)[0], { stele: "export", format: 1 } as unknown as Line);
  writeFileSync(join(path, "README.md"), "mine");
  const [proposal] = await world.project.items("proposal", [id]);
  await world.project.apply(
    [{ kind: "remove_item", shelf: "proposal", id, expectedVersion: proposal!.version }],
    world.origin,
  );
  await out(world, { ...split, shelves: ["memory"] });
  assert.deepEqual(
    readdirSync(path).sort(),
    ["README.md", "memory.jsonl", "proposal.jsonl"],
    "not asked for, not touched",
  );
  await out(world, split);
  assert.deepEqual(readdirSync(path).sort(), ["README.md", "memory.jsonl"]);
});

test("the journal comes with its head and can be verified from the file alone", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The heron stands still");
  await keep(world, "The heron has gone", { supersedes: id });
  await keep(world, "The keeper likes tea", { scope: "global" });
  const lines = linesIn((await out(world, { journal: true, access: false })).path).filter(
    ({ line }) => line !== "item",
  );
  for (const store of ["project", "global"]) {
    const own = lines.filter((line) => line["store"] === store);
    let last = CHAIN_START;
    for (const { line, store: _, ...entry } of own.slice(0, -1)) {
      assert.equal(line, "entry");
      const whole = { ...entry, at: Date.parse(entry["at"] as string) } as unknown as ChainEntry;
      last = entryHash(last, whole);
      assert.equal(last, whole.hash);
      assert.equal(whole.payloadHash, whole.payload && payloadHash(whole.payload));
    }
    assert.deepEqual(own.at(-1), { line: "head", store, length: own.length - 1, hash: last } as unknown as Line);
  }
  assert.equal(lines.length, 1 + 3 + 1 + 2);
});

test("what takes more than one page is whole", async () => {
  const world = await testWorld();
  const insertions = Array.from({ length: 501 }, () => insertion("memory", newItem()));
  await world.project.apply(insertions, world.origin);
  const { path, items } = await out(world, { journal: true, access: false });
  const lines = linesIn(path).slice(1);
  const ids = lines.filter(({ line }) => line === "item").map(({ id }) => id);
  const entries = lines.filter(({ line }) => line === "entry").map((line) => line["seq"]);
  assert.deepEqual([items, new Set(ids).size, entries], [501, 501, Array.from({ length: 501 }, (_, seq) => seq + 1)]);
});

test("nothing is written over unasked, or that is not an earlier export, and nothing through a link", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  await keep(world, "The heron stands still");
  const at = (name: string) => join(folder, name);
  writeFileSync(at("mine.txt"), "my own words");
  writeFileSync(at("empty"), "");
  writeFileSync(at("victim.jsonl"), '{"stele":"export","format":1}\n');
  symlinkSync(at("victim.jsonl"), at("link.jsonl"));
  symlinkSync(at("nowhere"), at("dangling.jsonl"));
  mkdirSync(at("folder"));
  symlinkSync(at("folder"), at("to-folder"));
  mkdirSync(at("mixed"));
  writeFileSync(at("mixed/evidence.jsonl"), "my own words");
  const before = readdirSync(folder, { recursive: true }).sort();
  const cases: [string, boolean, string][] = [
    ["mine.txt", false, "conflict"],
    ["empty", false, "conflict"],
    ["link.jsonl", false, "invalid_input"],
    ["dangling.jsonl", false, "invalid_input"],
    ["folder", false, "invalid_input"],
    ["victim.jsonl", true, "invalid_input"],
    ["to-folder", true, "invalid_input"],
    ["mixed", true, "conflict"],
    ["mine.txt/below", false, "invalid_input"],
  ];
  for (const [path, split, code] of cases) await assert.rejects(out(world, { path, split }), { code }, path);
  assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
  assert.equal(readFileSync(at("victim.jsonl"), "utf8"), '{"stele":"export","format":1}\n');
  await assert.rejects(out(world, { path: "victim.jsonl", overwrite: false }), { code: "conflict" });
  assert.equal(readFileSync(at("victim.jsonl"), "utf8"), '{"stele":"export","format":1}\n');
  await out(world, { path: "victim.jsonl" });
  assert.equal(linesIn(at("victim.jsonl")).length, 2);
});

test("an export that fails leaves the earlier one as it was, all files of it", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  await keep(world, "The heron stands still");
  await keep(world, "herons first", { type: "decision" });
  const { path } = await out(world, { split: true, path: "folder" });
  const state = () =>
    readdirSync(path)
      .sort()
      .map((name) => [name, readFileSync(join(path, name), "utf8")]);
  const before = state();
  await keep(world, "The otter does not");
  const db = new Sqlite(join(folder, "project.db"));
  db.exec("drop table evidence_passage");
  db.close();
  await assert.rejects(out(world, { split: true, path: "folder" }), /evidence_passage/);
  assert.deepEqual(state(), before);
});

test("the verb: defaults by what it is for, a dry run that writes nothing", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  await fill(world, 60);
  const run = async (input: object, dryRun = false) => (await dispatch(operation, input, world, { dryRun })).answer;
  const whole = await run({ path: "whole.jsonl" });
  assert.deepEqual(Object.keys(whole.byShelf), ["memory", "decision", "proposal", "evidence"]);
  assert.deepEqual(
    new Set(
      linesIn(whole.path)
        .slice(1)
        .map((line) => line["scope"]),
    ),
    new Set(["project", "global"]),
  );
  const earlier = readFileSync(whole.path, "utf8");
  await keep(world, "The heron stands still");
  await assert.rejects(run({ path: "whole.jsonl" }), { code: "conflict", hint: /overwrite/ });
  await assert.rejects(run({ path: "whole.jsonl" }, true), { code: "conflict" });
  assert.equal(readFileSync(whole.path, "utf8"), earlier);
  await run({ path: "whole.jsonl", overwrite: true });
  assert.notEqual(readFileSync(whole.path, "utf8"), earlier);
  const split = await run({ path: "folder", split: true, access: false });
  await run({ path: "folder", split: true, access: false });
  const scopes = split.files.flatMap(({ path }) =>
    linesIn(path)
      .slice(1)
      .map((line) => line["scope"]),
  );
  assert.deepEqual([new Set(scopes), split.files.length], [new Set(["project"]), 4]);
  const tried = await run({ path: "never.jsonl", shelf: ["code"], scope: ["project"] }, true);
  assert.ok(tried.files[0]!.bytes > 0 && tried.items > 0);
  assert.ok(!readdirSync(folder).includes("never.jsonl"));
  await assert.rejects(run({ path: "x", scope: ["working"] }), { code: "invalid_input" });
});
