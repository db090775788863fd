/** Linking: every memory once, whoever does it, and nothing that a person said is changed by it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dryRunWorld } from "../../src/catalog/dry-run.ts";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { type Edge, newEdge } from "../../src/graph/edges.ts";
import { MADE_MOST } from "../../src/graph/likeness.ts";
import { linkMemories } from "../../src/graph/link-memories.ts";
import type { ChangeKind } from "../../src/journal/change.ts";
import { rollback } from "../../src/journal/rollback.ts";
import { startIdleWork } from "../../src/maintenance/idle.ts";
import { maintain } from "../../src/maintenance/maintain.ts";
import type { Store } from "../../src/store/store.ts";
import { exportItems } from "../../src/transfer/export.ts";
import type { World } from "../../src/world.ts";
import { inLane } from "../lane.ts";
import { apply, insertion, newItem, revision } from "../store/suite/trial.ts";
import { keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { EVERYTHING } from "../transfer/export-rounds.ts";
import { until } from "../until.ts";
import { unlikeText } from "./unlike-text.ts";

const BASE = "alpha bravo charlie delta echo";

const edgesOf = (world: World, id: string) => world.project.edgesOf("memory", [id], { limit: 100 });
const link = (world: World) => linkMemories(world.project, world);
const during = (world: TestWorld, call: string): World => ({ ...world, origin: { ...world.origin, call } });

/** Every edge between two of these, once, by its id. */
async function allEdges(world: World, ids: readonly string[]): Promise<Edge[]> {
  return world.project.edgesOf("memory", ids, { limit: 1_000 });
}

test("memories are linked by the words they share, as strongly as they share them", async () => {
  const world = await testWorld();
  const texts = ["alpha bravo charlie delta foxtrot", "alpha bravo charlie golf hotel india", "kilo lima mike"];
  const others = [];
  for (const text of texts) others.push((await keep(world, text)).id);
  const { id } = await keep(world, BASE);
  assert.equal(await link(world), 4);
  const found = (await edgesOf(world, id)).map(({ source, target, strength }) => [
    source === id ? target : source,
    Math.round(strength * 1_000) / 1_000,
  ]);
  assert.deepEqual(found, [
    [others[0], 0.667],
    [others[1], 0.375],
  ]);
  assert.equal(await link(world), 0, "nothing waits any more");
});

test("of many alike, each leads to at most eight, and no two are linked twice", async () => {
  const world = await testWorld();
  const ids: string[] = [];
  for (let number = 0; number < 40; number += 1)
    ids.push((await keep(world, `${BASE} number${number} extra${number % 7}`)).id);
  await link(world);
  const edges = await allEdges(world, ids);
  const pairs = edges.map(({ source, target }) => [source, target].sort().join(" "));
  assert.equal(new Set(pairs).size, pairs.length);
  for (const own of Map.groupBy(edges, ({ source }) => source).values()) assert.ok(own.length <= MADE_MOST);
  assert.ok(edges.length > 40);
  assert.ok(edges.every(({ source, target, made }) => made && source !== target));
});

const WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split(" ");

/** Texts that share more or fewer of ten words. */
const alikeTexts = (): string[] =>
  Array.from({ length: inLane({ fast: 24, long: 40, soak: 40 }) }, (_, number) => {
    const chosen = WORDS.filter((_word, index) => (number * (index + 2) + index) % 7 < 4);
    return `${chosen.join(" ")} number${number}`;
  });

const fourWorlds = async () => [await testWorld(), await testWorld(), await testWorld(), await testWorld()] as const;

const written = async (world: World) =>
  (await world.project.list("memory", { statuses: ["active"], now: 0 }, { limit: 100, offset: 0 })).items;

test("which edges are made, and where they lead, does not depend on how linking is divided", async () => {
  const texts = alikeTexts();
  const [each, atOnce, inParts, backwards] = await fourWorlds();
  for (const text of texts) {
    await keep(each, text);
    await link(each);
    for (const world of [atOnce, inParts]) await keep(world, text);
  }
  await link(atOnce);
  while ((await linkMemories(inParts.project, inParts, { limit: 5 })) > 0);
  // As an import may bring them: the newest is linked first.
  for (const item of (await written(each)).toSorted((one, two) => (one.id < two.id ? 1 : -1))) {
    await apply(backwards.project, insertion("memory", item));
    await link(backwards);
  }
  const edgesIn = async (world: World) => {
    const named = new Map((await written(world)).map(({ id, content }) => [id, content]));
    const edges = await allEdges(world, [...named.keys()]);
    for (const { source, target } of edges) assert.ok(source > target, "from the newer to the older");
    return edges.map((edge) => `${named.get(edge.source)} → ${named.get(edge.target)}`).sort();
  };
  const edges = await edgesIn(each);
  assert.ok(edges.length > 4 * texts.length, `${edges.length}`);
  assert.deepEqual(await edgesIn(atOnce), edges);
  assert.deepEqual(await edgesIn(inParts), edges);
  assert.deepEqual(await edgesIn(backwards), edges);
});

test("linking a memory again loses none of the many edges that lead to it", async () => {
  const world = await testWorld();
  const hub = await keep(world, BASE);
  const others = Array.from({ length: 120 }, (_, number) => newItem({ content: `${BASE} ${unlikeText(number)}` }));
  await apply(
    world.project,
    ...others.map((item) => insertion("memory", { ...item, createdAt: world.clock.time + 1 })),
  );
  const [{ after, upTo }, edges] = [
    (await world.project.unlinked(1_000))!,
    others.map((other) =>
      newEdge({
        shelf: "memory",
        source: other.id,
        target: hub.id,
        relation: "relates_to",
        strength: 0.8,
        bidirectional: true,
        status: "active",
        createdAt: 1,
        made: true,
      }),
    ),
  ];
  await apply(world.project, { kind: "link_memories", after, upTo, removed: [], made: edges });
  const incoming = async () =>
    (await world.project.edgesOf("memory", [hub.id], { limit: 1_000 })).filter(({ target }) => target === hub.id);
  assert.equal((await incoming()).length, 100);
  const content = `${BASE} foxtrot`;
  const [item] = await world.project.items("memory", [hub.id]);
  await apply(world.project, revision("memory", item!, { content, summary: content }, [content]));
  await link(world);
  assert.deepEqual(new Set((await incoming()).map(({ strength }) => strength)), new Set([5 / 8]), "as strong as now");
  assert.equal((await incoming()).length, 100);
});

test("two processes share the work, and nothing is linked twice", async () => {
  const folder = temporaryFolder();
  const worlds = [await testWorld({ folder }), await testWorld({ folder })];
  for (let number = 0; number < 80; number += 1) await keep(worlds[0]!, `${BASE} number${number}`);
  let linked = 0;
  while ((await worlds[0]!.project.unlinked(1)) !== null)
    for (const done of await Promise.all(worlds.map(link))) linked += done;
  assert.equal(linked, 80);
});

/** A process that is gone before it makes such a change. */
const dying = (kind: ChangeKind, store: Store): Store => ({
  ...store,
  apply: (changes, ...rest) =>
    changes.some((change) => change.kind === kind) || changes[0]?.kind === "release_lease"
      ? Promise.reject(new Error("killed"))
      : store.apply(changes, ...rest),
});

test("a crash loses nothing: once the lease has expired, another process links the same", async () => {
  const world = await testWorld();
  await keep(world, BASE);
  const { id } = await keep(world, `${BASE} foxtrot`);
  await assert.rejects(linkMemories(dying("link_memories", world.project), world), /killed/);
  assert.equal(await link(world), 0, "the dead process still holds the lease");
  const reports: string[] = [];
  const progress = { report: (_: number, __: number, text: string) => void reports.push(text) };
  const patient = linkMemories(world.project, { ...world, progress }, { patient: true });
  await until(async () => reports.length > 0);
  world.clock.time += 12_000;
  assert.equal(await patient, 2, "whoever is patient waits until it has expired, and says so");
  assert.equal((await edgesOf(world, id)).length, 1);
});

test("a new text is linked again: old edges go, edges from others are as strong as the texts are now", async () => {
  const world = await testWorld();
  const [one, two, three] = [
    await keep(world, BASE),
    await keep(world, `${BASE} foxtrot`),
    await keep(world, "kilo lima mike november oscar"),
  ];
  await link(world);
  assert.equal((await edgesOf(world, one.id)).length, 1);
  const content = "kilo lima mike november papa";
  const [item] = await world.project.items("memory", [one.id]);
  await apply(world.project, revision("memory", item!, { content, summary: content }, [content]));
  await link(world);
  const [edge, ...rest] = await edgesOf(world, one.id);
  assert.deepEqual([edge!.source, edge!.target, rest.length], [three.id, one.id, 0], "from the newer one");
  assert.deepEqual(await edgesOf(world, two.id), []);
});

test("code is not linked by its words, nor is what was replaced", async () => {
  const world = await testWorld();
  const { id } = await keep(world, BASE, { type: "code" });
  const old = await keep(world, `${BASE} foxtrot`);
  await keep(world, `${BASE} golf`, { supersedes: old.id });
  await link(world);
  assert.deepEqual([await edgesOf(world, id), await edgesOf(world, old.id)], [[], []]);
});

test("made edges are neither journaled nor exported, and do not stand in the way of a rollback", async () => {
  const world = await testWorld();
  const one = await keep(world, BASE);
  const two = await keep(during(world, "second"), `${BASE} foxtrot`);
  const before = await world.project.journal({}, { limit: 100, offset: 0 });
  await link(world);
  assert.deepEqual(await world.project.journal({}, { limit: 100, offset: 0 }), before);
  const { path } = await exportItems({ ...EVERYTHING, path: "all.jsonl", split: false }, world);
  assert.ok(!readFileSync(path, "utf8").includes('"line":"edge"'));
  await rollback({ call: "second" }, during(world, "undo"));
  assert.deepEqual([await edgesOf(world, one.id), await world.project.items("memory", [two.id])], [[], []]);
  await rollback({ call: "undo" }, during(world, "redo"));
  assert.equal(await link(world), 1, "what returns is linked again");
  assert.equal((await edgesOf(world, one.id)).length, 1);
});

test("what somebody dismissed is never made again", async () => {
  const world = await testWorld();
  const [one, two] = [await keep(world, BASE), await keep(world, `${BASE} foxtrot`)];
  const edge = newEdge({
    shelf: "memory",
    source: one.id,
    target: two.id,
    relation: "relates_to",
    strength: 1,
    bidirectional: true,
    status: "dismissed",
    createdAt: 1,
  });
  await world.project.apply([{ kind: "insert_edge", edge }], world.origin);
  await link(world);
  assert.deepEqual(await edgesOf(world, one.id), [edge]);
});

test("an idle process links without an embedder, and maintenance links everywhere", async () => {
  const world = await testWorld({ embedder: createNoEmbedder() });
  await keep(world, BASE);
  const { id } = await keep(world, `${BASE} foxtrot`);
  const idle = startIdleWork(world, { lookAgainMs: 1, longestMs: 600_000, upkeepMs: 600_000, expiryMs: 600_000 });
  await until(async () => (await edgesOf(world, id)).length === 1);
  idle.stop();
  await keep(world, `${BASE} golf`, { scope: "global" });
  assert.equal((await maintain(dryRunWorld(world).world))!.linked, 1, "a dry run ends, and links nothing");
  assert.equal((await maintain(world))!.linked, 1);
  assert.equal((await maintain(world))!.linked, 0);
});
