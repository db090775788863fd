/** What `remember` says about older memories: at a terminal, as JSON and over MCP. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../src/catalog/catalog.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { runCli } from "../../src/cli/run.ts";
import { decide } from "../decisions/decision-steps.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

async function typed(world: TestWorld, ...argv: string[]): Promise<string> {
  const { io, out, err } = streams();
  const open = async () => ({ world, close: async () => undefined });
  assert.equal(await runCli(argv, { catalog, io, attended: false, open }), 0, err());
  return out();
}

test("what is near is told with day, speaker, difference and the next step", async () => {
  const world = await testWorld();
  const handle = /Remembered: (\w+)/.exec(await typed(world, "remember", "The proxy listens on port 81"))![1]!;
  const other = await typed(world, "remember", "The proxy listens on port 82");
  const own = /Remembered: (\w+)/.exec(other)![1]!;
  assert.match(
    other,
    new RegExp(`\nNear ${handle} \\(person, [0-9-]+\\): "The proxy listens on port 81" \\[81 → 82\\]\n`),
  );
  assert.ok(other.includes(`Replaces it: \`stele settle ${own} ${handle} --as replaces\``), other);
  assert.match(
    await typed(world, "update", own, "Port 82 is where the proxy now listens"),
    new RegExp(`\nNear ${handle} `),
  );
  assert.doesNotMatch(
    await typed(world, "remember", "The proxy listens on port 84", "--no-compare"),
    /Near|Contradicts/,
  );
});

test("a proposal is told with the decisions in force that it is near", async () => {
  const world = await testWorld();
  const id = await decide(world, "Telemetry is opt-in", { subject: "telemetry" });
  const { answer } = await dispatch(
    operations.propose,
    { subject: "usage data", decision: "Telemetry is opt-out" },
    world,
  );
  assert.deepEqual(answer.near.map((one) => one.id), [id]); // prettier-ignore
  const text = await typed(
    world,
    "propose",
    "--subject",
    "telemetry",
    "--decision",
    "Usage data is sent unless refused",
  );
  assert.match(text, /\nNear decision \w+ \(person, [0-9-]+\): "telemetry: Telemetry is opt-in"/);
});
