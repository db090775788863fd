/** Every verb tells days and times by the person's clock, in a pipe, on a terminal and to an agent; JSON is in UTC. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import { catalog } from "../../src/catalog/catalog.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { type AnyOperation, readerOf } from "../../src/catalog/operation.ts";
import { answerText } from "../../src/mcp/tool.ts";
import { zoneNamed } from "../../src/time/calendar.ts";
import { runChild } from "../child.ts";
import { decide, stage, YES } from "../decisions/decision-steps.ts";
import { keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";

/** Around midnight in UTC it is the first day of the month in Auckland and still the last one in Los Angeles. */
const BEFORE = Date.UTC(2026, 0, 31, 23, 30);
const AFTER = Date.UTC(2026, 1, 1, 0, 30);
const ZONES = ["Pacific/Auckland", "America/Los_Angeles"] as const;
/** As a terminal says it ten days later, too. */
const FIRST = /2026-02-01|\b1 Feb(?:ruary)?\b/;
const LAST = /2026-01-31|\b31 Jan(?:uary)?\b/;

const STELE = new URL("../../bin/stele.js", import.meta.url);

type Verb = (typeof catalog.names)[number];
type Call = [verb: Verb, input: Record<string, unknown>];

async function filled(at: number, zone: string): Promise<{ world: TestWorld; calls: Call[] }> {
  const world = await testWorld({ zone: zoneNamed(zone)! });
  world.clock.time = at;
  const { id } = await keep(world, "The walrus sleeps on the northern shore", { type: "gotcha" });
  const other = await keep(world, "The walrus sleeps on the northern shore today", { type: "gotcha" });
  await dispatch(
    await catalog.load("remember"),
    { content: "Feed the walrus", type: "progress", session: "feeding" },
    world,
  );
  await decide(world, "The walrus gets fish", { subject: "food" });
  await stage(world, "The walrus gets squid", { subject: "snacks" });
  const bed = await keep(world, "The walrus sleeps in a bed");
  await keep(world, "The walrus sleeps in a bath", { supersedes: bed.id });
  const said = await dispatch(await catalog.load("log"), { text: "Ann: the walrus looks hungry" }, world);
  await dispatch(await catalog.load("maintain"), {}, world);
  await dispatch(await catalog.load("backup"), {}, world);
  world.clock.time = at + 10 * 86_400_000;
  const calls: Call[] = [
    ["list", {}],
    ["get", { id }],
    ["recall", { query: "where does the walrus sleep" }],
    ["recall", { query: "walrus", shelf: ["evidence"], passages: true }],
    ["why", { question: "walrus hungry" }],
    ["evidence", { id: said.answer["id"] }],
    ["decisions", {}],
    ["decisions", { subject: "food" }],
    ["proposals", {}],
    ["sessions", {}],
    ["context", {}],
    ["surface", {}],
    ["audit", {}],
    ["consolidate", {}],
    ["restore", {}],
    ["inspect", {}],
    ["orient", {}],
  ];
  const questions: string[] = [];
  const ask = async ({ message }: { message: string }) => (questions.push(message), { action: "decline" as const });
  await dispatch(await catalog.load("merge"), { first: id, second: other.id }, world, { ask }).catch(() => undefined);
  assert.match(questions.join(), dayOf(zone), `the question of merge in ${zone}`);
  return { world, calls };
}

const dayOf = (zone: string): RegExp => (zone === "Pacific/Auckland" ? FIRST : LAST);

for (const [name, at] of [["before", BEFORE], ["after", AFTER]] as const) // prettier-ignore
  for (const zone of ZONES)
    test(`what happened just ${name} midnight in UTC is told as the day it was in ${zone}`, async () => {
      const { world, calls } = await filled(at, zone);
      const [right, wrong] = zone === "Pacific/Auckland" ? [FIRST, LAST] : [LAST, FIRST];
      for (const [verb, input] of calls) {
        const op: AnyOperation = await catalog.load(verb);
        const { answer } = await dispatch(op, input, world);
        const reader = readerOf(input, world);
        const page = op.page?.(answer, reader).map(({ spans }) => spans.map(({ text }) => text).join("")).join("\n"); // prettier-ignore
        for (const text of [op.render(answer, reader), answerText(op, answer, reader), page]) {
          if (text === undefined) continue;
          assert.match(text, right, `${verb} ${JSON.stringify(input)}`);
          assert.doesNotMatch(text, wrong, verb);
          assert.doesNotMatch(text, /\dT\d\d:\d\d/, `${verb} shows no stamp`);
        }
      }
      const request = { report: "r", session: "other", prompt: "Where does the walrus sleep on the northern shore?" };
      const block = await contextForPrompt(
        { ...request, transcript: null, mostTokens: 500, isLate: () => false },
        world,
      );
      assert.match(block ?? "", right, "what a hook injects");
    });

test("a surface is made again when the person is in another zone, and JSON stays in UTC", async () => {
  const { world } = await filled(BEFORE, ZONES[0]);
  const surface: AnyOperation = await catalog.load("surface");
  const list: AnyOperation = await catalog.load("list");
  const told = async (zone: string) =>
    (await dispatch(surface, {}, { ...world, zone: zoneNamed(zone)! })).answer["text"];
  for (const zone of [...ZONES, ZONES[0]]) {
    assert.match(String(await told(zone)), dayOf(zone));
    await world.afterwards.settle();
  }
  assert.match(JSON.stringify((await dispatch(list, {}, world)).answer), /"createdAt":"2026-01-31T23:30:00.000Z"/);
});

test("the question of ratify says when a decision holds by the person's clock", async () => {
  const world = await testWorld({ zone: zoneNamed(ZONES[0])! });
  const id = await stage(world, "The walrus gets fish", { validFrom: "2026-02-01" });
  const asked: string[] = [];
  const ask = async ({ message }: { message: string }) => (asked.push(message), YES);
  await dispatch(await catalog.load("ratify"), { id }, world, { ask });
  assert.match(asked[0]!, /^Holds from 2026-02-01 00:00$/m);
});

test("the person's zone is that of the process", async () => {
  const home = temporaryFolder();
  const run = async (zone: string, ...args: string[]) => {
    const env = { ...process.env, STELE_HOME: home, STELE_TIME_ZONE: undefined, TZ: zone };
    const { code, output, errors } = await runChild(STELE, args, { cwd: home, env });
    assert.equal(code, 0, errors);
    return output;
  };
  const kept = await run("UTC", "log", "Ann: tokens", "--at", "2026-01-31T23:30:00Z", "--json");
  const { id } = JSON.parse(kept) as { id: string };
  assert.match(await run(ZONES[0], "evidence", id), /^2026-02-01 12:30, session /m);
  assert.match(await run(ZONES[1], "evidence", id), /^2026-01-31 15:30, session /m);
});
