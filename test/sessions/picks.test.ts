/** An option that the agent offered and the person picked becomes a proposal, with the question and what was rejected. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import reject from "../../src/decisions/verbs/reject.ts";
import { extract } from "../../src/sessions/extract.ts";
import { itemsOn, laterWorld, pathOf, taken } from "./session-steps.ts";
import { claudeLines, codexLines, type Saying, writeTranscript } from "./transcript.ts";

const OFFER =
  "Both would work here.\n\nHow shall the tide table be stored?\n1. one row for each harbour\n2. one file for each year\n3. in memory only";
const answered = (prompt: string, offer = OFFER): Saying[] => [
  { prompt: "Store the tide table, please." },
  { reply: offer },
  { prompt },
];

const picked: [answer: string, content: string, rejected: string[]][] = [
  ["2", "one file for each year", ["one row for each harbour", "in memory only"]],
  ["Let's go with option 1.", "one row for each harbour", ["one file for each year", "in memory only"]],
  ["the last one", "in memory only", ["one row for each harbour", "one file for each year"]],
  ["one file for each year", "one file for each year", ["one row for each harbour", "in memory only"]],
];
for (const [answer, content, rejected] of picked)
  test(`"${answer}" picks: ${content}`, async () => {
    const world = await laterWorld();
    const { proposals, memories } = await taken(world, answered(answer));
    assert.equal(proposals.length, 1);
    const [item] = await world.project.items("proposal", proposals);
    assert.deepEqual([item?.type, item?.status, item?.content], ["decision", "pending", content]);
    assert.match(item!.title!, /How shall the tide table be stored\?$/);
    assert.deepEqual(item!.details["rejected"], rejected);
    const evidence = await world.project.evidenceOf("s1");
    assert.deepEqual(item?.details["evidence"], [evidence.at(-1)]);
    assert.deepEqual([memories, await itemsOn(world, "decision")], [[], []], "and nothing else");
  });

test("the subject is the question, without the paragraph before it", async () => {
  const world = await laterWorld();
  const offer = "Pilots are late.\n\nWhich one?\n\n1. one row for each harbour\n2. one file for each year";
  const { proposals } = await taken(world, answered("2", offer));
  assert.equal((await world.project.items("proposal", proposals))[0]?.title, "Which one?");
});

for (const [host, linesOf] of Object.entries({ claude: claudeLines, codex: codexLines }))
  test(`what the agent proposed itself is not proposed twice, by ${host}`, async () => {
    const say = (...more: Saying[]) => linesOf([...answered("2"), ...more], "s1");
    const refused = say({ verb: "propose", isError: true, result: "Exit code 1" });
    for (const [lines, count] of [[say({ verb: "propose" }), 0], [say({ verb: "proposals" }), 1], [refused, 1]] as const) {
      const world = await laterWorld();
      assert.equal((await taken(world, [], { lines })).proposals.length, count);
    }
  }); // prettier-ignore

const unpicked: [why: string, sayings: Saying[]][] = [
  ["a refusal", answered("none of these")],
  ["a question", answered("why not 2?")],
  ["a comparison", answered("1 rather than 2 or 3, or both?")],
  ["a long answer", answered(`2, ${"and mind the leap years as well, ".repeat(20)}`)],
  ["no options", answered("2", "Shall I store it?")],
  ["one option", answered("1", "Shall I?\n1. store it")],
  ["no question", answered("2", "I did this.\n1. stored one row\n2. stored one file")],
  ["an option that was pasted", [{ prompt: "Store it." }, { reply: "Done." }, { prompt: `${OFFER}\n\n2` }]],
  ["an answer that was pasted", answered("```\n2\n```")],
  ["options that a tool printed", [{ prompt: "Store it." }, { command: "ask", result: OFFER }, { prompt: "2" }]],
];
for (const [why, sayings] of unpicked)
  test(`nothing is proposed: ${why}`, async () => {
    const world = await laterWorld();
    const { proposals, memories } = await taken(world, sayings);
    assert.deepEqual([proposals, memories], [[], []]);
  });

test("what waits already is not proposed again", async () => {
  const world = await laterWorld();
  assert.equal((await taken(world, answered("2"))).proposals.length, 1);
  assert.deepEqual((await taken(world, answered("2"), { session: "s2" })).proposals, []);
});

test("what was rejected is not proposed again when its session is read again", async () => {
  const world = await laterWorld();
  const [id] = (await taken(world, answered("2"))).proposals;
  await dispatch(reject, { id: id!, reason: "no" }, world);
  await world.project.apply([{ kind: "drop_checkpoints", transcripts: [pathOf(world, "s1")] }], world.origin);
  const again = await taken(world, answered("2"));
  assert.deepEqual([again.evidence, again.proposals], [0, []]);
});

test("a turn and a pick note the newest commit of their time, and none where nobody knows it", async () => {
  const commit = "c0ffee".padEnd(40, "0");
  const world = await laterWorld();
  const path = pathOf(world, "s1");
  writeTranscript(path, claudeLines(answered("2"), "s1"));
  const { proposals } = await extract({ path, isEnded: true, commitAt: () => commit }, world);
  const items = await world.project.items("proposal", proposals);
  items.push(...(await world.project.items("evidence", await world.project.evidenceOf("s1"))));
  assert.deepEqual(items.map(({ context }) => context.commits), [[commit], [commit], [commit]]); // prettier-ignore
  const late = await laterWorld();
  await taken(late, answered("2"));
  const told = await late.project.items("evidence", await late.project.evidenceOf("s1"));
  assert.deepEqual(told.map(({ context }) => context.commits), [[], []]); // prettier-ignore
});
