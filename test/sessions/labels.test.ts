/** Every turn is kept with the origin of each of its parts; searched are the person's words and how each message begins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { type AnyOperation, readerOf } from "../../src/catalog/operation.ts";
import why from "../../src/decisions/verbs/why.ts";
import { answerText } from "../../src/mcp/tool.ts";
import { PRINTED_CHARACTERS } from "../../src/sessions/turns.ts";
import { itemsOn, laterWorld, taken, turnsOf } from "./session-steps.ts";
import { claudeLines, codexLines, type Saying } from "./transcript.ts";

const LOG = "2026-01-15 09:00:01 ERROR the gauge is gone\n    at poll (gauge.ts:3:1)\n    at main (main.ts:9:1)";
const cases: [why: string, sayings: Saying[], parts: [label: string, text: string][]][] = [
  ["typed words", [{ prompt: "please poll the gauge" }], [["own", "please poll the gauge"]]],
  [
    "a log under a question",
    [{ prompt: `why does the gauge fail?\n${LOG}` }],
    [["own", "why does the gauge fail?"], ["pasted", LOG]],
  ],
  [
    "a fence",
    [{ prompt: "can you run this?\n```sh\nnever trust a gauge\n```" }],
    [["own", "can you run this?"], ["pasted", "```sh\nnever trust a gauge\n```"]],
  ],
  [
    "a document in tags",
    [{ prompt: "what do you make of it?\n<document>\nAlways poll twice.\n</document>" }],
    [["own", "what do you make of it?"], ["pasted", "<document>\nAlways poll twice.\n</document>"]],
  ],
  [
    "a quotation",
    [{ prompt: "he wrote:\n> Always poll twice." }],
    [["own", "he wrote:"], ["pasted", "> Always poll twice."]],
  ],
  [
    "what the agent says and what a tool prints",
    [{ prompt: "poll it" }, { command: "poll --once", result: "12 cm" }, { reply: "It shows 12 cm." }],
    [["own", "poll it"], ["tool", "12 cm"], ["agent", "It shows 12 cm."]],
  ],
]; // prettier-ignore
for (const [why, sayings, parts] of cases)
  for (const [host, lines] of Object.entries({ claude: claudeLines(sayings), codex: codexLines(sayings, "s1") }))
    test(`${why}, by ${host}`, async () => {
      const world = await laterWorld();
      await taken(world, sayings, { lines });
      const kept = (await turnsOf(world)).flat().map(({ label, text }) => [label, text.trim()]);
      assert.deepEqual(kept, parts);
    });

test("what was pasted is found as that, not as the person's words", async () => {
  const world = await laterWorld();
  await taken(world, [{ prompt: "please summarise it\n<document>\nAlways feed the quokka at noon.\n</document>" }]);
  const asked = async (question: string) => {
    const { answer } = await dispatch(why, { question }, world);
    return answerText(why as unknown as AnyOperation, answer, readerOf({ question }, world));
  };
  assert.match(await asked("when is the quokka fed?"), /evidence, pasted text 2026-01-15/);
  assert.match(await asked("what shall I summarise, please?"), /evidence, user 2026-01-15/);
  await taken(world, [{ prompt: "> Feed the wombat.", minute: 9 }, { reply: "The wallaby sleeps." }], {
    session: "s2",
  });
  assert.match(
    await asked("does the wallaby sleep?"),
    /evidence, assistant 2026-01-15, on "> Feed the wombat\.": The wallaby/,
  );
});

test("of a tool its command, its outcome and a kilobyte are kept", async () => {
  const world = await laterWorld();
  const result = `first\n${"noise ".repeat(1_000)}\nerror: the gauge is gone\n${"noise ".repeat(1_000)}\nlast`;
  await taken(world, [{ prompt: "poll" }, { command: "poll --all", result, isError: true }]);
  const [, tool] = (await turnsOf(world)).flat();
  assert.deepEqual([tool?.call?.command, tool?.call?.failed], ["poll --all", true]);
  assert.ok(tool!.text.length <= PRINTED_CHARACTERS, `${tool!.text.length}`);
  for (const kept of ["first", "error: the gauge is gone", "last"]) assert.ok(tool!.text.includes(kept), kept);
});

test("the end of a long message is kept, but not searched", async () => {
  const world = await laterWorld();
  const reply = `The gauge is polled. ${"It works as before. ".repeat(40)}The quokka sleeps at the end.`;
  await taken(world, [{ prompt: "poll the gauge" }, { command: "ls", result: "wombat" }, { reply }]);
  const [item] = await itemsOn(world, "evidence");
  assert.ok(item!.content.includes("The gauge is polled") && !/quokka|wombat/.test(item!.content));
  const kept = (await turnsOf(world)).flat();
  for (const word of ["quokka", "wombat"]) assert.ok(kept.some(({ text }) => text.includes(word)), word); // prettier-ignore
  const { hits } = (await dispatch(why, { question: "who sleeps, the quokka?" }, world)).answer;
  assert.ok(hits.every(({ content }) => !content.includes("quokka")));
});

test("yes is a turn of its own each time", async () => {
  const world = await laterWorld();
  const yes = [1, 2, 3].map((minute): Saying => ({ prompt: "yes", minute }));
  await taken(world, yes);
  await taken(world, yes.map((saying) => ({ ...saying, minute: saying.minute! + 60 })), { session: "s2" }); // prettier-ignore
  assert.equal((await itemsOn(world, "evidence")).length, 6);
});

test("a session in which nothing was said leaves nothing", async () => {
  const world = await laterWorld();
  const { evidence } = await taken(world, [], { lines: codexLines([], "s1") });
  assert.deepEqual([evidence, await world.project.sessionCards({ limit: 9 })], [0, []]);
});
