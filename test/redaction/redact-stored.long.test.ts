/**
 * Redacting what is stored: a text that an older version let through goes from everywhere, and the rest stays.
 *
 * Bytes are searched, not tables: SQLite keeps deleted rows in free space.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dryRunWorld } from "../../src/catalog/dry-run.ts";
import { chainWalk } from "../../src/journal/chain.ts";
import { newEdge } from "../../src/graph/edges.ts";
import type { Change } from "../../src/journal/change.ts";
import { drain } from "../../src/maintenance/backfill.ts";
import { newItem } from "../../src/memory/item-changes.ts";
import type { Item } from "../../src/memory/item.ts";
import { cutItem } from "../../src/memory/passages.ts";
import type { Shelf } from "../../src/memory/shelves.ts";
import { redact } from "../../src/redaction/rules/redaction.ts";
import { redactStored, storedSecrets, suggestRedaction } from "../../src/redaction/sweep.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import type { World } from "../../src/world.ts";
import { bytesUnder } from "../maintenance/bytes.ts";
import { ask, itemIn, keep, temporaryFolder, testWorld } from "../test-world.ts";

const BODY = "q7Zk2mPx9RtB4wLd8NcV3yHf6JgS1uEa5TbM";
/** Put together here, so that no file looks like it holds one. */
const secretOf = (turn: number): string => `gh${"p_"}${BODY.slice(turn)}${BODY.slice(0, turn)}`;
const [ROW, EARLIER, GONE, SAID, ASKED, NOTED, KEPT, LISTED, SETTLED] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(secretOf) as [
  ...[string, string, string, string, string],
  ...[string, string, string, string],
];
const ALL = [ROW, EARLIER, GONE, SAID, ASKED, NOTED, KEPT, LISTED, SETTLED];

function itemWith(content: string, world: World, part: Partial<Item> = {}): Item {
  const context = { branch: null, commits: [], files: [], symbols: [], language: null };
  const given = { type: "note", content, hash: contentHash(content), source: "manual" as const, context, details: {} };
  return newItem({ ...given, ...part }, { id: world.ids.next(), now: world.clock.now(), origin: world.origin });
}

/** As a version without today's rules would have stored it. */
async function store(shelf: Shelf, content: string, world: World, part: Partial<Item> = {}): Promise<Item> {
  const item = itemWith(content, world, part);
  const passages = cutItem(item).map((passage) => ({ ...passage, tokens: null }));
  await apply(world, { kind: "insert_item", shelf, item, passages, embed: true });
  return item;
}

async function apply(world: World, ...changes: Change[]): Promise<void> {
  assert.equal((await world.project.apply(changes, world.origin)).status, "applied");
}

/** Secrets in every place that keeps a text. */
async function spoil(world: World): Promise<{ memory: Item; evidence: Item; gone: Item }> {
  const memory = await store("memory", `deploy with ${EARLIER} on Fridays`, world, { title: "deploy", tags: ["ci"] });
  const [before] = await world.project.items("memory", [memory.id]);
  const content = `deploy with ${ROW} on Mondays`;
  const after = { ...before!, content, hash: contentHash(content) };
  await apply(world, {
    kind: "revise_item",
    shelf: "memory",
    id: memory.id,
    expectedVersion: before!.version,
    set: { content, hash: after.hash, summary: content },
    passages: cutItem(after).map((passage) => ({ ...passage, tokens: null })),
    embed: true,
  });
  const gone = await store("memory", `an old key ${GONE}`, world);
  await apply(world, { kind: "remove_item", shelf: "memory", id: gone.id, expectedVersion: 1 });
  const beside = await store("memory", "deploys happen at noon", world);
  const verdict = { as: "both", by: "person", when: `with ${SETTLED}` } as const;
  const ends = { shelf: "memory", source: memory.id, target: beside.id, relation: "relates_to" } as const;
  const edge = { ...ends, strength: 1, bidirectional: true, status: "active", createdAt: 5, verdict } as const;
  await apply(world, { kind: "insert_edge", edge: newEdge(edge) });
  const evidence = await store("evidence", `first line\nthe key is ${SAID}\nlast line`, world);
  await store("document", `# Setup\n\nuse ${LISTED}`, world, { path: "docs/setup.md" });
  await apply(
    world,
    {
      kind: "touch_items",
      shelf: "memory",
      touches: [{ id: memory.id, how: "get", relevance: null }],
      query: `why ${ASKED}`,
      at: 5,
    },
    {
      kind: "note_event",
      event: { id: "e1", kind: "error_occurred", session: "s", turn: null, at: 5, payload: { text: NOTED } },
    },
    {
      kind: "save_checkpoint",
      expectedOffset: null,
      checkpoint: {
        transcript: "/t.jsonl",
        session: "s",
        extractor: "x",
        offset: 3,
        lines: 1,
        skipped: 0,
        updatedAt: 5,
        isOpen: false,
        state: { said: [KEPT] },
      },
    },
  );
  await drain(world.project, world);
  return { memory, evidence, gone };
}

const heldIn = (folder: string): string[] => {
  const bytes = bytesUnder(folder);
  return ALL.filter((secret) => bytes.includes(secret.slice(4).toLowerCase()));
};

async function redactAsAgreed(world: World) {
  const { about } = await storedSecrets(world);
  return redactStored(about === null ? null : { values: { redact: true }, about }, world);
}

test("no byte of a secret is left in rows, journal, questions, events, checkpoints, vectors and backups", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const other = await keep(world, "a walrus sleeps on the ice");
  const { memory, evidence, gone } = await spoil(world);
  await world.backups.take("asked");
  assert.deepEqual(heldIn(folder), ALL, "they were there");

  const done = await redactAsAgreed(world);
  assert.deepEqual(done?.traces, []);
  assert.equal(done?.backups, 1);
  assert.deepEqual(heldIn(folder), [], "nothing is left");
  const places = new Set(done?.findings.map(({ shelf }) => shelf));
  for (const place of ["memory", "journal", "evidence", "document", "question", "event", "checkpoint"])
    assert.ok(places.has(place as Shelf), place);
  assert.ok(done?.findings.every(({ rule }) => rule === "github-token"));

  const now = (await itemIn(world, memory.id))!;
  assert.equal(now.content, "deploy with [redacted:github-token] on Mondays");
  assert.deepEqual([now.hash, now.tags, now.version], [contentHash(now.content), ["ci"], 3]);
  assert.equal((await ask(world, "deploy Mondays")).hits[0]?.id, memory.id, "it is still found");
  const [kept] = await world.project.whole("evidence", [evidence.id]);
  assert.equal(kept?.item.content, "first line\nthe key is [redacted:github-token]\nlast line");
  assert.ok(kept?.passages.every(({ text }) => kept.item.content.includes(text)));
  assert.equal(await world.project.fileAt("document", "docs/setup.md"), null, "the file is read again");
  assert.equal((await world.project.items("memory", [gone.id])).length, 0, "what was removed stays so");
  const [edge] = await world.project.edgesOf("memory", [memory.id], { limit: 9 });
  assert.equal(edge?.verdict?.when, "with [redacted:github-token]");
  assert.ok(await itemIn(world, other.id));
  assert.deepEqual((await world.project.checkpoint("/t.jsonl"))?.state, { said: ["[redacted:github-token]"] });
  assert.equal((await world.project.checkpoint("/t.jsonl"))?.offset, 3);

  await Promise.all([world.project.close(), world.global.close()]);
  assert.deepEqual(heldIn(folder), [], "nor does anything come back");
});

test("the chain still verifies, and the journal tells that an item was redacted", async () => {
  const world = await testWorld();
  const { memory } = await spoil(world);
  await redactAsAgreed(world);
  const head = await world.project.chainHead();
  const walk = chainWalk(head);
  walk.add(await world.project.chain(1, head.length));
  assert.deepEqual(walk.finish(head), { checked: head.length, count: 0, problems: [] });
  const { records } = await world.project.journal({ itemIds: [memory.id] }, { limit: 10, offset: 0 });
  assert.deepEqual(
    records.map(({ kind, before }) => [kind, before.item === null ? (before as { why: string }).why : "known"]),
    [
      ["redact_items", "erased"],
      ["revise_item", "erased"],
      ["insert_item", "absent"],
    ],
  );
});

test("nothing is redacted unless a person agreed to exactly this", async () => {
  const world = await testWorld();
  await spoil(world);
  const { about } = await storedSecrets(world);
  await assert.rejects(redactStored(null, world), /changed in the meantime/);
  await store("memory", `another ${secretOf(10)}`, world);
  await assert.rejects(redactStored({ values: {}, about: about! }, world), /changed in the meantime/);
  assert.equal((await storedSecrets(world)).findings.length, 10);
});

test("a dry run tells everything and changes nothing", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  await spoil(world);
  const before = await storedSecrets(world);
  const { world: dry } = dryRunWorld(world);
  const done = await redactAsAgreed(dry);
  assert.deepEqual(done?.findings, before.findings);
  assert.deepEqual(await storedSecrets(world), before);
  assert.deepEqual(heldIn(folder), ALL);
});

test("an interrupted run is offered again, and the next one does the rest", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  await apply(world, { kind: "note_redaction", rules: "older" });
  await spoil(world);
  assert.equal((await suggestRedaction(world)).length, 1);
  const { about } = await storedSecrets(world);
  let calls = 0;
  const dying: World = {
    ...world,
    project: {
      ...world.project,
      async apply(changes, origin, options) {
        if (changes[0]?.kind === "redact_items" && ++calls > 1) throw new Error("killed");
        return world.project.apply(changes, origin, options);
      },
    },
  };
  await assert.rejects(redactStored({ values: {}, about: about! }, dying), /killed/);
  assert.equal((await suggestRedaction(world)).length, 1, "it is still due");
  world.clock.time += 60_000;
  assert.ok((await storedSecrets(world)).findings.length < 8, "some of it was done");
  await redactAsAgreed(world);
  assert.deepEqual(heldIn(folder), []);
  assert.deepEqual(await suggestRedaction(world), []);
});

test("a run that left bytes behind in a file is offered again", async () => {
  const world = await testWorld();
  await apply(world, { kind: "note_redaction", rules: "older" });
  await spoil(world);
  const { about } = await storedSecrets(world);
  const held: World = { ...world, project: { ...world.project, compact: async () => false } };
  const done = await redactStored({ values: {}, about: about! }, held);
  assert.deepEqual([done?.traces.length, (await suggestRedaction(world)).length], [1, 1]);
  assert.deepEqual((await redactStored(null, world))?.traces, []);
  assert.deepEqual(await suggestRedaction(world), []);
});

test("two items that differ only in their secret both stay", async () => {
  const world = await testWorld();
  const texts = [secretOf(10), secretOf(11)].map((secret) => `the same ${secret} words`);
  const ids = [];
  for (const text of texts) ids.push((await store("memory", text, world)).id);
  await redactAsAgreed(world);
  const items = await world.project.items("memory", ids);
  assert.deepEqual(
    items.map(({ content, status }) => [content, status]),
    texts.map(() => ["the same [redacted:github-token] words", "active"]),
  );
  assert.equal(new Set(items.map(({ hash }) => hash)).size, 2);
});

test("a piece of a text that only looks like a secret without the rest is not found for ever", async () => {
  const world = await testWorld();
  // The same row again and again is no phrase of a wallet. Whoever sees only the last row, because the text was cut
  // before it, sees a dozen words with the right checksum.
  const row = [..."zoo apple river table cloud stone orange window garden bridge silver".split(" "), "first"].join(" ");
  const flagged = (text: string) =>
    cutItem(itemWith(text, world)).filter((piece) => redact(piece.text).redactions.length > 0);
  const texts = Array.from({ length: 40 }, (_, more) =>
    Array<string>(10 + more)
      .fill(row)
      .join(" "),
  );
  const words = texts.find((text) => flagged(text).length > 0) ?? "";
  assert.deepEqual([redact(words).redactions.length, flagged(words).length], [0, 1]);
  await store("memory", words, world);
  await store("document", words, world, { path: "docs/words.md" });
  assert.deepEqual((await storedSecrets(world)).findings, []);
});

test("a person agrees to the cleaning of backups, even if only those hold a secret", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const item = await store("memory", `deploy with ${ROW}`, world);
  await apply(world, { kind: "note_redaction", rules: "older" });
  await world.backups.take("asked");
  await apply(world, { kind: "purge_items", ids: [item.id], queries: [] });
  const { findings, copies, about } = await storedSecrets(world);
  assert.deepEqual([findings, copies], [[], 1]);
  await assert.rejects(redactStored(null, world), /changed in the meantime/);
  assert.deepEqual(heldIn(folder), [ROW], "nobody agreed");
  assert.equal((await redactStored({ values: {}, about: about! }, world))?.backups, 1);
  assert.deepEqual(heldIn(folder), []);
  assert.equal((await storedSecrets(world)).about, null, "nobody is asked again");
});

test("a new store owes nothing", async () => {
  const world = await testWorld();
  assert.deepEqual(await suggestRedaction(world), []);
  assert.deepEqual(await redactAsAgreed(world), { findings: [], left: [], backups: 0, traces: [] });
});
