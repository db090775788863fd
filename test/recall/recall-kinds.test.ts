/** What else speaks for a hit: who said it, when, what stands around it, which file is named; and words that mean the same. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EvidenceRequest, keepEvidence } from "../../src/decisions/evidence.ts";
import { createNoEmbedder } from "../../src/embed/embedders.ts";
import { putFile } from "../files/corpus-steps.ts";
import { ask, keep, testWorld } from "../test-world.ts";

const DAY = (day: number) => Date.UTC(2025, 4, day, 12);
const inTalk = { shelves: ["evidence"], eachPassage: true } as const;

/** A world with these conversations in it. */
async function talkWorld(...talks: EvidenceRequest["turns"][]) {
  const world = await testWorld();
  for (const turns of talks) await keepEvidence({ turns }, world);
  return world;
}

describe("in conversations", () => {
  const zoo: EvidenceRequest["turns"] = [
    { text: "Ann: I fed the walrus in the morning", speaker: "Ann", at: DAY(3) },
    { text: "Bo: I fed the walrus in the evening", speaker: "Bo", at: DAY(3) },
    { text: "Ann: The heron was asleep", speaker: "Ann", at: DAY(3) },
    { text: "Bo: Good night then", speaker: "Bo", at: DAY(3) },
  ];

  test("a hit is one turn, and says who spoke and when", async () => {
    const world = await talkWorld(zoo);
    const { hits } = await ask(world, "heron asleep", inTalk);
    assert.equal(hits[0]!.content, "Ann: The heron was asleep");
    const at = new Date(DAY(3)).toISOString();
    assert.deepEqual(hits[0]!.passage, { ordinal: 2, speaker: "Ann", role: null, at });
    assert.ok(hits.length > 1, "other turns of the same conversation are hits of their own");
  });
  test("whoever is named in the question is who is meant", async () => {
    const world = await talkWorld(zoo);
    for (const name of ["Ann", "Bo"]) {
      const { hits } = await ask(world, `when was it that ${name} fed the walrus`, inTalk);
      assert.equal(hits[0]!.passage?.speaker, name);
      assert.ok(hits[0]!.why["entity"], JSON.stringify(hits[0]!.why));
    }
  });
  test("of two that say the same, the one of the day that is asked for comes first", async () => {
    const on = (day: number) => [{ text: `The walrus moved, report ${day}`, at: DAY(day) }];
    const world = await talkWorld(on(3), on(20), on(29));
    for (const day of [3, 20, 29]) {
      const { hits } = await ask(world, `where did the walrus move on ${day} May 2025?`, inTalk);
      assert.equal(hits[0]!.passage?.at, new Date(DAY(day)).toISOString());
      assert.ok(hits[0]!.why["temporal"], JSON.stringify(hits[0]!.why));
    }
  });
  test("people ask for their own words, unless they say you", async () => {
    const world = await talkWorld([
      { text: "The walrus likes herring", role: "user" },
      { text: "Walruses like herring", role: "assistant" },
    ]);
    const [first] = (await ask(world, "does the walrus like herring", inTalk)).hits;
    assert.equal(first!.passage?.role, "user");
    assert.ok(first!.why["role"], JSON.stringify(first!.why));
    const { hits } = await ask(world, "did you say that walruses like herring", inTalk);
    assert.equal(hits.filter(({ why }) => why["role"]).length, 0);
  });
  test("what stands beside a good match goes before the same words elsewhere in the conversation", async () => {
    const world = await talkWorld([
      { text: "Which train did the visitors take" },
      { text: "It was the blue one" },
      { text: "Nobody knows" },
      { text: "Which bucket did the walrus keeper take" },
      { text: "It was the blue one" },
    ]);
    const { hits } = await ask(world, "which blue bucket did the walrus keeper take", inTalk);
    const places = hits.map(({ passage }) => passage?.ordinal);
    assert.ok(places.indexOf(4) < places.indexOf(1), places.join());
    assert.ok(hits[places.indexOf(4)]!.why["neighbours"]);
  });
  test("a conversation about what is asked for lends weight to all its turns", async () => {
    const filler = [{ text: "Nobody knows" }, { text: "We shall see" }];
    const world = await talkWorld(
      [{ text: "The visitors took a train" }, ...filler, { text: "It was the blue one" }],
      [{ text: "The walrus keeper took a bucket" }, ...filler, { text: "It was the blue one" }],
    );
    const { hits } = await ask(world, "which blue bucket did the walrus keeper take", inTalk);
    const blue = hits.filter(({ passage }) => passage?.ordinal === 3);
    assert.equal(blue[0]!.id, hits[0]!.id);
    assert.ok(blue[0]!.why["session"]);
  });
  test("as a whole, a conversation is found by its best passage", async () => {
    const world = await talkWorld(zoo, [{ text: "The otter swims" }]);
    const { hits } = await ask(world, "heron asleep", { shelves: ["evidence"] });
    assert.equal(hits[0]!.passage?.ordinal, 2);
    assert.equal(new Set(hits.map(({ id }) => id)).size, hits.length);
  });
});

describe("in code", () => {
  test("a report is answered by the file it names, however much else it says", async () => {
    const world = await testWorld();
    const file = (path: string, text: string) => putFile(world, path, text);
    await file("zoo/feeding.py", "def feed(animal):\n    return bucket(animal)\n");
    const named = await file("zoo/cages.py", "def close(cage):\n    cage.shut()\n");
    const report = "Feeding fails\n\nI call feed and the bucket stays empty.\nThe trace ends in zoo/cages.py\n";
    const { hits } = await ask(world, report, { shelves: ["code"] });
    assert.ok(hits.find(({ id }) => id === named)!.why["entity"]);
    assert.deepEqual(
      hits.filter(({ why }) => why["opening"]).map(({ title }) => title),
      ["zoo/feeding.py"],
    );
  });
  test("a file of which many parts match goes before one with a single part as good", async () => {
    const world = await testWorld();
    const part = (name: string) => `def ${name}():\n    "${"the walrus is fed with herring. ".repeat(24)}"\n`;
    const once = await putFile(world, "a.py", part("one"));
    const text = ["one", "two", "three", "four"].map(part).join("\n");
    const often = await putFile(world, "b.py", text);
    const report = "The walrus is not fed\n\nWe ran out of herring.\nNothing else was changed.";
    const { hits } = await ask(world, report, { shelves: ["code"], mode: "keyword" });
    assert.deepEqual([hits[0]!.id, hits[1]!.id], [often, once]);
  });
});

describe("over several kinds", () => {
  test("what is near goes before the best of what is far, on whichever shelf it lies", async () => {
    const world = await testWorld();
    await keepEvidence({ turns: [{ text: "The heron stands in the water and waits", at: DAY(3) }] }, world);
    await keepEvidence({ turns: [{ text: "The otter stands beside the heron", at: DAY(3) }] }, world);
    const { id } = await keep(world, "The walrus is fed with herring at noon");
    await keep(world, "The keeper drinks tea at noon");
    const first = async (query: string) => (await ask(world, query, { shelves: ["memory", "evidence"] })).hits[0]!;
    assert.equal((await first("when is the walrus fed with herring")).id, id);
    assert.equal((await first("where does the heron wait, in the water?")).shelf, "evidence");
  });
});

describe("without a model", () => {
  test("words that mean the same still count, and the answer says what is missing", async () => {
    const world = await testWorld({ embedder: createNoEmbedder() });
    await keep(world, "The banana beside the house is blue");
    await keep(world, "The doctor beside the house is asleep");
    const { id } = await keep(world, "The automobile beside the house is blue");
    const { hits, mode, degraded } = await ask(world, "which car stands beside the house");
    assert.deepEqual([hits[0]!.id, mode, degraded], [id, "keyword", "no embedder, searched by words only"]);
    assert.ok(hits[0]!.why["soft"], JSON.stringify(hits[0]!.why));
  });
  test("who asks for keywords gets keywords", async () => {
    const world = await testWorld({ embedder: createNoEmbedder() });
    await keep(world, "The automobile beside the house is blue");
    const { hits } = await ask(world, "house", { mode: "keyword" });
    assert.deepEqual(hits[0]!.why, { keyword: 1 });
  });
});
