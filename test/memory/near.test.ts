/** What a new memory is compared with, what is announced about it, and that nothing goes wrong for the caller. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { newEdge } from "../../src/graph/edges.ts";
import type { Change } from "../../src/journal/change.ts";
import { forget } from "../../src/memory/forget.ts";
import { unsettled } from "../../src/memory/neighbours.ts";
import type { RememberRequest } from "../../src/memory/remember.ts";
import type { Store } from "../../src/store/store.ts";
import type { World } from "../../src/world.ts";
import { decide } from "../decisions/decision-steps.ts";
import { keep, neighbourOf, testWorld } from "../test-world.ts";

const say = async (world: World, content: string, set: Partial<RememberRequest> = {}) =>
  keep(world, content, { scope: "project", compare: true, ...set });

const found = async (world: World, content: string, set: Partial<RememberRequest> = {}) =>
  (await say(world, content, set)).near.map(({ id, kind }) => [id, kind]);

describe("a new memory", () => {
  test("is told with what it is near: who said it when, and in which words the two differ", async () => {
    const world = await testWorld();
    const first = await say(world, "The proxy listens on port 81");
    assert.deepEqual(first.near, []);
    const second = await say(world, "The proxy listens on port 82");
    assert.deepEqual(
      second.near.map(({ handle, relevance, createdAt, ...rest }) => rest),
      [
        {
          id: first.id,
          kind: null,
          shelf: "memory",
          by: "person",
          summary: "The proxy listens on port 81",
          onlyThere: "81",
          onlyHere: "82",
        },
      ],
    );
    const pairs = await world.project.nearPairs([first.id]);
    assert.deepEqual(
      pairs.map(({ newer, older, kind }) => ({ newer, older, kind })),
      [{ newer: second.id, older: first.id, kind: null }],
    );
    const third = await found(world, "Since Monday port 83 is where the proxy listens");
    assert.deepEqual(new Set(third.map(String)), new Set([`${first.id},`, `${second.id},`]));
  });
  test("is not compared when nobody asks, in the working scope, or when it is known already", async () => {
    const world = await testWorld();
    await say(world, "The proxy listens on port 81");
    assert.deepEqual(await found(world, "The proxy listens on port 82", { compare: false }), []);
    assert.deepEqual(await found(world, "The proxy listens on port 83", { scope: "working" }), []);
    const again = await say(world, "The proxy listens on port 81");
    assert.deepEqual([again.status, again.near], ["duplicate", []]);
    assert.deepEqual((await keep(world, "The proxy listens on port 84")).near, []);
  });
  test("is not compared with what it supersedes, nor with what is over", async () => {
    const world = await testWorld();
    const { id } = await say(world, "The proxy listens on port 81");
    const next = await say(world, "The proxy listens on port 82", { supersedes: id });
    assert.deepEqual(next.near, []);
    const short = await say(world, "The broker listens on port 71", { ttlSeconds: 60 });
    world.clock.time += 60_000;
    const others = await found(world, "The broker listens on port 72");
    assert.ok(!others.some(([other]) => other === short.id));
    await forget(next.id, 5, world);
    const last = await found(world, "The proxy listens on port 83");
    assert.ok(!last.some(([other]) => other === id || other === next.id));
  });
  test("is compared within its scope", async () => {
    const world = await testWorld();
    const own = await say(world, "The proxy listens on port 81", { scope: "global" });
    assert.deepEqual(await found(world, "The proxy listens on port 82"), []);
    assert.deepEqual(await found(world, "The proxy listens on port 83", { scope: "global" }), [[own.id, null]]);
  });
  test("is near a decision and a proposal about the same", async () => {
    const world = await testWorld();
    const id = await decide(world, "Background jobs run on BullMQ with Redis", { subject: "background jobs" });
    const { near } = await say(world, "Background jobs now run on RabbitMQ");
    assert.deepEqual(near.map((one) => [one.id, one.shelf]), [[id, "decision"]]); // prettier-ignore
    const decision = await say(world, "Celery with RabbitMQ", { type: "decision", title: "background jobs" });
    assert.equal(decision.status, "proposed");
    assert.ok(
      decision.near.some((one) => one.id === id),
      "its subject says so, whatever its words",
    );
    assert.deepEqual(await found(world, "Invoices are due within ten days"), []);
  });
});

describe("comparing never disturbs", () => {
  test("a failure is logged, and the memory is kept", async () => {
    const world = await testWorld();
    await say(world, "The proxy listens on port 81");
    const broken = (store: Store): Store => ({
      ...store,
      wordStatistics: () => Promise.reject(new Error("the index is gone")),
    });
    const answer = await say({ ...world, project: broken(world.project) }, "The proxy listens on port 82");
    assert.deepEqual([answer.status, answer.near], ["stored", []]);
    assert.deepEqual(world.warnings, ["not compared with older items: the index is gone"]);
  });
  test("a model that is not loaded stays so, and one that fails is done without", async () => {
    const embedder = createHashEmbedder();
    const cold = { ...embedder, state: () => "cold" as const, embed: () => assert.fail("must not embed") };
    const failing = { ...embedder, state: () => "ready" as const, embed: () => Promise.reject(new Error("no")) };
    for (const one of [cold, failing]) {
      const world = await testWorld({ embedder: one });
      const { id } = await say(world, "The proxy listens on port 81");
      assert.deepEqual(await found(world, "The proxy listens on port 82"), [[id, null]]);
      assert.deepEqual(world.warnings, []);
    }
  });
  test("others get their turn between two searches", async () => {
    const world = await testWorld({ embedder: createNoEmbedder() });
    const { id } = await say(world, "The proxy listens on port 81");
    let turns = 0;
    const seen: number[] = [];
    const noting =
      <Args extends unknown[], Answer>(read: (...args: Args) => Answer) =>
      (...args: Args): Answer => {
        seen.push(turns);
        setImmediate(() => (turns += 1));
        return read(...args);
      };
    const { keyword, wordpieceOverlap } = world.project;
    const project: Store = {
      ...world.project,
      keyword: noting(keyword),
      wordpieceOverlap: noting(wordpieceOverlap),
    };
    assert.deepEqual(await found({ ...world, project }, "The proxy listens on port 82"), [[id, null]]);
    assert.deepEqual(seen, [0, 1]);
  });
  test("fifty nearly equal memories announce at most three each", async () => {
    const world = await testWorld();
    for (let port = 1; port <= 50; port += 1) {
      const { near } = await say(world, `The proxy listens on port ${port}`);
      assert.ok(near.length <= 3 && (port < 2 || near.length > 0));
    }
  });
  test("a long text is compared by its opening", async () => {
    const world = await testWorld();
    const { id } = await say(world, "The proxy listens on port 81");
    const long = `The proxy listens on port 82. ${"The broker has a queue for each shop. ".repeat(26_000)}`;
    assert.ok(long.length > 900_000);
    const answer = await say(world, long);
    assert.equal(answer.status, "stored");
    assert.ok(answer.near.every((one) => one.id === id));
    assert.deepEqual(await found(world, "x".repeat(900_000)), []);
  });
  test("other scripts and a text that contradicts itself raise no flood", async () => {
    const world = await testWorld();
    const texts = [
      ...["プロキシはポート81で待機します", "프록시는 포트 81에서 대기합니다", "الوكيل يستمع على المنفذ 81"],
      ...["Прокси слушает порт 81", "代理监听 81 端口", "🙂🙃", "\u0000\ufffd", "____", "81", "a"],
      "Tracing is enabled and tracing is disabled, it is always on and never on.",
      "Tracing is enabled. No, tracing is disabled.",
    ];
    for (const text of [...texts, ...texts.map((one) => `${one}!`)]) {
      const { status, near } = await say(world, text);
      assert.notEqual(status, "proposed");
      assert.ok(
        near.every(({ kind }) => kind !== "contradicts"),
        `${text}: ${JSON.stringify(near)}`,
      );
    }
    assert.deepEqual(world.warnings, []);
  });
});

test("what cannot be noted is told all the same", async () => {
  const world = await testWorld();
  const { id: older } = await keep(world, "The proxy listens on port 81", { scope: "project" });
  world.clock.time += 1_000;
  const apply: Store["apply"] = async (changes, ...terms) => {
    if (changes.some(({ kind }) => kind === "note_near")) throw new Error("the store is busy");
    return world.project.apply(changes, ...terms);
  };
  const busy = { ...world, project: { ...world.project, apply } };
  const { near } = await keep(busy, "Port 82 is where the proxy listens", { scope: "project", compare: true });
  assert.deepEqual([near.map(({ id }) => id), world.warnings.length], [[older], 1]);
});

test("what another project learnt is not put above what all of them see", async () => {
  const there = await testWorld({ routing: { preset: "seed" } });
  const here = { ...(await neighbourOf(there)), settings: (await testWorld()).settings };
  const shared = await keep(there, "The lynx indents with tabs", { type: "preference", scope: "global" });
  there.clock.time += 1_000;
  const { scope, near } = await keep(there, "The lynx indents with spaces", { type: "pattern", compare: true });
  assert.deepEqual([scope, near.map(({ id }) => id)], ["global", [shared.id]]);
  assert.equal((await unsettled([shared.id], there)).length, 1);
  assert.deepEqual(await unsettled([shared.id], here), []);
});

test("what was stated of two is found among however many other relations", async () => {
  const world = await testWorld();
  const { id: one } = await say(world, "The proxy listens on port 81");
  world.clock.time += 1_000;
  const { id: other } = await say(world, "Port 82 is where the proxy listens");
  const hubs: string[] = [];
  for (let at = 0; at < 101; at += 1) hubs.push((await keep(world, `Hub ${at}`, { scope: "project" })).id);
  const tie = (source: string, target: string, strength: number): Change => ({
    kind: "insert_edge",
    edge: newEdge({
      shelf: "memory",
      source,
      target,
      relation: "relates_to",
      strength,
      bidirectional: true,
      status: "active",
      createdAt: 1,
    }),
  });
  const ties = hubs.flatMap((hub) => [tie(one, hub, 1), tie(other, hub, 1)]);
  await world.project.apply([tie(one, other, 0.1), ...ties], world.origin);
  assert.deepEqual(await unsettled([one], world), []);
});
