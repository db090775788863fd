/** What `remember` says about older memories: at a terminal, as JSON and over MCP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runCli } from "../../src/hosts/cli/run.ts";
import { dispatch } from "../../src/hosts/dispatch.ts";
import { catalog } from "../../src/operations/catalog.ts";
import { decide } from "../engine/decisions/decision-steps.ts";
import { type TestWorld, testWorld } from "../engine/test-world.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { operations } from "../whole-catalog.ts";

async function typed(world: TestWorld, ...argv: string[]): Promise<string> {
  const { io, out, err } = streams();
  const open = async () => ({ world, close: async () => undefined });
  assert.equal(await runCli(argv, { catalog, io, attended: false, open }), 0, err());
  return out();
}

test("a contradiction, an update and a repetition are told with what to do next", async () => {
  const world = await testWorld();
  const handle = /Remembered: (\w+)/.exec(await typed(world, "remember", "The proxy listens on port 81"))![1]!;
  const other = await typed(world, "remember", "The proxy listens on port 82");
  assert.equal(
    other.split("\n").slice(1).join("\n"),
    `Contradicts ${handle}: "The proxy listens on port 81"\n` +
      `  Replaces it? Remember it with \`--supersedes ${handle}\`, or \`stele forget ${handle}\`\n`,
  );
  assert.match(await typed(world, "remember", "The proxy now listens on port 83"), /\nUpdates /);
  const repeated = await typed(world, "remember", "the proxy listens on port 81");
  const own = /Remembered: (\w+)/.exec(repeated)![1]!;
  assert.ok(repeated.includes(`\nRepeats ${handle}: "The proxy listens on port 81"\n`), repeated);
  assert.ok(repeated.includes(`Keep one: \`stele forget ${own}\` or \`stele forget ${handle}\``), repeated);
  assert.doesNotMatch(await typed(world, "remember", "The proxy listens on port 84", "--no-compare"), /Contradicts/);
});

test("following the advice ends the older memory", async () => {
  const world = await testWorld();
  const { answer: old } = await dispatch(operations.remember, { content: "The proxy listens on port 81" }, world);
  const content = "The proxy listens on port 82";
  const { answer } = await dispatch(operations.remember, { content }, world);
  assert.deepEqual(answer.similar.map(({ id }) => id), [old.id]); // prettier-ignore
  const again = await dispatch(operations.remember, { content, supersedes: old.handle }, world);
  assert.equal(again.answer.status, "duplicate");
  const { answer: closed } = await dispatch(operations.get, { id: old.id }, world);
  assert.equal(closed.status, "superseded");
});

test("against a decision the answer says that it holds, and JSON has the reason", async () => {
  const world = await testWorld();
  const id = await decide(world, "BullMQ with Redis", { subject: "background jobs" });
  const text = await typed(world, "remember", "Background jobs run on RabbitMQ");
  assert.match(text, /\nContradicts decision (\w+): "background jobs: BullMQ with Redis" \(names RabbitMQ where/);
  assert.match(text, /\n {2}The decision holds\. To change it, propose another one that supersedes \w+\.\n$/);
  const json = JSON.parse(await typed(world, "remember", "Background jobs run on Sidekiq", "--json")) as {
    similar: { id: string; kind: string; reason: string }[];
  };
  const [first] = json.similar;
  assert.deepEqual([first!.id, first!.kind], [id, "contradicts"]);
  assert.equal(first!.reason, "names Sidekiq where the decision says BullMQ with Redis");
});
