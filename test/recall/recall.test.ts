/** Recall: modes and what they fall back to, recipes, filters, thresholds, degradation, and what it leaves behind. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { Failure } from "../../src/errors.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { forget } from "../../src/memory/forget.ts";
import type { Store } from "../../src/store/store.ts";
import { putFile } from "../files/corpus-steps.ts";
import { ask, itemIn, keep, testWorld } from "../test-world.ts";

const idsOf = ({ hits }: { hits: { id: string }[] }) => hits.map(({ id }) => id);

async function zooWorld(...settings: Parameters<typeof testWorld>) {
  const world = await testWorld(...settings);
  const { id: walrus } = await keep(world, "The walrus sleeps on the ice", { tags: ["animal"] });
  const { id: heron } = await keep(world, "A heron stands in the river", { type: "gotcha", priority: 8 });
  const { id: prefers } = await keep(world, "The keeper prefers dark mode", { type: "preference" });
  return { world, walrus, heron, prefers };
}

describe("modes", () => {
  test("hybrid asks words and meaning, the others one of them, and a hit says who found it", async () => {
    const { world, walrus } = await zooWorld();
    const rankersOf = async (mode: "hybrid" | "keyword" | "semantic") => {
      const answer = await ask(world, "walrus sleeping on ice", { mode });
      assert.deepEqual([answer.mode, answer.degraded, answer.hits[0]?.id], [mode, null, walrus]);
      return Object.keys(answer.hits[0]!.why).toSorted();
    };
    assert.deepEqual(await rankersOf("hybrid"), ["keyword", "soft", "vector"]);
    assert.deepEqual(await rankersOf("keyword"), ["keyword"]);
    assert.deepEqual(await rankersOf("semantic"), ["vector"]);
  });
  test("scores order the answer and the best is 1", async () => {
    const { world } = await zooWorld();
    const { hits } = await ask(world, "walrus heron keeper");
    const scores = hits.map(({ score }) => score);
    assert.equal(scores.length, 3);
    assert.equal(scores[0], 1);
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    );
  });
  test("words that are nowhere fall back to parts of words", async () => {
    const { world, heron } = await zooWorld();
    const answer = await ask(world, "eron stan", { mode: "keyword" });
    assert.deepEqual(idsOf(answer), [heron]);
    assert.deepEqual(Object.keys(answer.hits[0]!.why), ["substring", "priority"]);
    assert.deepEqual((await ask(world, "nowhere", { mode: "keyword" })).hits, []);
  });
  test("a question of signs alone looks for them as they are written", async () => {
    const world = await testWorld();
    const { id } = await keep(world, "Write a => b for arrows");
    await keep(world, "Write a -> b for pointers");
    for (const mode of ["keyword", "hybrid"] as const) {
      const { hits } = await ask(world, "=>", { mode });
      assert.equal(hits[0]?.id, id, mode);
      assert.ok("substring" in hits[0]!.why, mode);
    }
    assert.deepEqual((await ask(world, "%%", { mode: "keyword" })).hits, []);
  });
  test("the limit holds, and both stores are asked", async () => {
    const { world, walrus, prefers } = await zooWorld();
    assert.equal((await ask(world, "the walrus keeper heron", { limit: 2 })).hits.length, 2);
    assert.equal((await ask(world, "walrus", { mode: "keyword" })).hits[0]?.id, walrus);
    const [hit] = (await ask(world, "dark mode", { mode: "keyword" })).hits;
    assert.deepEqual([hit?.id, hit?.scope], [prefers, "global"]);
  });
  test("equal matches: the project's stands before the person's own", async () => {
    const world = await testWorld();
    const { id: mine } = await keep(world, "Tabs are four wide", { scope: "global" });
    const { id: here } = await keep(world, "Tabs are four wide", { scope: "project" });
    assert.deepEqual(idsOf(await ask(world, "tabs wide")), [here, mine]);
  });
});

describe("without a model", () => {
  test("hybrid and semantic answer by words and say why", async () => {
    const { world, walrus } = await zooWorld({ embedder: createNoEmbedder() });
    for (const mode of ["hybrid", "semantic"] as const) {
      const answer = await ask(world, "walrus", { mode });
      assert.deepEqual([answer.mode, answer.degraded], ["keyword", "no embedder, searched by words only"]);
      assert.deepEqual(idsOf(answer), [walrus]);
    }
    assert.equal((await ask(world, "walrus", { mode: "keyword" })).degraded, null, "nothing is missing then");
  });
  test("an embedder that fails is no error either", async () => {
    const embedder = createHashEmbedder();
    const { world, walrus } = await zooWorld({ embedder });
    await embedder.close();
    const answer = await ask(world, "walrus");
    assert.deepEqual([answer.mode, idsOf(answer)], ["keyword", [walrus]]);
    assert.match(answer.degraded!, /words only: The embedder is closed/);
  });
  test("a model that takes too long is not waited for", async () => {
    const slow = { ...createHashEmbedder(), embed: () => new Promise<never>(() => undefined) };
    const { world, walrus } = await zooWorld({ embedder: slow, recall: { modelWaitMs: 20, drainPassages: 0 } });
    const answer = await ask(world, "walrus");
    assert.deepEqual([answer.mode, idsOf(answer)], ["keyword", [walrus]]);
    assert.match(answer.degraded!, /still loading/);
  });
  test("a missing table of wordpieces is told, and all else answers", async () => {
    for (const embedder of [createHashEmbedder(), createNoEmbedder()]) {
      const { world, walrus } = await zooWorld({ embedder });
      const refuse = () => Promise.reject(new Failure("unavailable", "The table is missing.", "Install again."));
      const without = (store: Store): Store => ({ ...store, wordpieceScores: refuse, nearestByWordpieces: refuse });
      const bare = { ...world, project: without(world.project), global: without(world.global) };
      const { hits, degraded } = await ask(bare, "walrus sleeping on ice");
      assert.equal(hits[0]?.id, walrus);
      assert.match(degraded ?? "", /no soft keywords: The table is missing\.$/);
      assert.equal("soft" in hits[0]!.why, false);
    }
  });
  test("what waits on other shelves is in nobody's way", async () => {
    const { world, walrus } = await zooWorld({ recall: { drainPassages: 3 } });
    for (const name of ["a", "b", "c", "d"]) await putFile(world, `${name}.ts`, `export const ${name} = 1;\n`);
    const { hits, degraded } = await ask(world, "sleeping on ice", { mode: "semantic" });
    assert.deepEqual([hits[0]?.id, degraded], [walrus, null]);
  });
  test("what has no vector yet is judged by its words, and not beneath what merely has one", async () => {
    const world = await testWorld({ recall: { drainPassages: 0 } });
    for (const animal of ["walrus", "heron", "stork", "otter"]) await keep(world, `The ${animal} sleeps in the river`);
    await drain(world.project, world);
    const { id } = await keep(world, "Computes the sunset time of a lighthouse");
    const { hits, degraded } = await ask(world, "sunset time of the lighthouse");
    assert.deepEqual([hits[0]?.id, degraded], [id, "1 passage is not embedded yet: `stele backfill` embeds it"]);
  });
  test("of several kinds with passages that wait, each is told in full", async () => {
    const { world } = await zooWorld({ recall: { drainPassages: 0 } });
    await putFile(world, "a.ts", "export const a = 1;\n");
    const { degraded } = await ask(world, "walrus", { shelves: ["memory", "code"] });
    const told = (count: number) =>
      count === 1
        ? "1 passage is not embedded yet: `stele backfill` embeds it"
        : `${count} passages are not embedded yet: \`stele backfill\` embeds them`;
    assert.equal(degraded, [3, 1].map(told).join("; "));
  });
  test("passages that still wait are owned up to", async () => {
    const { world } = await zooWorld({ recall: { drainPassages: 1 } });
    const owned = "3 passages are not embedded yet: `stele backfill` embeds them";
    assert.equal((await ask(world, "walrus")).degraded, owned);
    assert.equal((await ask(world, "walrus")).degraded, owned, "a backlog does not make questions wait");
    await drain(world.project, world);
    assert.equal((await ask(world, "walrus")).degraded, null, "the last one is embedded first");
  });
});

describe("recipes", () => {
  test("every recipe finds it; `weighted` takes its weights from the settings", async () => {
    const { world, walrus } = await zooWorld({ recall: { vectorWeight: 0, keywordWeight: 1 } });
    const recipes = [
      ["own", ["keyword", "soft", "vector"]],
      ["rrf", ["keyword", "vector"]],
      ["weighted", ["keyword"]],
    ] as const;
    for (const [recipe, expected] of recipes) {
      const { hits } = await ask(world, "walrus on the ice", { recipe });
      assert.equal(hits[0]?.id, walrus, recipe);
      const rankers = Object.keys(hits[0]!.why).toSorted();
      assert.deepEqual(rankers, expected, recipe);
    }
  });
  test("`rrf` weighs names and times as the settings say", async () => {
    const weights = { recipe: "rrf", rrfEntityWeight: 3, rrfTemporalWeight: 3 } as const;
    for (const recall of [weights, { recipe: "rrf" } as const]) {
      const world = await testWorld({ recall });
      // Of a type that does not fade, so that age alone decides nothing.
      const type = "architecture";
      const { id: named } = await keep(world, "Retries wait longer and longer", {
        type,
        context: { files: ["src/queue.ts"] },
      });
      const content = "Retries of src/queue.ts, said once more: retries of src/queue.ts";
      const { id: plain } = await keep(world, content, { type });
      const isWeighed = "rrfEntityWeight" in recall;
      const byName = (await ask(world, "retries in src/queue.ts")).hits;
      assert.deepEqual([byName[0]?.id, "entity" in byName[0]!.why], isWeighed ? [named, true] : [plain, false]);
      world.clock.time += 40 * 86_400_000;
      const { id: late } = await keep(world, "Retries are logged now", { type });
      const byTime = (await ask(world, "how much longer retries wait today")).hits;
      assert.deepEqual([byTime[0]?.id === late, "temporal" in byTime[0]!.why], [isWeighed, isWeighed]);
    }
  });
  test("priority and confidence weigh beside the match", async () => {
    const world = await testWorld();
    const { id: low } = await keep(world, "Deploys happen on Monday mornings", { priority: 1 });
    const { id: high } = await keep(world, "Deploys happen on Friday mornings", { priority: 10 });
    const { id: unsure } = await keep(world, "Deploys happen on Sunday mornings", { priority: 10, confidence: 0 });
    assert.deepEqual(idsOf(await ask(world, "deploys mornings", { mode: "keyword" })), [high, unsure, low]);
  });
});

describe("filters and thresholds", () => {
  test("only what passes the filter is a hit", async () => {
    const { world, walrus, heron, prefers } = await zooWorld();
    const query = "walrus heron keeper";
    const by = async (filter: Parameters<typeof ask>[2]) => idsOf(await ask(world, query, filter)).toSorted();
    assert.deepEqual(await by({ filter: { types: ["gotcha"] } }), [heron]);
    assert.deepEqual(await by({ filter: { tags: ["animal"] } }), [walrus]);
    assert.deepEqual(await by({ filter: { scopes: ["global"] } }), [prefers]);
    assert.deepEqual(await by({ filter: { scopes: ["project"] } }), [walrus, heron].toSorted());
    assert.deepEqual(await by({ filter: { minimumPriority: 6 } }), [heron]);
    assert.deepEqual(await by({ filter: { branch: "elsewhere" } }), []);
    assert.deepEqual(await by({ shelves: ["evidence"] }), []);
  });
  test("archived memories are found only by who asks for them", async () => {
    const { world, walrus } = await zooWorld();
    await forget(walrus, 5, world);
    assert.ok(!idsOf(await ask(world, "walrus ice")).includes(walrus));
    assert.deepEqual(idsOf(await ask(world, "walrus ice", { filter: { statuses: ["archived"] } })), [walrus]);
  });
  test("a threshold is absolute: nonsense finds nothing, a good question keeps its answer", async () => {
    const { world, walrus } = await zooWorld();
    assert.deepEqual((await ask(world, "quarterly zeppelin invoices", { threshold: 0.5 })).hits, []);
    const { hits } = await ask(world, "where does the walrus sleep", { threshold: 0.5 });
    assert.deepEqual(idsOf({ hits }), [walrus]);
    assert.ok(hits[0]!.relevance >= 0.5);
  });
  test("a hit is as relevant however many are asked for", async () => {
    const { world } = await zooWorld();
    await keep(world, "A walrus is what the keeper likes", { scope: "global" });
    for (let number = 0; number < 5; number += 1) await keep(world, `The walrus sleeps again, ${number}`);
    for (const mode of ["keyword", "hybrid", "semantic"] as const) {
      const all = (await ask(world, "sleeping walrus keeper", { mode })).hits;
      assert.ok(new Set(all.map(({ scope }) => scope)).size === 2, "from both stores");
      const relevanceOf = new Map(all.map(({ id, relevance }) => [id, relevance]));
      for (const limit of [1, 3, 50]) {
        const { hits } = await ask(world, "sleeping walrus keeper", { mode, limit });
        assert.ok(hits.length > 0);
        for (const { id, relevance } of hits) assert.equal(relevance, relevanceOf.get(id), `${mode}, limit ${limit}`);
      }
    }
  });
  test("what has expired is not found", async () => {
    const world = await testWorld();
    const { id } = await keep(world, "Short lived penguin", { ttlSeconds: 60 });
    assert.deepEqual(idsOf(await ask(world, "penguin")), [id]);
    world.clock.time += 60_000;
    assert.deepEqual((await ask(world, "penguin")).hits, []);
  });
});

describe("what it leaves behind", () => {
  test("access is counted after the answer, once for each hit, and a quiet look leaves none", async () => {
    const { world, walrus } = await zooWorld();
    const accessOf = async () => {
      const item = await itemIn(world, walrus);
      return [item?.accessCount, item?.accessedAt];
    };
    const before = await accessOf();
    world.clock.time += 5_000;
    await ask(world, "walrus", { quiet: true });
    await world.afterwards.settle();
    assert.deepEqual(await accessOf(), before);
    await ask(world, "walrus");
    assert.deepEqual(await accessOf(), before, "not yet");
    await world.afterwards.settle();
    assert.deepEqual(await accessOf(), [1, world.clock.time]);
    assert.deepEqual(world.warnings, []);
  });
  test("a long content is shown by its best passage", async () => {
    const world = await testWorld();
    const filler = "Unrelated sentences about nothing in particular. ".repeat(60);
    const { id } = await keep(world, `${filler}\n\nThe aardvark digs at night.\n\n${filler}`);
    const [hit] = (await ask(world, "aardvark night", { mode: "keyword" })).hits;
    assert.equal(hit?.id, id);
    assert.ok(hit.content.includes("aardvark") && hit.content.length < 1_000);
  });
});
