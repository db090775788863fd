/** What a new memory is compared with, what is announced about it, and that nothing goes wrong for the caller. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forget } from "../../../src/engine/memory/forget.ts";
import type { RememberRequest } from "../../../src/engine/memory/remember.ts";
import type { Store } from "../../../src/ports/store/store.ts";
import type { World } from "../../../src/ports/world.ts";
import { createHashEmbedder } from "../../../src/providers/embed/hash-embedder.ts";
import { createNoEmbedder } from "../../../src/providers/embed/no-embedder.ts";
import { decide, stage } from "../decisions/decision-steps.ts";
import { keep, testWorld } from "../test-world.ts";

const say = async (world: World, content: string, set: Partial<RememberRequest> = {}) =>
  keep(world, content, { scope: "project", compare: true, ...set });

const found = async (world: World, content: string, set: Partial<RememberRequest> = {}) =>
  (await say(world, content, set)).similar.map(({ id, kind }) => [id, kind]);

describe("a new memory", () => {
  test("is announced with what it contradicts, updates and repeats, worst first", async () => {
    const world = await testWorld();
    const first = await say(world, "The proxy listens on port 81");
    assert.deepEqual(first.similar, []);
    const second = await say(world, "The proxy listens on port 82");
    assert.deepEqual(
      second.similar.map(({ handle, relevance, ...rest }) => rest),
      [
        {
          ...{ id: first.id, kind: "contradicts", shelf: "memory", reason: null },
          summary: "The proxy listens on port 81",
        },
      ],
    );
    const third = await found(world, "The proxy now listens on port 83");
    assert.deepEqual(new Set(third.map(String)), new Set([`${first.id},updates`, `${second.id},updates`]));
    const again = await found(world, "the proxy listens on port 82");
    assert.deepEqual(again.at(-1), [second.id, "repeats"]);
    assert.deepEqual(again.slice(0, -1).map(([, kind]) => kind), ["contradicts", "contradicts"]); // prettier-ignore
  });
  test("is not compared when nobody asks, in the working scope, or when it is known already", async () => {
    const world = await testWorld();
    await say(world, "The proxy listens on port 81");
    assert.deepEqual(await found(world, "The proxy listens on port 82", { compare: false }), []);
    assert.deepEqual(await found(world, "The proxy listens on port 83", { scope: "working" }), []);
    const again = await say(world, "The proxy listens on port 81");
    assert.deepEqual([again.status, again.similar], ["duplicate", []]);
    assert.deepEqual((await keep(world, "The proxy listens on port 84")).similar, []);
  });
  test("is not compared with what it supersedes, nor with what is over", async () => {
    const world = await testWorld();
    const { id } = await say(world, "The proxy listens on port 81");
    const next = await say(world, "The proxy listens on port 82", { supersedes: id });
    assert.deepEqual(next.similar, []);
    const short = await say(world, "The broker listens on port 71", { ttlSeconds: 60 });
    world.clock.time += 60_000;
    assert.deepEqual(await found(world, "The broker listens on port 72"), []);
    assert.notEqual(short.id, next.id);
    await forget(next.id, 5, world);
    assert.deepEqual(await found(world, "The proxy listens on port 83"), []);
  });
  test("is compared within its scope", async () => {
    const world = await testWorld();
    const own = await say(world, "The proxy listens on port 81", { scope: "global" });
    assert.deepEqual(await found(world, "The proxy listens on port 82"), []);
    assert.deepEqual(await found(world, "The proxy listens on port 83", { scope: "global" }), [
      [own.id, "contradicts"],
    ]);
  });
  test("contradicts a ratified decision even if it tells a change; a proposal counts too", async () => {
    const world = await testWorld();
    const id = await decide(world, "BullMQ with Redis", { subject: "background jobs" });
    const { similar } = await say(world, "Background jobs now run on RabbitMQ");
    assert.deepEqual(
      similar.map((one) => [one.id, one.shelf, one.kind, one.reason]),
      [[id, "decision", "contradicts", "names RabbitMQ where the decision says BullMQ with Redis"]],
    );
    assert.deepEqual(await found(world, "Background jobs are retried three times"), []);
    const pending = await stage(world, "Elasticsearch on three nodes", { subject: "product search" });
    assert.deepEqual(await found(world, "Product search is powered by Meilisearch"), [[pending, "contradicts"]]);
    const decision = await say(world, "Celery with RabbitMQ", { type: "decision", title: "background jobs" });
    assert.equal(decision.status, "proposed");
    assert.ok(decision.similar.some((one) => one.id === id && one.kind === "contradicts"));
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
    assert.deepEqual([answer.status, answer.similar], ["stored", []]);
    assert.deepEqual(world.warnings, ["not compared with older memories: the index is gone"]);
  });
  test("a model that is not loaded stays so, and one that fails is done without", async () => {
    const embedder = createHashEmbedder();
    const cold = { ...embedder, state: () => "cold" as const, embed: () => assert.fail("must not embed") };
    const failing = { ...embedder, state: () => "ready" as const, embed: () => Promise.reject(new Error("no")) };
    for (const one of [cold, failing]) {
      const world = await testWorld({ embedder: one });
      const { id } = await say(world, "The proxy listens on port 81");
      assert.deepEqual(await found(world, "The proxy listens on port 82"), [[id, "contradicts"]]);
      assert.deepEqual(world.warnings, []);
    }
  });
  test("no further search begins when the time is over, and nothing is announced", async () => {
    const READS = ["wordStatistics", "keyword", "nearest", "cosines", "wordpieceOverlap"] as const;
    for (const [slow, begun] of [
      ["wordStatistics", ["wordStatistics", "keyword"]],
      ["keyword", ["wordStatistics", "keyword"]],
    ] as const) {
      const world = await testWorld({ embedder: createNoEmbedder() });
      await say(world, "The proxy listens on port 81");
      await decide(world, "The proxy is nginx", { subject: "proxy" });
      const seen: string[] = [];
      const project: Store = { ...world.project };
      for (const name of READS)
        Object.assign(project, {
          [name](...args: unknown[]) {
            seen.push(name);
            if (name === slow) world.clock.time += world.settings.remember.compareMs;
            return (world.project[name] as (...given: unknown[]) => unknown)(...args);
          },
        });
      assert.deepEqual(await found({ ...world, project }, "The proxy listens on port 82"), []);
      assert.deepEqual(seen, begun);
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
    assert.deepEqual(await found({ ...world, project }, "The proxy listens on port 82"), [[id, "contradicts"]]);
    assert.deepEqual(seen, [0, 1]);
  });
  test("fifty nearly equal memories announce at most three each", async () => {
    const world = await testWorld();
    for (let port = 1; port <= 50; port += 1) {
      const { similar } = await say(world, `The proxy listens on port ${port}`);
      assert.equal(similar.length, Math.min(3, port - 1));
    }
  });
  test("a long text is compared by its opening", async () => {
    const world = await testWorld();
    const { id } = await say(world, "The proxy listens on port 81");
    const long = `The proxy listens on port 82. ${"The broker has a queue for each shop. ".repeat(26_000)}`;
    assert.ok(long.length > 900_000);
    const answer = await say(world, long);
    assert.equal(answer.status, "stored");
    assert.ok(answer.similar.every((one) => one.id === id));
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
      const { status, similar } = await say(world, text);
      assert.notEqual(status, "proposed");
      assert.ok(
        similar.every(({ kind }) => kind === "repeats"),
        `${text}: ${JSON.stringify(similar)}`,
      );
    }
    assert.deepEqual(world.warnings, []);
  });
});
