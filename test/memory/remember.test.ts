/** Remembering: once for equal content, in its scope, with its lifetime; and corrections that close what they correct. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { Failure } from "../../src/errors.ts";
import { handleOf, withHandle } from "../../src/memory/handles.ts";
import { itemIn, keep, temporaryFolder, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const everything = { statuses: ["active", "superseded", "archived", "pending"], now: 0 } as const;

describe("equal content", () => {
  test("is kept once in a scope; saying it again moves its time, not its count", async () => {
    const world = await testWorld();
    const first = await keep(world, "Builds need Java 21");
    world.clock.time += 1_000;
    const again = await keep(world, "  Builds need Java 21\n");
    assert.deepEqual([first.status, again.status, again.id], ["stored", "duplicate", first.id]);
    const item = await itemIn(world, first.id);
    assert.deepEqual([item?.accessCount, item?.accessedAt], [0, world.clock.time]);
    const elsewhere = await keep(world, "Builds need Java 21", { scope: "global" });
    assert.equal(elsewhere.status, "stored");
  });
  test("of two processes at once, one stores and the other is told", async () => {
    const folder = temporaryFolder();
    const worlds = [await testWorld({ folder }), await testWorld({ folder })];
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(worlds.map((world) => keep(world, `Both saw thing ${round}`)));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), ["duplicate", "stored"]);
      assert.equal(answers[0]!.id, answers[1]!.id);
    }
  });
  test("may be said again after it has expired", async () => {
    const world = await testWorld();
    const first = await keep(world, "The build is red", { ttlSeconds: 60 });
    world.clock.time += 60_000;
    const again = await keep(world, "The build is red", { ttlSeconds: 60 });
    assert.equal(again.status, "stored");
    assert.notEqual(again.id, first.id);
    assert.equal(await itemIn(world, first.id), undefined);
  });
});

describe("equal content that would expire", () => {
  test("lives as long as a new one would, and for good when said for good", async () => {
    const world = await testWorld();
    const { id } = await keep(world, "The build is red", { scope: "project", ttlSeconds: 60 });
    const lifeAfter = async (set: Parameters<typeof keep>[2]) => {
      const again = await keep(world, "The build is red", { scope: "project", ...set });
      assert.deepEqual([again.status, again.id], ["duplicate", id]);
      const { expiresAt } = (await itemIn(world, id))!;
      return expiresAt && expiresAt - world.clock.time;
    };
    world.clock.time += 50_000;
    assert.equal(await lifeAfter({ ttlSeconds: 5 }), 10_000, "never a shorter life");
    assert.equal(await lifeAfter({ ttlSeconds: 60 }), 60_000);
    assert.equal(await lifeAfter({}), null);
    assert.equal(await lifeAfter({ ttlSeconds: 60 }), null);
  });
  test("and is said by several at once ends with the longest life", async () => {
    const world = await testWorld();
    await keep(world, "The build is red", { scope: "working", ttlSeconds: 1 });
    const lives = [10, 30, 20];
    const answers = await Promise.all(
      lives.map((ttlSeconds) => keep(world, "The build is red", { scope: "working", ttlSeconds })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(["duplicate"]));
    assert.equal((await itemIn(world, answers[0]!.id))?.expiresAt, world.clock.time + 30_000);
  });
});

describe("lifetimes", () => {
  test("a working memory lives as long as the settings or the caller say", async () => {
    const world = await testWorld({ working: { ttlSeconds: 100 } });
    const lifeOf = async (set: Parameters<typeof keep>[2], content: string) => {
      const { id, scope } = await keep(world, content, set);
      const item = await itemIn(world, id);
      return [scope, item?.expiresAt && item.expiresAt - world.clock.time];
    };
    assert.deepEqual(await lifeOf({ type: "thought" }, "a passing thought"), ["working", 100_000]);
    assert.deepEqual(await lifeOf({ ttlSeconds: 7 }, "a shorter one"), ["working", 7_000]);
    assert.deepEqual(await lifeOf({}, "a lasting one"), ["project", null]);
  });
  test("a full session makes room: the least recently used leaves, another session's stay", async () => {
    const folder = temporaryFolder();
    const world = await testWorld({ folder, working: { capacity: 3 } });
    const other = await testWorld({ folder, working: { capacity: 3 }, session: "other" });
    const { id: theirs } = await keep(other, "somebody else's note", { scope: "working" });
    const ids = [];
    for (const name of ["one", "two", "three"]) {
      world.clock.time += 1_000;
      ids.push((await keep(world, `note ${name}`, { scope: "working" })).id);
    }
    world.clock.time += 1_000;
    await keep(world, "note one", { scope: "working" });
    const { id: fourth } = await keep(world, "note four", { scope: "working" });
    const { items } = await world.project.list("memory", everything, { limit: 10, offset: 0 });
    const expected = [ids[0], ids[2], fourth, theirs];
    assert.deepEqual(items.map(({ id }) => id).toSorted(), expected.toSorted());
  });
  test("at capacity all who write at once succeed, and hardly more remain than fit", async () => {
    const folder = temporaryFolder();
    const working = { capacity: 20 };
    const worlds = [await testWorld({ folder, working }), await testWorld({ folder, working })];
    for (let note = 0; note < 20; note += 1) await keep(worlds[0]!, `early note ${note}`, { scope: "working" });
    const writers = Array.from({ length: 30 }, (_, note) => note);
    const answers = await Promise.all(
      writers.map((note) => keep(worlds[note % 2]!, `late note ${note}`, { scope: "working" })),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set(["stored"]));
    const count = async () => (await worlds[0]!.project.list("memory", everything, { limit: 1, offset: 0 })).total;
    assert.ok((await count()) >= 20 && (await count()) <= 20 + writers.length, `${await count()}`);
    await keep(worlds[1]!, "one more", { scope: "working" });
    assert.equal(await count(), 20, "the next alone finds room for itself");
  });
  test("expired ones leave when the next comes", async () => {
    const world = await testWorld();
    const { id } = await keep(world, "old note", { ttlSeconds: 10 });
    world.clock.time += 10_000;
    await keep(world, "new note", { scope: "working" });
    assert.equal(await itemIn(world, id), undefined);
  });
});

describe("corrections", () => {
  test("a successor opens as its predecessor closes, where that one stood", async () => {
    const world = await testWorld();
    const { id: old } = await keep(world, "Port 8080", { scope: "global" });
    world.clock.time += 1_000;
    const { id, scope } = await keep(world, "Port 9090 since May", { supersedes: old });
    assert.equal(scope, "global");
    const closed = await itemIn(world, old, { scope: "global" });
    assert.deepEqual([closed?.status, closed?.supersededBy, closed?.validUntil], ["superseded", id, world.clock.time]);
    assert.equal((await itemIn(world, id, { scope: "global" }))?.validFrom, world.clock.time);
  });
  test("a chain never spans two scopes, and nothing is written on the attempt", async () => {
    const world = await testWorld();
    const { id: old } = await keep(world, "Port 8080");
    await assert.rejects(
      keep(world, "Port 9090", { supersedes: old, scope: "global" }),
      (thrown) => thrown instanceof Failure && thrown.code === "invalid_input" && /promote/.test(thrown.hint),
    );
    assert.equal((await itemIn(world, old))?.status, "active");
    assert.deepEqual((await world.global.report()).counts, []);
  });
  test("what was replaced cannot be replaced again; the hint names who can", async () => {
    const world = await testWorld();
    const { id: old } = await keep(world, "Port 8080");
    const { id: newer } = await keep(world, "Port 9090", { supersedes: old });
    await assert.rejects(
      keep(world, "Port 7070", { supersedes: old }),
      (thrown) => thrown instanceof Failure && thrown.code === "conflict" && thrown.hint.includes(handleOf(newer)),
    );
    await assert.rejects(keep(world, "Port 7070", { supersedes: "nobody" }), { code: "not_found" });
  });
  test("a correction that is known already closes the old one in its favour", async () => {
    const world = await testWorld();
    const { id: old } = await keep(world, "Port 8080");
    const { id: known } = await keep(world, "Port 9090");
    const answer = await keep(world, "Port 9090", { supersedes: old });
    assert.deepEqual([answer.status, answer.id, answer.replaced], ["duplicate", known, old]);
    const said = operations.remember.render({ ...withHandle(answer), call: "call" }, {
      ...world,
      input: { content: "" },
    } as never);
    assert.match(said, new RegExp(`; it now replaces ${handleOf(old)}\\. Undo with \`stele rollback call\``));
    assert.equal((await itemIn(world, old))?.supersededBy, known);
  });
});

describe("what is kept", () => {
  test("secrets are taken out before anything is stored", async () => {
    const world = await testWorld();
    const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
    const { id, redactions } = await keep(world, `The token is ${secret}`, {
      title: `about ${secret}`,
      tags: [secret],
    });
    assert.ok(redactions.length > 0);
    assert.ok(!JSON.stringify(await itemIn(world, id)).includes(secret));
    assert.deepEqual(await world.project.substring("memory", secret.slice(4, 20), everything, 5), []);
  });
  test("a decision waits for a person and raw code is not embedded", async () => {
    const world = await testWorld();
    const { id, status } = await keep(world, "Use Rust", { type: "decision" });
    assert.equal(status, "proposed");
    assert.equal((await itemIn(world, id, { shelf: "proposal" }))?.status, "pending");
    assert.equal(await itemIn(world, id), undefined);
    const { identity } = world.embedder;
    const waiting = await world.project.waitingCount(identity);
    await keep(world, "const x = require('./x')", { type: "code" });
    assert.equal(await world.project.waitingCount(identity), waiting);
  });
  test("an embedder is not even asked", async () => {
    const unwilling = { ...createHashEmbedder(), embed: () => Promise.reject(new Error("asked")) };
    for (const embedder of [createNoEmbedder(), unwilling]) {
      const world = await testWorld({ embedder });
      assert.equal((await keep(world, "no vector needed")).status, "stored");
      assert.equal(await world.project.waitingCount(embedder.identity), 1);
      assert.deepEqual(world.warnings, []);
    }
  });
});

test("a title says where a memory holds, like its text", async () => {
  const world = await testWorld();
  const type = "convention" as const;
  const everywhere = await keep(world, "Tabs, never spaces", { title: "Indentation in all my projects", type });
  const here = await keep(world, "Tabs, never spaces", { title: "Indentation", type });
  assert.deepEqual([everywhere.scope, here.scope], ["global", "project"]);
});
