/** How recall weighs: each test holds one rule that an answer could silently lose. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import { type EvidenceRequest, keepEvidence } from "../../src/decisions/evidence.ts";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import type { Context } from "../../src/memory/item.ts";
import { passagesOf } from "../../src/memory/passages.ts";
import listVerb from "../../src/memory/verbs/list.ts";
import type { Embedder } from "../../src/ports.ts";
import recallVerb from "../../src/recall/verbs/recall.ts";
import type { World } from "../../src/world.ts";
import { putFile } from "../files/corpus-steps.ts";
import { ask, countingEmbedder, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";

const DAY = (day: number) => Date.UTC(2025, 4, day, 12);
const talk = { shelves: ["evidence"] } as const;
const inTalk = { shelves: ["evidence"], eachPassage: true } as const;

/** Texts that hold a key are as near to every question as it says; any other text is as near as can be. */
function nearnessEmbedder(cosines: Record<string, number>): Embedder {
  const embedder = createHashEmbedder();
  const vectorOf = (text: string) => {
    const cosine = Object.entries(cosines).find(([key]) => text.includes(key))?.[1] ?? 1;
    const vector = new Float32Array(embedder.dimensions);
    vector.set([cosine, Math.sqrt(1 - cosine * cosine)]);
    return vector;
  };
  return { ...embedder, embed: async (texts) => texts.map(vectorOf) };
}

const say = async (world: World, ...turns: string[]) =>
  (await keepEvidence({ turns: turns.map((text) => ({ text })) }, world)).id;

describe("across kinds", () => {
  test("a kind with more rankers does not win by their number", async () => {
    const world = await testWorld({ embedder: nearnessEmbedder({ noon: 0.9, night: 0.8 }) });
    const { id } = await keep(world, "The walrus eats herring at noon");
    await say(world, "The walrus eats herring at night");
    const { hits } = await ask(world, "walrus herring", { shelves: ["memory", "evidence"], eachPassage: true });
    assert.equal(hits.length, 2);
    assert.equal(hits[0]!.id, id, JSON.stringify(hits.map(({ shelf, score }) => [shelf, score])));
  });
  test("without a vector, a chance hit of one kind stays far behind the answer of another", async () => {
    const answer = "The walrus keeper hides herring in the blue bucket";
    const chance = "The visitors bought a blue train";
    const query = "where does the walrus keeper hide herring, in the blue bucket?";
    for (const isMemory of [true, false]) {
      const world = await testWorld({ embedder: createNoEmbedder() });
      await keep(world, isMemory ? answer : chance);
      await say(world, isMemory ? chance : answer);
      const { hits } = await ask(world, query, { shelves: ["memory", "evidence"] });
      assert.equal(hits[0]!.content, answer);
      assert.ok(hits[1]!.score < 0.6, `${hits[1]!.score}`);
    }
  });
  test("who asks by meaning is answered by meaning, although one kind has nothing", async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The walrus eats herring");
    await say(world, "The walrus sleeps");
    const set = { mode: "semantic", shelves: ["memory", "evidence"], filter: { types: ["fact"] } } as const;
    const { mode, hits } = await ask(world, "walrus", set);
    assert.deepEqual([mode, hits.map((hit) => hit.id)], ["semantic", [id]]);
    assert.deepEqual(Object.keys(hits[0]!.why), ["vector"]);
  });
});

describe("candidates", () => {
  test("what only words found is still judged by its meaning", async () => {
    const world = await testWorld({ embedder: nearnessEmbedder({ herring: 0.6, visitor: 0.8 }) });
    const { id } = await keep(world, "The walrus eats herring");
    for (const name of ["Monday", "Tuesday", "Friday", "Sunday"]) await keep(world, `A visitor came on ${name}`);
    // Three candidates a ranker: the four others are all nearer.
    const { hits } = await ask(world, "walrus", { recipe: "weighted", limit: 1 });
    assert.equal(hits[0]!.id, id);
    assert.ok(hits[0]!.why["vector"], JSON.stringify(hits[0]!.why));
    assert.ok(Math.abs(hits[0]!.why["vector"] - 0.42 / 0.72) < 0.01);
  });
  for (const better of ["project", "global"] as const) {
    test(`an item in two stores shows once, as it stands in the better one: ${better}`, async () => {
      const world = await testWorld();
      const [good, poor] = ["The walrus eats herring", "The walrus sleeps all day"];
      const { id } = await keep(world, better === "project" ? good : poor);
      const item = (await itemIn(world, id))!;
      const content = better === "global" ? good : poor;
      const copy = { ...item, scope: "global", content, summary: content, hash: content } as const;
      const passages = await passagesOf({ content: content }, world);
      const change = { kind: "insert_item", shelf: "memory", item: copy, passages, embed: true } as const;
      await world.global.apply([change], world.origin);
      for (const eachPassage of [false, true]) {
        const { hits } = await ask(world, "walrus eats herring", { eachPassage });
        assert.deepEqual(
          hits.map((hit) => [hit.id, hit.scope, hit.content]),
          [[id, better, good]],
        );
      }
    });
  }
  test("a long file does not crowd a short one out of a report's answer", async () => {
    const world = await testWorld();
    const part = `${"The walrus is fed with herring.\n".repeat(26)}\n`;
    const long = await putFile(world, "long.xyz", part.repeat(60));
    const text = `The walrus was here once.\n${"Nothing else is known about it. ".repeat(20)}`;
    const short = await putFile(world, "short.xyz", text);
    const report = "The walrus is not fed\n\nWe ran out of herring.\nNobody noticed.";
    const { hits } = await ask(world, report, { shelves: ["code"], mode: "keyword" });
    assert.deepEqual(
      hits.map(({ id }) => id),
      [long, short],
    );
  });
  test("passage by passage, what a memory said before it was replaced is not shown as what it says", async () => {
    const world = await testWorld();
    const { id: old } = await keep(world, "The database is Sybase");
    const { id } = await keep(world, "We keep rows in Postgres", { supersedes: old });
    const found = async (query: string) => {
      const { hits } = await ask(world, query, { eachPassage: true, mode: "keyword" });
      return hits.map((hit) => [hit.id, hit.content]);
    };
    assert.deepEqual(await found("sybase"), []);
    assert.deepEqual(await found("sybase or postgres"), [[id, "We keep rows in Postgres"]]);
  });
  test("one reading is one, however many passages were shown", async () => {
    const world = await testWorld();
    const id = await say(world, "The walrus eats herring", "The walrus sleeps", "A walrus swims");
    const { hits } = await ask(world, "walrus", inTalk);
    assert.equal(hits.length, 3);
    await world.afterwards.settle();
    assert.equal((await itemIn(world, id, { shelf: "evidence" }))!.accessCount, 1);
  });
});

describe("what is embedded of a question", () => {
  /** Everything that was embedded for a question and not for what is kept. */
  async function embeddedFor(
    query: string,
    set: Parameters<typeof ask>[2],
    fill: (world: TestWorld) => Promise<unknown>,
  ) {
    const embedder = countingEmbedder();
    const world = await testWorld({ embedder });
    await fill(world);
    await ask(world, "warm", set);
    const before = embedder.texts.length;
    await ask(world, query, set);
    return embedder.texts.slice(before);
  }

  test("in talk, all but the names of those who speak there", async () => {
    const turns: EvidenceRequest["turns"] = [{ text: "I fed the walrus", speaker: "Ann" }];
    const fill = (world: World) => keepEvidence({ turns }, world);
    const query = "when did Ann feed the walrus for Bo";
    for (const set of [talk, inTalk]) {
      assert.deepEqual(await embeddedFor(query, set, fill), ["when did feed the walrus for Bo"]);
    }
  });
  test("of a report its gist and its first line, not the trace", async () => {
    const fill = (world: TestWorld) => putFile(world, "feed.py", "def feed(): pass\n");
    const report = 'Feeding fails\nThe bucket stays empty.\n```\nfeed(walrus)\n```\nTraceback\n  File "feed.py"';
    const embedded = await embeddedFor(report, { shelves: ["code"] }, fill);
    assert.deepEqual(
      embedded.map((text) => text.replace(/\s+/g, " ")),
      ["Feeding fails The bucket stays empty.", "Feeding fails"],
    );
  });
});

describe("signals", () => {
  for (const side of ["before", "after"] as const) {
    test(`what stands ${side} a good match goes before the same words elsewhere`, async () => {
      const world = await testWorld();
      const [blue, match, filler] = [
        "It was the blue one",
        "That bucket is what the walrus keeper took",
        "Nobody knows",
      ];
      const pair = side === "before" ? [blue, match] : [match, blue];
      await say(world, filler, blue, filler, ...pair, filler);
      const { hits } = await ask(world, "which blue bucket did the walrus keeper take", inTalk);
      const scoreAt = (ordinal: number) => hits.find(({ passage }) => passage?.ordinal === ordinal)!.score;
      const [elsewhere, beside] = [scoreAt(1), scoreAt(side === "before" ? 3 : 4)];
      assert.ok(beside > elsewhere, `${beside} ${elsewhere}`);
    });
  }
  test("of a report, the first line speaks for what it means by itself", async () => {
    const world = await testWorld();
    const file = (path: string, text: string) => putFile(world, path, text);
    const meant = await file("a.py", "def close_cage(cage):\n    cage.shut()\n");
    const other = await file("b.py", "def feed(animal):\n    return bucket(animal)\n");
    const report = "close cage\n\nWe feed the animal from a bucket.\nThe animal left the bucket.\nThe feed is gone.";
    const { hits } = await ask(world, report, { shelves: ["code"] });
    const gistOf = (id: string) => hits.find((hit) => hit.id === id)!.why["gist"] ?? 0;
    assert.ok(gistOf(meant) > 0 && gistOf(other) === 0, JSON.stringify(hits.map(({ why }) => why)));
  });
  for (const [named, context] of [
    ["symbol", { symbols: ["closeCage"] }],
    ["file", { files: ["zoo/cages.py"] }],
  ] satisfies [string, Partial<Context>][]) {
    test(`a memory about a ${named} is meant by who names it`, async () => {
      const world = await testWorld({ embedder: nearnessEmbedder({}) });
      await keep(world, "The latch sticks, pull twice");
      const { id } = await keep(world, "Pull twice, the latch sticks", { context });
      const { hits } = await ask(world, "does the latch stick in closeCage, see zoo/cages.py");
      assert.equal(hits[0]!.id, id);
      assert.deepEqual(
        hits.map(({ why }) => "entity" in why),
        [true, false],
      );
    });
  }
  test("where nobody says when, the day it was kept is the day that counts", async () => {
    const world = await testWorld({ embedder: nearnessEmbedder({}) });
    const days = [3, 15, 28];
    for (const [index, text] of [
      "the walrus moved again",
      "again the walrus moved",
      "moved again the walrus",
    ].entries()) {
      world.clock.time = DAY(days[index]!);
      await keep(world, text);
      await keepEvidence({ turns: [{ text }] }, world);
    }
    for (const shelf of ["memory", "evidence"] as const) {
      for (const day of days) {
        const { hits } = await ask(world, `where did the walrus move on ${day} May 2025`, { shelves: [shelf] });
        assert.equal(hits[0]!.createdAt, new Date(DAY(day)).toISOString());
        assert.ok(hits[0]!.why["temporal"], JSON.stringify(hits[0]!.why));
      }
    }
  });
});

describe("soft keywords", () => {
  // By words alone a short passage with two of four words is better than a long one with all.
  const whole = "walrus herring bucket train";
  for (const [finder, turns] of [
    ["meaning", [`${whole} near ${"and then it was there to see what it did ".repeat(15)}`, "walrus herring far"]],
    ["words", ["walrus herring near", `${whole} far`]],
  ] as const) {
    test(`an item is met by the best of its passages, here the one that ${finder} found`, async () => {
      const world = await testWorld({ embedder: nearnessEmbedder({ close: 0.95, near: 0.9, far: 0.1 }) });
      const lines = Array.from({ length: 12 }, (_, day) => ({ text: `It rained on day ${day}` }));
      await keepEvidence({ turns: lines, session: "elsewhere" }, world);
      const id = await say(world, ...turns);
      const other = await say(world, "walrus herring bucket close");
      const { hits } = await ask(world, whole, { ...talk, filter: { session: "session" } });
      const isSoft = (wanted: string) => "soft" in hits.find((hit) => hit.id === wanted)!.why;
      assert.deepEqual([hits.length, isSoft(id), isSoft(other)], [2, true, false]);
    });
  }
  test("in talk, words that stand together are met better than the same words far apart", async () => {
    const filler = "and so it was that they did what they had to do ".repeat(8);
    const apart = `walrus ${filler}${filler}herring`;
    const together = `${filler}walrus herring ${filler}`.trim();
    const world = await testWorld({ embedder: createNoEmbedder() });
    await say(world, apart);
    await say(world, together);
    const { hits } = await ask(world, "walrus herring", inTalk);
    assert.deepEqual(
      hits.map(({ content }) => content),
      [together, apart],
    );
    assert.ok(hits[0]!.score > hits[1]!.score);
    assert.ok(!("soft" in hits[1]!.why), JSON.stringify(hits[1]!.why));
  });
  test("a word that the vocabulary does not know meets no other unknown word", async () => {
    const world = await testWorld({ embedder: createNoEmbedder() });
    await keep(world, "walrus ⵎⵎⵎ");
    await keep(world, "walrus otter");
    const { hits } = await ask(world, "walrus ⵣⵣⵣ");
    assert.deepEqual(
      hits.map(({ score }) => score),
      [1, 1],
    );
  });
});

test("of working memories this session's come first, and the others are said to be another session's", async () => {
  const world = await testWorld();
  const other = { ...world, origin: { ...world.origin, session: "other" } };
  const theirs = (await keep(other, "The walrus dives at dawn", { scope: "working" })).id;
  const ours = (await keep(world, "The walrus of the harbour may dive in the evening", { scope: "working" })).id;
  const answer = (await dispatch(recallVerb, { query: "the walrus dives at dawn" }, world)).answer;
  assert.deepEqual(
    answer.hits.map(({ id, otherSession }) => [id, otherSession]),
    [
      [ours, undefined],
      [theirs, "other"],
    ],
  );
  assert.ok(answer.hits[0]!.relevance < answer.hits[1]!.relevance && answer.hits[0]!.score >= answer.hits[1]!.score);
  assert.match(
    recallVerb.render(answer, readerOf({ query: "" }, world)),
    /fact, working, 2026-01-15, another session \(other\);.*\n {2}lowered to put this session first/,
  );
  assert.match(
    recallVerb.renderForAgent?.(answer, readerOf({ query: "" }, world)) ?? "",
    /fact, person of another session \(other\) 2026-01-15/,
  );
  const theirOwn = (await dispatch(recallVerb, { query: "the walrus dives at dawn" }, other)).answer;
  assert.deepEqual(theirOwn.hits.map(({ id }) => id), [theirs, ours]); // prettier-ignore
  const listed = (await dispatch(listVerb, { scope: ["working"] }, world)).answer;
  assert.deepEqual(
    listed.items.map(({ id, otherSession }) => [id, otherSession]),
    [
      [ours, undefined],
      [theirs, "other"],
    ],
  );
  assert.match(
    listVerb.render(listed, readerOf({}, world)),
    /fact, working, another session \(other\) {2}The walrus dives/,
  );
});
