/** A person's verdict on a note: right makes it a memory with its source, wrong keeps it back, a text in its place does both. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { handleOf } from "../../src/memory/handles.ts";
import judge from "../../src/sessions/verbs/judge.ts";
import { READER } from "../catalog/reader.ts";
import { apply, put } from "../store/suite/trial.ts";
import { itemIn, type TestWorld } from "../test-world.ts";
import { itemsOn, laterWorld, taken } from "./session-steps.ts";

const FIRST = "The berth table must never be cached, because each harbour has a zone of its own in `berths.ts` now.";
const SECOND = "The quay walls need to be joined once for each row, because `quayOf()` returns stale ones otherwise.";

async function judged(): Promise<{ world: TestWorld; idOf: (text: string) => string; start: () => Promise<string> }> {
  const world = await laterWorld();
  await taken(world, [
    { prompt: "Why are berths slow?" },
    { reply: FIRST },
    { prompt: "And quays?" },
    { reply: SECOND },
  ]);
  const [card] = await world.project.sessionCards({ limit: 1 });
  let starts = 0;
  const start = async () => {
    starts += 1;
    const asked = { report: `r${starts}`, session: `n${starts}`, source: "startup", isLate: () => false };
    return (await contextAtStart(asked, world)) ?? "";
  };
  return { world, start, idOf: (text) => card!.notes.find((note) => note.text === text)!.id };
}

test("right makes it a memory of the agent's words, and it is no note to hand over any more", async () => {
  const { world, start, idOf } = await judged();
  assert.ok((await start()).includes(FIRST));
  const { answer } = await dispatch(judge, { note: idOf(FIRST).slice(0, 8), as: "right" }, world);
  const memory = (await itemIn(world, answer.memory!))!;
  assert.deepEqual(
    [answer.verdict, memory.content, memory.source, memory.session],
    ["right", FIRST, "ai_inferred", "s1"],
  );
  assert.deepEqual([memory.scope, memory.type], ["project", "fact"]);
  assert.equal((await start()).split("must never be cached").length, 2, "once, as a memory");
});

test("wrong is never handed over again, until the verdict is taken back", async () => {
  const { world, start, idOf } = await judged();
  const { answer } = await dispatch(judge, { note: idOf(FIRST), as: "wrong" }, world);
  assert.deepEqual([answer.memory, await itemsOn(world, "memory")], [null, []]);
  const told = await start();
  assert.ok(!told.includes(FIRST) && told.includes(SECOND));
  await dispatch(judge, { note: idOf(FIRST), as: "open" }, world);
  assert.ok((await start()).includes(FIRST));
});

test("wrong is not handed over by a surface that was kept before", async () => {
  const { world, start, idOf } = await judged();
  assert.ok((await start()).includes(FIRST));
  await world.afterwards.settle();
  await dispatch(judge, { note: idOf(FIRST), as: "wrong" }, world);
  assert.ok(!(await start()).includes(FIRST));
});

test("a note whose verdict is taken back is handed over again, though a surface was kept without it", async () => {
  const { world, start, idOf } = await judged();
  await dispatch(judge, { note: idOf(FIRST), as: "wrong" }, world);
  assert.ok(!(await start()).includes(FIRST));
  await world.afterwards.settle();
  await dispatch(judge, { note: idOf(FIRST), as: "open" }, world);
  assert.ok((await start()).includes(FIRST));
});

test("a text in its place is the person's, and the note is not handed over", async () => {
  const { world, start, idOf } = await judged();
  const text = "The berth table may be cached for a minute";
  const { answer } = await dispatch(judge, { note: idOf(FIRST), as: "right", text }, world);
  const memory = (await itemIn(world, answer.memory!))!;
  assert.deepEqual([answer.verdict, memory.content, memory.source], ["fixed", text, "user_explicit"]);
  const told = await start();
  assert.ok(told.includes(text) && !told.includes(FIRST));
});

test("a note is found among any number of sessions that ended in the same moment", async () => {
  const { world } = await judged();
  const [made] = await world.project.sessionCards({ limit: 1 });
  for (let index = 0; index <= 200; index += 1) {
    const session = `m${index}`;
    const { id } = await put(world.project, "evidence", { session, source: "extraction" });
    const notes = [{ ...made!.notes[0]!, id: `noted by ${index}.` }];
    const kept = { card: { ...made!.card, session }, notes, turns: 1, rules: made!.rules, errors: [] };
    await apply(world.project, { kind: "keep_session", kept: kept, evidence: [`${id} 1`] });
  }
  for (const index of [0, 99, 199, 200]) {
    const { answer } = await dispatch(judge, { note: `noted by ${index}.`, as: "wrong" }, world);
    assert.equal(answer.note, `noted by ${index}.`);
  }
  await assert.rejects(dispatch(judge, { note: "noted", as: "wrong" }, world), { code: "invalid_input" });
});

test("an agent may not judge, and nothing is judged by half a name", async () => {
  const { world, idOf } = await judged();
  for (const agent of [{ byAgent: true }, { host: "mcp" }])
    await assert.rejects(
      dispatch(judge, { note: idOf(FIRST), as: "right" }, { ...world, origin: { ...world.origin, ...agent } }),
      { code: "refused" },
    );
  await assert.rejects(dispatch(judge, { note: "none", as: "wrong" }, world), { code: "not_found" });
  assert.deepEqual(await itemsOn(world, "memory"), []);
});

test("the memory of a verdict is taken back by its call", async () => {
  const { world, idOf } = await judged();
  const call = { ...world, origin: { ...world.origin, call: "verdict" } };
  const { answer } = await dispatch(judge, { note: idOf(FIRST), as: "right" }, call);
  assert.ok(await itemIn(world, answer.memory!));
  await dispatch(rollback, { call: answer.call! }, world);
  assert.equal(await itemIn(world, answer.memory!), undefined);
});

for (const as of ["wrong", "open"] as const)
  test(`${as} says that it archives the memory of an earlier verdict, which the last call undone brings back`, async () => {
    const { world, idOf } = await judged();
    const { memory } = (await dispatch(judge, { note: idOf(FIRST), as: "right" }, world)).answer;
    const { answer } = await dispatch(judge, { note: idOf(FIRST), as }, world);
    assert.equal(answer.archived, memory);
    const said = judge.render(answer, READER);
    assert.match(
      said,
      new RegExp(`Memory ${handleOf(memory!)}.* is archived\\. Undo with \`stele rollback ${handleOf(answer.call!)}\``),
    );
    assert.equal((await itemIn(world, memory!))!.status, "archived");
    assert.equal((await dispatch(rollback, { last: 1 }, world)).answer.status, "rolled_back");
    assert.equal((await itemIn(world, memory!))!.status, "active");
  });
