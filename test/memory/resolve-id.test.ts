/** Handles and beginnings of ids: every verb that takes an id takes them, and a mistyped one changes nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { Failure } from "../../src/errors.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { resolveId } from "../../src/memory/resolve-id.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

type Answer = Record<string, unknown> & { id: string; handle: string; call: string };

const YES: Ask = async ({ fields }) => ({
  action: "accept",
  values: Object.fromEntries(Object.keys(fields).map((name) => [name, true])),
});

async function run(verb: keyof typeof operations, input: Record<string, unknown>, world: TestWorld): Promise<Answer> {
  const { answer } = await dispatch(operations[verb] as unknown as AnyOperation, input, world, { ask: YES });
  return answer as Answer;
}

/** Ways to type an id, none of them whole. */
const SHORT: [string, (id: string) => string][] = [
  ["its handle", handleOf],
  ["its handle in capitals", (id) => handleOf(id).toUpperCase()],
  ["the beginning of its handle", (id) => handleOf(id).slice(0, 6)],
  ["the beginning of its id", (id) => id.slice(0, 24)],
];

for (const [name, short] of SHORT)
  test(`every verb understands an item by ${name}`, async () => {
    const world = await testWorld();
    const { id } = await keep(world, "Deploys need the VPN");
    await keep(world, "The ferret bites");
    assert.equal((await run("get", { id: short(id) }, world)).id, id);
    assert.equal((await run("update", { id: short(id), priority: 9 }, world)).id, id);
    assert.equal((await run("audit", { id: short(id) }, world))["total"], 2);
    assert.equal((await run("promote", { id: short(id), scope: "global" }, world)).id, id);
    const newer = await run("remember", { content: "Deploys need no VPN", supersedes: short(id) }, world);
    assert.equal((await itemIn(world, id, { scope: "global" }))?.supersededBy, newer.id);
    const forgotten = await run("forget", { target: short(newer.id) }, world);
    assert.deepEqual(
      [forgotten["status"], forgotten.id, forgotten.handle],
      ["forgotten", newer.id, handleOf(newer.id)],
    );
    await run("rollback", { call: short(forgotten.call) }, world);
    assert.equal((await itemIn(world, newer.id, { scope: "global" }))?.status, "active");
  });

for (const [name, short] of SHORT)
  test(`decisions, proposals and evidence are understood by ${name}`, async () => {
    const world = await testWorld();
    const said = await run("log", { text: "the app has no cookies" }, world);
    assert.equal((await run("evidence", { id: short(said.id) }, world)).id, said.id);
    const propose = (decision: string, more: object) =>
      run("propose", { subject: "auth", decision, evidence: [short(said.id)], ...more }, world);
    const first = await propose("Use JWT", {});
    assert.equal((await run("ratify", { id: short(first.id) }, world)).id, first.id);
    const second = await propose("Use passkeys", { supersedes: [short(first.id)] });
    assert.deepEqual((await run("ratify", { id: short(second.id) }, world))["superseded"], [first.id]);
    const third = await propose("Rotate keys monthly", { subject: "keys", relates: [short(second.id)] });
    const edits = { evidence: [short(said.id)], relates: [short(second.id), short(first.id)], supersedes: [] };
    const ratified = await run("ratify", { id: short(third.id), ...edits }, world);
    assert.deepEqual((ratified["related"] as string[]).toSorted(), [first.id, second.id].toSorted());
    const stored = (await itemIn(world, third.id, { shelf: "decision" }))?.details;
    assert.deepEqual(stored?.["evidence"], [said.id], "whole ids are stored");
    const fourth = await propose("Use mutual TLS", {});
    assert.equal((await run("reject", { id: short(fourth.id), reason: "not yet" }, world)).id, fourth.id);
  });

const TAIL = "ab12cd34";
const idWith = (tail: string, time = "0199aaaa") => `${time}-0000-7000-8000-0000${tail}`;

const several = (named: readonly (string | undefined)[]) => (thrown: unknown) =>
  thrown instanceof Failure && thrown.code === "conflict" && named.every((id) => thrown.message.includes(id!));

test("of several that could be meant none is taken, and all are named", async () => {
  const world = await testWorld();
  const ids = [idWith(TAIL), idWith(TAIL, "0199bbbb"), idWith("ab12ffff", "0199cccc")];
  for (const id of ids) await world.project.apply([insertion("memory", newItem({ id }))], world.origin);
  const [one, two, three] = ids;
  await assert.rejects(run("get", { id: TAIL }, world), several([one, two]));
  await assert.rejects(run("get", { id: "ab12" }, world), several([one, two, three]));
  await assert.rejects(run("get", { id: "0199" }, world), several([one, two, three]));
  for (const purge of [false, true])
    await assert.rejects(run("forget", { target: TAIL, purge }, world), several([one, two]));
  for (const id of [one, two]) assert.equal((await itemIn(world, id!))?.status, "active");
  assert.equal((await run("get", { id: "0199b" }, world)).id, two);
  assert.equal((await run("get", { id: one! }, world)).id, one, "a whole id names one");
});

test("what is in both stores, or was a proposal before, is one thing", async () => {
  const world = await testWorld();
  const item = newItem({ id: idWith(TAIL) });
  await world.project.apply([insertion("memory", item)], world.origin);
  await world.global.apply([insertion("memory", { ...item, scope: "global" })], world.origin);
  assert.equal((await run("get", { id: TAIL }, world)).id, item.id);
});

test("only what the verb could act on is meant", async () => {
  const world = await testWorld();
  const evidence = newItem({ id: idWith(TAIL), type: "evidence" });
  const memory = newItem({ id: idWith(TAIL, "0199bbbb") });
  await world.project.apply([insertion("evidence", evidence), insertion("memory", memory)], world.origin);
  assert.equal((await run("evidence", { id: TAIL }, world)).id, evidence.id);
  assert.equal((await run("update", { id: TAIL, priority: 9 }, world)).id, memory.id);
  await assert.rejects(run("ratify", { id: TAIL }, world), {
    code: "not_found",
    message: `There is no proposal ${TAIL}.`,
  });
});

test("what has expired is not meant, and leaves its handle to others", async () => {
  const world = await testWorld();
  const now = world.clock.now();
  const old = newItem({ id: idWith(TAIL), expiresAt: now });
  const young = newItem({ id: idWith(TAIL, "0199bbbb"), expiresAt: now + 1 });
  await world.project.apply([insertion("memory", old), insertion("memory", young)], world.origin);
  assert.equal((await run("get", { id: TAIL }, world)).id, young.id);
  world.clock.time += 1;
  await assert.rejects(run("get", { id: TAIL }, world), { code: "not_found", hint: /^Search/ });
});

test("fewer than four characters name nothing", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites");
  await assert.rejects(run("get", { id: handleOf(id).slice(0, 3) }, world), {
    code: "not_found",
    hint: "Type at least 4 characters of a handle; `stele list` shows them.",
  });
});

/** One character replaced by one that no handle has. */
const mistyped = (id: string): string => `${handleOf(id).slice(0, 5)}z${handleOf(id).slice(6)}`;

test("a mistyped id is an error that names what was meant", async () => {
  const world = await testWorld();
  const { id, handle, call } = await run("remember", { content: "Deploys need  the VPN" }, world);
  const hint = `Did you mean ${handle} (Deploys need the VPN)?`;
  // The last two digits that differ: equal ones would swap into the same id.
  const last = [...id].findLastIndex((digit, at) => digit !== id[at - 1]);
  const swapped = id.slice(0, last - 1) + id[last] + id[last - 1] + id.slice(last + 1);
  for (const typed of [mistyped(id), swapped]) {
    const failure = { code: "not_found", message: `There is no memory ${typed}.`, hint };
    await assert.rejects(run("update", { id: typed, priority: 9 }, world), failure);
    await assert.rejects(run("forget", { target: typed }, world), failure);
    const ofAnyItem = { ...failure, message: `There is no item ${typed}.` };
    await assert.rejects(run("forget", { target: typed, purge: true }, world), ofAnyItem);
    await assert.rejects(run("get", { id: typed }, world), ofAnyItem);
    await assert.rejects(run("audit", { id: typed }, world), ofAnyItem);
  }
  await assert.rejects(run("rollback", { call: mistyped(call) }, world), {
    code: "not_found",
    hint: `Did you mean ${handleOf(call)} (made 2026-01-15 00:00)?`,
  });
  await assert.rejects(run("rollback", { call: "99999999" }, world), { code: "not_found", hint: /audit/ });
});

test("an old item is suggested too, if what was typed begins like it", async () => {
  const world = await testWorld();
  const { id, handle } = await run("remember", { content: "Deploys need the VPN" }, world);
  for (let part = 0; part < 5; part += 1) {
    const items = Array.from({ length: 500 }, () => insertion("memory", newItem({ createdAt: world.clock.now() + 1 })));
    await world.project.apply(items, world.origin);
  }
  await assert.rejects(resolveId(mistyped(id), "memory", world), {
    hint: `Did you mean ${handle} (Deploys need the VPN)?`,
  });
});

test("forgetting takes a mistyped id for an id, and words for words", async () => {
  const world = await testWorld();
  const { id } = await keep(world, "The ferret bites postgres15 and python312, oauth2 at e2e, 54a6z66d, 99999999");
  for (const target of [
    "54a6z66d",
    "99999999",
    `${id.slice(0, -4)}zzzz`.slice(0, 35),
    mistyped(id),
    handleOf(id).slice(1),
  ])
    await assert.rejects(run("forget", { target }, world), { code: "not_found" }, target);
  for (const target of ["postgres15", "python312", "oauth2", "e2e", "ferret", "54a6z66d or so"]) {
    const { status, candidates } = await run("forget", { target }, world);
    assert.deepEqual([status, (candidates as { id: string }[])[0]?.id], ["candidates", id], target);
  }
  assert.equal((await itemIn(world, id))?.status, "active");
});

test("a word or a year is never an id by chance; what it begins is shown", async () => {
  const world = await testWorld();
  const ids = {
    cafe: idWith("cafe1234"),
    faded: idWith("faded123", "0199bbbb"),
    "2024": idWith("2024abcd", "0199cccc"),
  };
  for (const id of Object.values(ids)) await world.project.apply([insertion("memory", newItem({ id }))], world.origin);
  for (const [target, id] of Object.entries(ids))
    for (const purge of [false, true]) {
      const { status, candidates } = await run("forget", { target, purge }, world);
      assert.deepEqual([status, (candidates as { id: string }[])[0]?.id], ["candidates", id], target);
    }
  assert.equal((await run("forget", { target: "cafe1" }, world)).id, ids.cafe);
  const { status } = await run("forget", { target: "faded1", purge: true }, world);
  assert.deepEqual([status, await itemIn(world, ids.faded)], ["erased", undefined]);
  assert.equal(
    (await run("forget", { target: "2024a", purge: true }, world))["status"],
    "candidates",
    "too few to erase",
  );
});

test("erasing by handle asks about what it erases, and erases that alone", async () => {
  const world = await testWorld();
  const [{ id }, other] = [await keep(world, "The zqx ferret bites"), await keep(world, "The walrus sleeps")];
  const asked: string[] = [];
  const ask: Ask = async (question, isAgain) => (asked.push(question.message), YES(question, isAgain));
  const agent = { ...world, origin: { ...world.origin, host: "mcp" } };
  const { answer } = await dispatch(operations.forget, { target: handleOf(id), purge: true }, agent, { ask });
  assert.deepEqual([answer.status, answer.id], ["erased", id]);
  assert.deepEqual(asked, [`Erase ${handleOf(id)} permanently, including backups?\n> The zqx ferret bites`]);
  assert.equal(operations.forget.render(answer).includes("zqx"), false, "what was erased is not said again");
  assert.deepEqual([await itemIn(world, id), (await itemIn(world, other.id))?.status], [undefined, "active"]);
  assert.equal((await run("audit", { id: handleOf(id) }, world))["total"], 2, "the account knows it by its handle");
  assert.equal((await run("forget", { target: handleOf(id), purge: true }, world))["status"], "erased", "and again");
});

test("a prefix that fits something gone as well erases nothing", async () => {
  const world = await testWorld();
  const [one, two] = ["01a1e57c-2cd8-7000-8000-00000000aaaa", "01a1e57c-3595-7000-8000-00000000bbbb"];
  const origin = { ...world.origin, verb: "remember", call: "01a1e57c-0000-7000-8000-000000000001" };
  await world.project.apply([insertion("memory", newItem({ id: one }))], origin);
  await run("rollback", { call: origin.call }, world);
  await world.project.apply([insertion("memory", newItem({ id: two }))], world.origin);
  await assert.rejects(run("forget", { target: "01a1e57c", purge: true }, world), several([one, two]));
  assert.ok(await itemIn(world, two));
});

test("a call of another project is understood and left to it", async () => {
  const world = await testWorld();
  const other = { ...world, origin: { ...world.origin, space: "elsewhere" } };
  const { call } = await run("remember", { content: "Dark mode", type: "preference" }, other);
  await assert.rejects(run("rollback", { call: handleOf(call) }, world), { code: "conflict" });
});

test("a backup is understood by its beginning and its last digits", async () => {
  const world = await testWorld();
  const { id } = await run("backup", {}, world);
  const digits = id.slice(-6);
  const wrong = `${digits[0] === "0" ? "1" : "0"}${digits.slice(1)}`;
  await assert.rejects(run("restore", { id: wrong }, world), { code: "not_found", hint: `Did you mean ${digits}?` });
  await assert.rejects(run("restore", { id: "nowhere" }, world), { code: "not_found", hint: /lists/ });
  const { answer } = await dispatch(operations.restore, { id: digits }, world, { dryRun: true });
  assert.equal(answer.id, id);
  const again = await dispatch(operations.restore, { id: id.slice(0, 12).toLowerCase() }, world, { dryRun: true });
  assert.equal(again.answer.id, id);
});

test("a secret typed in place of an id does not come back in the error", async () => {
  const world = await testWorld();
  const secret = `ghp_${"Zq8K3mN1pR5tV7wX9yB2cD4fG6hJ8kL0".slice(0, 36)}sT2u`;
  await assert.rejects(
    resolveId(secret, "memory", world),
    ({ message }: Failure) => !message.includes(secret.slice(4, 20)),
  );
});
