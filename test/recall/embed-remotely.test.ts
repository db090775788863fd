import assert from "node:assert/strict";
import { test } from "node:test";
import { keepEvidence } from "../../src/decisions/evidence.ts";
import { createHashEmbedder } from "../../src/embed/embedders.ts";
import { Failure } from "../../src/errors.ts";
import { backfill } from "../../src/maintenance/backfill.ts";
import type { RemoteEmbedder } from "../../src/ports.ts";
import { ask, keep, testWorld } from "../test-world.ts";

/** Knows one synonym that the local embedder does not. */
function remote(): RemoteEmbedder & { sent: string[]; isDown: boolean } {
  const words = createHashEmbedder(64);
  const understood = (text: string) => text.replaceAll("automobile", "car");
  const self = {
    ...words,
    identity: "remote:test:m:64:1",
    sent: [] as string[],
    isDown: false,
    state: () => "ready" as const,
    async embed(texts: readonly string[]) {
      if (self.isDown) throw new Failure("unavailable", "The provider is down.", "Wait.");
      self.sent.push(...texts);
      return words.embed(texts.map(understood));
    },
    embedQuestion: async (text: string) => (await self.embed([text]))[0]!,
  };
  return self;
}

const FACTS = [
  "The car needs winter tyres in November.",
  "Invoices are due at noon.",
  "Backups run every night.",
  "The lift is out of order.",
];

async function filledWorld() {
  const remoteEmbedder = remote();
  const world = await testWorld({ remoteEmbedder });
  for (const fact of FACTS) await keep(world, fact);
  return { world, remoteEmbedder };
}

const evidence = {
  turns: [{ role: "user" as const, text: "We talked about the automobile at length." }],
  session: "s",
};

test("memories are sent, evidence and code never", async () => {
  const { world, remoteEmbedder } = await filledWorld();
  await keepEvidence(evidence, world);
  const { waiting, embedder } = await backfill(undefined, world);
  assert.deepEqual([waiting, embedder.split(" and ").length], [0, 2]);
  assert.deepEqual(remoteEmbedder.sent.toSorted(), FACTS.toSorted());
  await ask(world, "What was said about the automobile?", { shelves: ["evidence"] });
  assert.equal(remoteEmbedder.sent.length, FACTS.length, "nor questions about them");
});

test("the remote embedder finds what only it understands", async () => {
  const { world, remoteEmbedder } = await filledWorld();
  const { hits, degraded } = await ask(world, "automobile", { mode: "semantic" });
  assert.equal(hits[0]?.content, FACTS[0]);
  assert.equal(degraded, null);
  assert.ok(remoteEmbedder.sent.includes("automobile"));
});

test("when it does not answer, the local one does, and the answer says so", async () => {
  const { world, remoteEmbedder } = await filledWorld();
  await backfill(undefined, world);
  remoteEmbedder.isDown = true;
  const { hits, degraded } = await ask(world, "When do backups run?");
  assert.equal(hits[0]?.content, FACTS[2]);
  assert.equal(degraded, "searched without the remote embedder (The provider is down)");
});

test("while passages wait for it, it takes no part", async () => {
  const { world, remoteEmbedder } = await filledWorld();
  remoteEmbedder.isDown = true;
  const { degraded } = await ask(world, "When do backups run?");
  assert.match(degraded!, /4 passages wait for it/);
});
