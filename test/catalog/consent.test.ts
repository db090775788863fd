/** Consent, through the verbs, on real stores: whoever changes what holds was asked about exactly that. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import { test } from "node:test";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import type { Question, Reply } from "../../src/catalog/question.ts";
import { promptAt } from "../../src/cli/prompt.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import type { World } from "../../src/world.ts";
import { DAY, decide, held, stage } from "../decisions/decision-steps.ts";
import { catalog } from "../hosts/fixtures/catalog.ts";
import { fakeWorld } from "../hosts/fixtures/world.ts";
import { itemIn, keep, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const AGREED = { ratify: true, rollback: true, import: true, erase: true, restore: true, agree: true, merge: true };
const YES: Reply = { action: "accept", values: AGREED };
const nobody: Ask = async () => assert.fail("nobody need be asked");

type Answer = Record<string, unknown>;
async function run(verb: keyof typeof operations, input: object, world: World, ask?: Ask): Promise<Answer> {
  return (await dispatch(operations[verb] as unknown as AnyOperation, input, world, { ask })).answer;
}

/** Somebody who agrees to everything, and does something else while they are asked. */
function agreeing(...meanwhile: (() => unknown)[]) {
  const asked: string[] = [];
  const again: boolean[] = [];
  const ask: Ask = async ({ message }, isAgain) => {
    asked.push(message);
    again.push(isAgain === true);
    await meanwhile[asked.length - 1]?.();
    return YES;
  };
  return { ask, asked, again };
}

const contents = async (world: TestWorld) => (await held(world, "auth")).map(({ content }) => content).sort();
const unattended = { decisions: { ratify: "unattended" } } as const;
const agents = (world: TestWorld): TestWorld => ({ ...world, origin: { ...world.origin, host: "mcp" } });

/** An export of all there is, with every item changed. */
async function exported(world: TestWorld, change: (item: Answer) => object = () => ({})): Promise<string> {
  const path = world.files.resolve("out.jsonl");
  await run("export", { path, overwrite: true }, world);
  const lines = readFileSync(path, "utf8").split("\n");
  const changed = lines.map((line) => {
    if (!line.includes('"line":"item"')) return line;
    const item = JSON.parse(line) as Answer;
    const next = { ...item, ...change(item) } as Answer;
    return JSON.stringify({ ...next, hash: contentHash(String(next["content"])) });
  });
  writeFileSync(path, changed.join("\n"));
  return path;
}

test("a proposal that says something else by the time of the answer is asked about again", async () => {
  const folder = temporaryFolder();
  const [world, other] = [await testWorld({ folder }), await testWorld({ folder })];
  const id = await stage(world, "Use JWT");
  const path = await exported(world, () => ({ content: "Disable all authentication", version: 2 }));
  const { ask, asked, again } = agreeing(() => run("import", { path, replace: [id] }, other));
  await run("ratify", { id }, world, ask);
  assert.match(asked[0]!, /Use JWT/);
  assert.match(asked[1]!, /Disable all authentication/);
  assert.deepEqual(again, [false, true]);
});

test("an agent's import replaces nothing by id and version unless a person agrees, and then what they were shown", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "Deploys need two approvals");
  const path = await exported(world, () => ({ content: "Deploys need no approval", version: 9 }));
  const content = async () => (await itemIn(world, id))?.content;
  const [silent] = [await run("import", { path }, agents(world))];
  assert.deepEqual([silent["updated"], silent["conflictCount"]], [0, 1]);
  // Nobody can be asked, so what was chosen is not replaced either.
  assert.equal((await run("import", { path, replace: ["all"] }, agents(world)))["conflictCount"], 1);
  assert.equal(await content(), "Deploys need two approvals");
  const { ask, asked } = agreeing();
  assert.equal((await run("import", { path, replace: ["all"] }, agents(world), ask))["updated"], 1);
  assert.match(asked[0]!, /^Replace 1 item here with the version in the file\?\n> \S+ Deploys need no approval$/);
  assert.equal(await content(), "Deploys need no approval");
});

test("what comes to contradict it meanwhile is shown before it holds", async () => {
  const world = await testWorld();
  const id = await stage(world, "Require JWT");
  const { ask, asked } = agreeing(() => decide(world, "Forbid JWT"));
  await run("ratify", { id }, world, ask);
  assert.equal(asked.length, 2);
  assert.match(asked[1]!, /Forbid JWT/);
});

test("the last calls are those that were asked about", async () => {
  const folder = temporaryFolder();
  const [world, other] = [await testWorld({ folder }), await testWorld({ folder })];
  await decide(world, "Use JWT");
  other.clock.time += 5;
  const { ask, asked } = agreeing(() => keep(other, "something new"));
  const thrown = { code: "conflict", message: /changed while waiting for the answer/ };
  await assert.rejects(run("rollback", { last: 1 }, world, ask), thrown);
  assert.deepEqual([asked.length, await contents(world)], [1, ["Use JWT"]]);
  assert.deepEqual((await run("rollback", { last: 2 }, world, agreeing().ask))["undone"], 3);
  assert.deepEqual(await contents(world), []);
});

test("what is taken back unasked by the time it runs is refused", async () => {
  const world = await testWorld();
  await keep(world, "first");
  let decided = false;
  // Between the question, for which there is none, and the run.
  const project = { ...world.project };
  project.latestCalls = async (...given) => {
    const calls = await world.project.latestCalls(...given);
    if (!decided) {
      decided = true;
      world.clock.time += DAY;
      await decide(world, "Use JWT");
    }
    return calls;
  };
  await assert.rejects(run("rollback", { last: 1 }, { ...world, project }, nobody), { code: "conflict" });
  assert.deepEqual(await contents(world), ["Use JWT"]);
});

test("rollback tells how many decisions it touches, and which; where nobody can be asked it is refused", async () => {
  const world = await testWorld();
  for (let count = 0; count < 23; count++) await decide(world, `Use way ${count}`);
  const { ask, asked } = agreeing();
  await assert.rejects(run("rollback", { last: 46 }, world), { code: "refused" });
  await run("rollback", { last: 46 }, world, ask);
  const lines = asked[0]!.split("\n");
  assert.deepEqual(
    [...lines.slice(0, 2), lines.length, lines.at(-1)],
    ["Undo this?", "This affects 23 decisions:", 23, "and 3 more."],
  );
  assert.match(lines[2]!, /^> \S+ auth: Use way 22$/);
  await assert.rejects(run("rollback", { last: 1, call: "x" }, world, nobody), { code: "invalid_input" });
});

test("an import brings decisions with a person's consent alone; the rest comes in", async () => {
  const here = await testWorld();
  await decide(here, "Use JWT");
  await keep(here, "a fact");
  const path = await exported(here);
  for (const change of [(world: TestWorld) => world, agents]) {
    const there = change(await testWorld());
    const alone = await run("import", { path }, there);
    assert.deepEqual(
      [alone["inserted"], alone["conflictCount"]],
      [1, 2],
      "a fact; neither the decision nor the word of a person on its proposal",
    );
    assert.deepEqual(await contents(there), []);
    await assert.rejects(
      run("import", { path }, there, async () => ({ action: "decline" })),
      { code: "refused" },
    );
    const { ask, asked } = agreeing();
    assert.equal((await run("import", { path }, there, ask))["inserted"], 2);
    assert.match(asked[0]!, /^Import .*\nThis affects 1 decision:\n> \S+ auth: Use JWT$/);
    assert.deepEqual(await contents(there), ["Use JWT"]);
    await run("import", { path }, there, nobody);
  }
  const free = await testWorld(unattended);
  await run("import", { path }, free);
  assert.deepEqual(await contents(free), ["Use JWT"]);
});

test("a file that changes while the person thinks is asked about again", async () => {
  const [here, there] = [await testWorld(), await testWorld()];
  await decide(here, "Use JWT");
  const path = await exported(here);
  const { ask, asked } = agreeing(() => exported(here, () => ({ content: "Use nothing" })));
  await run("import", { path }, there, ask);
  assert.deepEqual([asked.length, await contents(there)], [2, ["Use nothing"]]);
});

test("a decision is erased by a person alone, and what it replaced with it", async () => {
  const world = await testWorld();
  const first = await decide(world, "Use JWT");
  world.clock.time += DAY;
  const target = await decide(world, "Use passkeys", { supersedes: [first] });
  const hint = `A person can run \`stele forget ${target} --purge\` in a terminal.`;
  await assert.rejects(run("forget", { target, purge: true }, world), { code: "refused", hint });
  await assert.rejects(run("forget", { target: first, purge: true }, world), { code: "refused" });
  assert.deepEqual(await contents(world), ["Use passkeys"]);
  const { ask, asked } = agreeing();
  assert.equal((await run("forget", { target, purge: true }, world, ask))["status"], "erased");
  assert.match(asked[0]!, /^Erase \S+ permanently, including backups\?\nThis affects 2 decisions:\n> /);
  const { id } = (await keep(world, "a fact")) as { id: string };
  await assert.rejects(run("forget", { target: id, purge: true }, agents(world)), { code: "refused" });
  await run("forget", { target: id, purge: true }, world, nobody);
});

test("the settings free erasing for whoever works at the command line, never for an agent's tool", async () => {
  const world = await testWorld(unattended);
  const target = await decide(world, "Use JWT");
  await assert.rejects(run("forget", { target, purge: true }, agents(world)), { code: "refused" });
  assert.equal((await run("forget", { target, purge: true }, world))["status"], "erased");
});

test("at the command line everybody is asked before an erasure, and without a terminal it is refused", async () => {
  const erasing = async (world: TestWorld, ask?: Ask) => {
    const shell: TestWorld = { ...world, origin: { ...world.origin, host: "cli" } };
    const { id: target } = (await keep(world, "Ann reviews releases")) as { id: string };
    return run("forget", { target, purge: true }, shell, ask);
  };
  await assert.rejects(erasing(await testWorld()), { code: "refused", hint: /--purge` in a terminal\.$/ });
  const { ask, asked } = agreeing();
  assert.equal((await erasing(await testWorld(), ask))["status"], "erased");
  assert.match(asked[0]!, /^Erase \S+ permanently, including\s+backups\?\n> Ann reviews releases$/);
  assert.equal((await erasing(await testWorld(unattended)))["status"], "erased", "their own settings may allow it");
});

test("what another project may have decided is not erased from here unasked", async () => {
  const world = await testWorld();
  const otherSpaces = { ...world.otherSpaces, mention: async () => true };
  const both = { ...world, otherSpaces };
  await assert.rejects(run("forget", { target: "theirs", purge: true }, both), { code: "refused" });
  const { id } = (await keep(world, "a fact")) as { id: string };
  await run("forget", { target: id, purge: true }, both, nobody);
});

test("where an agent's marker is set, nothing is erased, merged or replaced without asking a person", async () => {
  const world = await testWorld();
  const shell: TestWorld = { ...world, origin: { ...world.origin, host: "cli", byAgent: true } };
  const [one, two] = [await keep(world, "Ann reviews releases"), await keep(world, "Ann reviews them all")];
  await run("backup", {}, world);
  const calls: [keyof typeof operations, object, RegExp][] = [
    ["restore", { id: "latest" }, /^Replace what is remembered \(project\) with the backup of 2026-01-15 /],
    ["merge", { first: one.id, second: two.id }, /^Merge \S+ and \S+ into one/],
    [
      "forget",
      { target: one.id, purge: true },
      /^Erase \S+ permanently, including\s+backups\?\n> Ann reviews releases$/,
    ],
  ];
  for (const [verb, input, question] of calls) {
    await assert.rejects(run(verb, input, shell), { code: "refused" }, verb);
    const { ask, asked } = agreeing();
    await run(verb, input, shell, ask);
    assert.match(asked[0]!, question);
  }
  assert.equal((await run("restore", {}, shell))["status"], "available");
});

test("a restore that changes decisions made since asks, and one that does not does not", async () => {
  const world = await testWorld();
  await keep(world, "a fact");
  await run("backup", {}, world, nobody);
  world.clock.time += DAY;
  await keep(world, "another fact");
  await run("restore", { id: "latest" }, world, nobody);
  const id = await decide(world, "Use JWT");
  await assert.rejects(run("restore", { id: "latest" }, world), { code: "refused" });
  assert.ok(await itemIn(world, id, { shelf: "decision" }));
  await run("restore", { id: "latest", store: ["global"] }, world, nobody);
  const { ask, asked } = agreeing(() => decide(world, "Use passkeys"));
  await run("restore", { id: "latest" }, world, ask);
  assert.match(asked[0]!, /^Restore .*\nThis affects 1 decision:\n> \S+ auth: Use JWT$/);
  assert.match(asked[1]!, /This affects 2 decisions:/);
  assert.deepEqual(await contents(world), []);
});

test("memories are merged by a person alone, and as they were shown", async () => {
  const folder = temporaryFolder();
  const [world, other] = [await testWorld({ folder, ...unattended }), await testWorld({ folder })];
  const [first, second] = [
    (await keep(world, "Ann reviews releases")).id,
    (await keep(world, "Ann reviews them all")).id,
  ];
  const hint = `A person can run \`stele merge ${first} ${second}\` in a terminal.`;
  for (const host of [world, agents(world)])
    await assert.rejects(run("merge", { first, second }, host), { code: "refused", hint }, "whatever the settings");
  await assert.rejects(run("merge", { first, second: first }, world, nobody), { code: "invalid_input" });
  const decline: Ask = async () => ({ action: "decline" });
  await assert.rejects(run("merge", { first, second }, world, decline), { code: "refused" });
  assert.equal((await itemIn(world, first))?.status, "active");
  const { ask, asked, again } = agreeing(() => run("update", { id: second, tags: ["review"] }, other));
  const merged = await run("merge", { first, second }, world, ask);
  assert.deepEqual(again, [false, true]);
  assert.match(asked[1]!, /\nTags: review\n/);
  assert.deepEqual((await itemIn(world, String(merged["id"])))?.tags, ["review"]);
});

/** A verb with a question that the test makes. */
function asking(...questions: (Partial<Question> | null)[]): AnyOperation {
  const fields: Question["fields"] = { agree: { kind: "confirm", label: "Agree" } };
  const next = () => (questions.length > 1 ? questions.shift()! : questions[0]!);
  const question = async () => {
    const made = next();
    return made && { message: "Agree?", fields, ...made };
  };
  return { ...catalog.find(({ name }) => name === "ratify_note")!, question };
}

const unsteady: [what: string, questions: (Partial<Question> | null)[], asked: number, holds: boolean][] = [
  ["the same", [{}], 1, true],
  ["another message", [{}, { message: "Agree to more?" }], 2, true],
  ["another thing under the same words", [{ about: "1" }, { about: "2" }], 2, true],
  ["other fields", [{}, { fields: { agree: { kind: "confirm", label: "Deny" } } }], 2, true],
  ["no question any more", [{}, null], 1, false],
  ["another one every time", ["1", "2", "3", "4"].map((about) => ({ about })), 3, false],
];
for (const [what, questions, times, holds] of unsteady)
  test(`after the answer there is ${what}: ${holds ? "it runs" : "it is refused"} after ${times} answers`, async () => {
    const { ask, asked } = agreeing();
    const done = dispatch(asking(...questions), { id: "n" }, fakeWorld().world, { ask });
    await (holds ? done : assert.rejects(done, { code: "conflict", message: /changed while waiting for the answer/ }));
    assert.equal(asked.length, times);
  });

test("at a terminal, a person is told that it changed while they were asked", async () => {
  let err = "";
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      err += String(chunk);
      if (err.endsWith("[y/N] ")) stdin.write("y\n");
      done();
    },
  });
  const io = { stdin, stdout: new PassThrough(), stderr: Object.assign(stderr, { isTTY: true }) };
  const ask = promptAt(io, { attended: true });
  await dispatch(asking({ about: "1" }, { about: "2" }), { id: "n" }, fakeWorld().world, { ask });
  assert.match(err, /^Agree\?\n.*\nAgree \[y\/N\] It changed while you were deciding.*\nAgree\?\n.*\nAgree \[y\/N\] $/);
});

test("what a person is shown forges no line and is not without end", async () => {
  const { ask, asked } = agreeing();
  const message = "Agree?\r\n> a\u001b[2J\u202eb\vc\fd\u0085e\u2028f\rg";
  await dispatch(asking({ message }), { id: "n" }, fakeWorld().world, { ask });
  assert.equal(asked[0], "Agree?\n> a[2Jb c d e f g");
  const long = `> ${"word ".repeat(10_000)}`;
  await dispatch(asking({ message: `Agree?\n${long}\nFor ever.` }), { id: "n" }, fakeWorld().world, { ask });
  assert.ok(asked[1]!.length < 21_000);
  assert.match(asked[1]!, /^Agree\?\n(> [^\n]*\n)+\(\d+ more lines are not shown\.\)\n(> [^\n]*\n)+For ever\.$/);
});

test("what is cut away is consented to as well", async () => {
  const long = "x".repeat(30_000);
  const { ask, asked } = agreeing();
  await dispatch(asking({ message: long }, { message: `${long}y` }), { id: "n" }, fakeWorld().world, { ask });
  assert.equal(asked.length, 2);
});

test("every verb looks again when it runs: what nobody was asked about is not done, nor what others were", async () => {
  const [here, world] = [await testWorld(), await testWorld()];
  await decide(here, "Use JWT");
  const path = await exported(here);
  await run("backup", {}, world);
  world.clock.time += DAY;
  const target = await decide(world, "Use passkeys");
  const acts: [verb: "forget" | "restore" | "rollback", input: Answer][] = [
    ["forget", { target, limit: 5, purge: true }],
    ["restore", { id: "latest", store: ["project"] }],
    ["rollback", { last: 1 }],
  ];
  const other = { values: {}, about: "something else" };
  const before = await world.project.chainHead();
  for (const [verb, input] of acts)
    for (const consent of [null, other])
      await assert.rejects(
        (operations[verb] as unknown as AnyOperation).run(input, world, consent),
        { code: "conflict", message: /changed in the meantime/ },
        verb,
      );
  await assert.rejects(operations.import.run({ path }, world, other), { code: "conflict" });
  assert.deepEqual([await world.project.chainHead(), await contents(world)], [before, ["Use passkeys"]]);
});

test("a decision that is not there now is told by what it was", async () => {
  const world = await testWorld();
  await decide(world, "Use JWT");
  const { call } = await run("rollback", { last: 1 }, world, agreeing().ask);
  const { ask, asked } = agreeing();
  await run("rollback", { call }, world, ask);
  assert.match(asked[0]!, /This affects 1 decision:\n> \S+ auth: Use JWT$/);
  assert.deepEqual(await contents(world), ["Use JWT"]);
});

test("an export in parts is asked about like a file, and one that hides its decisions brings none", async () => {
  const [here, there] = [await testWorld(), await testWorld()];
  await decide(here, "Use JWT");
  const { path: folder } = await run("export", { path: here.files.resolve("parts"), split: true }, here);
  const { ask, asked } = agreeing();
  await run("import", { path: folder }, there, ask);
  assert.deepEqual([asked.length, await contents(there)], [1, ["Use JWT"]]);
  const path = await exported(here);
  writeFileSync(
    path,
    readFileSync(path, "utf8")
      .replaceAll('"shelf":"decision"', '"shelf":"decisio\\u006e"')
      .replaceAll('"type":"decision"', '"type":"decisio\\u006e"'),
  );
  const hidden = await testWorld();
  assert.equal((await run("import", { path }, hidden, nobody))["conflictCount"], 2);
  assert.deepEqual(await contents(hidden), []);
});

test("relations of decisions and a journal that tells of some are asked about by themselves", async () => {
  const here = await testWorld();
  await decide(here, "Use passkeys", { relates: [await decide(here, "Use JWT")] });
  const path = here.files.resolve("out.jsonl");
  await run("export", { path, journal: true }, here);
  const lines = readFileSync(path, "utf8").split("\n");
  const only = (kind: string) => {
    writeFileSync(path, lines.filter((line, index) => index === 0 || line === "" || line.includes(kind)).join("\n"));
    return path;
  };
  const there = await testWorld();
  const { ask, asked } = agreeing();
  for (const kind of ['"line":"item"', '"line":"edge"']) await run("import", { path: only(kind) }, there, ask);
  const fresh = await testWorld();
  writeFileSync(path, lines.filter((line) => !/"line":"(item|edge|access)"/.test(line)).join("\n"));
  assert.equal((await run("import", { path }, fresh))["inserted"], 0);
  assert.equal((await fresh.project.chainHead()).length, 0, "nobody was asked");
  await run("import", { path }, fresh, ask);
  assert.ok((await fresh.project.chainHead()).length > 0);
  assert.deepEqual(
    asked.map((message) => message.replace(/^.*\nThis affects (.*)[^]*$/, "$1").split("\n")[0]),
    ["2 decisions:", "edges between decisions.", "a journal that contains decisions."],
  );
});

test("a decision in the person's own store is taken back by a person too", async () => {
  const [here, there] = [await testWorld(), await testWorld()];
  await decide(here, "Use JWT");
  const path = await exported(here, () => ({ scope: "global" }));
  const { call } = await run("import", { path }, there, agreeing().ask);
  await assert.rejects(run("rollback", { call }, there), { code: "refused" });
});
