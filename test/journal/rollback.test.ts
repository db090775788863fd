/** Rolling back: exact, in both stores, refused where something depends on it, and itself undone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { keepEvidence } from "../../src/decisions/evidence.ts";
import { Failure } from "../../src/errors.ts";
import type { Change } from "../../src/journal/change.ts";
import { handleOf, identityOf } from "../../src/memory/handles.ts";
import { removing, revising } from "../../src/memory/item-changes.ts";
import type { Shelf } from "../../src/memory/shelves.ts";
import type { Store } from "../../src/store/store.ts";
import type { World } from "../../src/world.ts";
import { insertion, newItem, removal, revision } from "../store/suite/trial.ts";
import { ask, itemIn, neighbourOf, type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

type Verb = keyof typeof operations;
type Input = Record<string, unknown>;
interface Undone {
  status: string;
  calls: string[];
  undone: number;
  items: { id: string; shelf: string; store: string; became: string }[];
  call: string;
}

/** Runs a verb and gives its answer's id with the name of the call. */
async function run(verb: Verb, input: Input, world: World): Promise<{ id: string; call: string }> {
  let call = "";
  const ids = { next: () => (call === "" ? (call = world.ids.next()) : world.ids.next()) };
  const { answer } = await dispatch(operations[verb] as unknown as AnyOperation, input, { ...world, ids });
  return { id: answer["id"] as string, call };
}

const undo = async (input: Input, world: World): Promise<Undone> =>
  (await dispatch(operations.rollback as unknown as AnyOperation, input, world)).answer as unknown as Undone;

const remember = (content: string, world: World, set: Input = {}) => run("remember", { content, ...set }, world);

/** Every item with its passages, working ones too, in both stores; not who looked at it. */
async function all(world: World): Promise<unknown[]> {
  const rows = [];
  for (const store of [world.project, world.global])
    for (const shelf of ["memory", "proposal", "evidence"] as const)
      for (const { item, passages, embed } of await store.walk(shelf, { after: null, limit: 1_000 })) {
        const { accessedAt: _, accessCount: __, ...rest } = item;
        rows.push({ ...rest, shelf, embed, texts: passages.map(({ text, tokens }) => [text, tokens]) });
      }
  return rows;
}

/** Writes of its own, as a verb that is called `call` would make them. */
async function write(store: Store, call: string, ...changes: Change[]): Promise<void> {
  const applied = await store.apply(changes, { verb: "test", host: "test", session: "s", call, space: "space" });
  assert.equal(applied.status, "applied");
}

type Act = (world: TestWorld, ids: { kept: string; fleeting: string; wide: string }) => Promise<{ call: string }>;
const acts: [string, Act][] = [
  ["remembering", (world) => remember("The otter swims", world)],
  ["a proposal", (world) => remember("Use otters", world, { type: "decision" })],
  ["superseding", (world, { kept }) => remember("The ferret is tame", world, { supersedes: kept })],
  ["renewing a duplicate", (world) => remember("The vole is brief", world, { scope: "project" })],
  ["correcting", (world, { kept }) => run("update", { id: kept, content: "Ferrets bite", as: "revision" }, world)],
  ["another type", (world, { kept }) => run("update", { id: kept, type: "code", tags: ["x"] }, world)],
  ["replacing", (world, { kept }) => run("update", { id: kept, content: "It is dead", as: "replacement" }, world)],
  ["forgetting", (world, { kept }) => run("forget", { target: kept }, world)],
  ["promoting to the project", (world, { fleeting }) => run("promote", { id: fleeting }, world)],
  [
    "promoting from working to all projects",
    (world, { fleeting }) => run("promote", { id: fleeting, scope: "global" }, world),
  ],
  ["promoting to all projects", (world, { kept }) => run("promote", { id: kept, scope: "global" }, world)],
  ["moving back into the project", (world, { wide }) => run("promote", { id: wide, scope: "project" }, world)],
  ["moving by an update", (world, { wide }) => run("update", { id: wide, scope: "project", priority: 9 }, world)],
  [
    "moving and replacing",
    (world, { wide }) => run("update", { id: wide, content: "It is gone", as: "replacement", scope: "project" }, world),
  ],
  [
    "moving to all projects and replacing",
    (world, { kept }) => run("update", { id: kept, content: "It is gone", as: "replacement", scope: "global" }, world),
  ],
  [
    "keeping a fleeting one by an update",
    (world, { fleeting }) => run("update", { id: fleeting, scope: "project" }, world),
  ],
  [
    "keeping and replacing a fleeting one",
    (world, { fleeting }) =>
      run("update", { id: fleeting, content: "It is gone", as: "replacement", scope: "project" }, world),
  ],
  [
    "replacing a fleeting one for all projects",
    (world, { fleeting }) =>
      run("update", { id: fleeting, content: "It is gone", as: "replacement", scope: "global" }, world),
  ],
];
test("every act is taken back exactly, and so is taking it back, and so is that", async (context) => {
  const world = await testWorld();
  const { id: older } = await remember("The ferret was wild", world, { tags: ["pets"] });
  const { id: kept } = await remember("The ferret bites", world, { supersedes: older, title: "Ferret" });
  const { id: fleeting } = await remember("The stoat waits", world, { scope: "working", ttlSeconds: 1_000 });
  const { id: wild } = await remember("The lynx was seen", world, { scope: "global" });
  const { id: wide } = await remember("The lynx is shy", world, { supersedes: wild, tags: ["cats"] });
  await remember("The vole is brief", world, { scope: "project", ttlSeconds: 100 });
  const before = await all(world);
  for (const [name, act] of acts) {
    await context.test(name, async () => {
      world.clock.time += 1_000;
      let { call } = await act(world, { kept, fleeting, wide });
      const after = await all(world);
      assert.notDeepEqual(after, before);
      for (const state of [before, after, before]) {
        world.clock.time += 1_000;
        const answer = await undo({ call }, world);
        assert.deepEqual([answer.status, answer.calls], ["rolled_back", [call]]);
        assert.deepEqual(await all(world), state);
        ({ call } = answer);
      }
    });
  }
  assert.ok((await ask(world, "ferret bites", { mode: "keyword" })).hits.some(({ id }) => id === kept));
});

test("the answer says what became of what, and how to undo it", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call } = await run("promote", { id, scope: "global" }, world);
  const answer = await undo({ call }, world);
  assert.deepEqual(answer.items, [
    { ...identityOf(id), shelf: "memory", store: "project", became: "restored" },
    { ...identityOf(id), shelf: "memory", store: "global", became: "removed" },
  ]);
  assert.equal(answer.undone, 2);
  const tried = operations.rollback.renderDryRun!(answer as never);
  assert.match(
    tried!,
    /^Would undo 1 call \(2 journal entries\)\.\nWould restore: \w{8} \(memory, project\)\nWould remove: /,
  );
  const told = operations.rollback.render(answer as never);
  assert.match(told, /^Undid 1 call \(2 journal entries\)/);
  assert.match(told, new RegExp(`Undo this with \`stele rollback ${handleOf(answer.call!)}\`\\.$`));
});

test("a move back is undone where it was made, and not over a later change", async () => {
  const world = await testWorld();
  const neighbour = await neighbourOf(world);
  const { id } = await remember("The ferret bites", world, { scope: "global" });
  const { call } = await run("promote", { id, scope: "project" }, world);
  await assert.rejects(undo({ call }, neighbour), { code: "conflict" });
  const { call: later } = await run("update", { id, priority: 9 }, world);
  await assert.rejects(undo({ call }, world), { code: "conflict", message: new RegExp(handleOf(later)) });
  const { items } = await undo({ last: 2 }, world);
  assert.deepEqual(items, [
    { ...identityOf(id), shelf: "memory", store: "global", became: "restored" },
    { ...identityOf(id), shelf: "memory", store: "project", became: "removed" },
  ]);
  assert.deepEqual((await itemIn(world, id, { scope: "global" }))?.priority, 5);
});

test("who read it in between stays on record", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call } = await run("update", { id, priority: 9 }, world);
  await run("get", { id }, world);
  await world.afterwards.settle();
  await undo({ call }, world);
  const item = await itemIn(world, id);
  assert.deepEqual([item?.priority, item?.version, item?.accessCount], [5, 1, 1]);
});

test("a later change stands in the way and is named; together they go", async () => {
  const world = await testWorld();
  const { id, call: first } = await remember("The ferret bites", world);
  const { call: second } = await run("update", { id, priority: 9 }, world);
  const before = await all(world);
  await assert.rejects(undo({ call: first }, world), (thrown: { code: string; message: string; hint: string }) => {
    assert.equal(thrown.code, "conflict");
    assert.ok(
      [id, second].every((one) => thrown.message.includes(handleOf(one))) && thrown.hint.includes(handleOf(second)),
    );
    return true;
  });
  assert.deepEqual(await all(world), before);
  const answer = await undo({ last: 2 }, world);
  assert.deepEqual([answer.calls, answer.undone], [[second, first], 2]);
  assert.deepEqual(await all(world), []);
});

test("what left for the other store since was changed since", async () => {
  const world = await testWorld();
  const { id, call: first } = await remember("The ferret bites", world);
  const { call: move } = await run("promote", { id, scope: "global" }, world);
  await assert.rejects(undo({ call: first }, world), {
    code: "conflict",
    hint: `Roll back ${handleOf(move)} first.`,
  });
  await undo({ call: move }, world);
  await undo({ call: first }, world);
  assert.deepEqual(await all(world), []);
});

test("changes that were taken back themselves are no obstacle, and the hint names one that is", async () => {
  const world = await testWorld();
  const { id, call: made } = await remember("The ferret bites", world);
  const { call: first } = await run("update", { id, priority: 9 }, world);
  const { call: second } = await run("forget", { target: id }, world);
  const hint = (call: string) => ({ code: "conflict", hint: `Roll back ${handleOf(call)} first.` });
  for (const call of [second, first]) {
    await assert.rejects(undo({ call: made }, world), hint(call));
    await undo({ call }, world);
  }
  await undo({ call: made }, world);
  assert.deepEqual(await all(world), []);
});

test("twice is once, and writes nothing more", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call } = await run("promote", { id, scope: "global" }, world);
  await undo({ call }, world);
  const heads = [await world.project.chainHead(), await world.global.chainHead()];
  const answer = await undo({ call }, world);
  assert.deepEqual(answer, {
    status: "unchanged",
    calls: [call],
    undone: 0,
    items: [],
    edges: 0,
    call: null,
  });
  assert.deepEqual([await world.project.chainHead(), await world.global.chainHead()], heads);
});

test("exactly one way to say what, and it must be there", async () => {
  const world = await testWorld();
  await assert.rejects(undo({}, world), { code: "invalid_input" });
  await assert.rejects(undo({ call: "x", last: 1 }, world), { code: "invalid_input" });
  for (const last of [0, 1_001]) await assert.rejects(undo({ last }, world), { code: "invalid_input" });
  await assert.rejects(undo({ call: "nowhere" }, world), { code: "not_found", hint: /audit/ });
  assert.equal((await undo({ last: 3 }, world)).status, "unchanged");
});

test("the last ones are the newest over both stores", async () => {
  const world = await testWorld();
  const made: string[] = [];
  for (const [index, scope] of ["global", "project", "global", "project"].entries()) {
    made.unshift((await remember(`Note number ${index}`, world, { scope })).call);
    world.clock.time += index === 1 ? 10 : 0;
  }
  await write(world.project, "", insertion("memory", newItem()));
  const { calls, call } = await undo({ last: 3 }, world);
  assert.deepEqual(calls, made.slice(0, 3), "what has no name is not counted");
  assert.deepEqual((await undo({ last: 1 }, world)).calls, [call], "a rollback is a call like others");
});

test("what was written later in a store is newer, whatever the clock said", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  world.clock.time -= 1_000_000;
  const { call } = await run("update", { id, priority: 9 }, world);
  assert.deepEqual((await undo({ last: 1 }, world)).calls, [call]);
});

test("what was erased does not come back, and what it never was needs nothing", async () => {
  const world = await testWorld();
  const { id, call: made } = await remember("The ferret bites", world);
  const { call: changed } = await run("update", { id, priority: 9 }, world);
  const erasure = { verb: "forget", host: "test", session: "s", call: "erasure", space: "space" };
  await world.project.apply([{ kind: "purge_items", ids: [id], queries: [] }], erasure);
  for (const call of ["erasure", changed]) {
    await assert.rejects(undo({ call }, world), { code: "conflict", message: /erased/ });
  }
  assert.equal((await undo({ call: made }, world)).status, "unchanged");
  const { answer } = await dispatch(operations.rollback, { last: 3 }, world);
  assert.deepEqual([answer.status, answer.erased], ["unchanged", true], "made and erased is never made");
  assert.match(operations.rollback.render(answer), /^Nothing was undone: what was erased cannot be brought back/);
});

test("evidence: it goes, it comes back in its own passages, and its revision is refused", async () => {
  const world = await testWorld();
  const store = world.project;
  const item = newItem({ content: "one two", type: "message" });
  await write(store, "in", insertion("evidence", item, { texts: ["one", "two"] }));
  const whole = await all(world);
  await write(store, "out", removal("evidence", item));
  const { call } = await undo({ call: "out" }, world);
  const tokens = await world.tokenizer.encode(["one", "two"]);
  const [back] = await store.walk("evidence", { after: null, limit: 1 });
  assert.deepEqual(back?.item, item);
  assert.deepEqual(
    back?.passages.map(({ text, tokens }) => [text, tokens]),
    [
      ["one", tokens[0]],
      ["two", tokens[1]],
    ],
  );
  assert.equal((whole[0] as { embed: boolean }).embed, back?.embed);
  await undo({ call }, world);
  await undo({ call: "in" }, world);
  assert.deepEqual(await all(world), []);
  const other = newItem();
  await write(store, "in again", insertion("evidence", other));
  await write(store, "revise", revision("evidence", other, { label: "x" }));
  await assert.rejects(undo({ call: "revise" }, world), { code: "conflict", message: /not kept/ });
  assert.equal((await undo({ last: 2 }, world)).undone, 2, "a revision of what goes altogether is no obstacle");
});

test("a conversation that comes back has its turns again, and its speakers are found again", async () => {
  const world = await testWorld();
  const store = world.project;
  const said = [
    { speaker: "Ann", role: null, at: 5 },
    { speaker: null, role: "user" as const, at: null },
    { speaker: null, role: null, at: null },
  ];
  const { id } = await keepEvidence({ turns: said.map((turn, index) => ({ ...turn, text: `turn ${index}` })) }, world);
  const turns = async () =>
    (await store.walk("evidence", { after: null, limit: 9 })).map(({ passages }) => passages.map(({ turn }) => turn));
  const before = await turns();
  assert.deepEqual(before, [[said[0], said[1], undefined]]);
  const item = (await itemIn(world, id, { shelf: "evidence" }))!;
  await write(store, "out", removal("evidence", item));
  assert.deepEqual([await turns(), await store.speakers("evidence", ["ann"])], [[], []]);
  const { call } = await undo({ call: "out" }, world);
  assert.deepEqual([await turns(), await store.speakers("evidence", ["ann"])], [before, ["Ann"]]);
  await undo({ call }, world);
  assert.deepEqual(await turns(), []);
  await undo({ last: 1 }, world);
  assert.deepEqual(await turns(), before);
});

test("an item that says the same is in the way, unless it has expired", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call: forgotten } = await run("forget", { target: id }, world);
  const { id: twin } = await remember("The ferret bites", world, { scope: "project", ttlSeconds: 60 });
  await assert.rejects(undo({ call: forgotten }, world), (thrown: { code: string; message: string; hint: string }) => {
    assert.ok(
      thrown.code === "conflict" && [thrown.message, thrown.hint].every((text) => text.includes(handleOf(twin))),
    );
    return true;
  });
  const before = await all(world);
  world.clock.time += 60_000;
  const { call } = await undo({ call: forgotten }, world);
  assert.equal((await itemIn(world, id))?.status, "active");
  assert.equal(await itemIn(world, twin), undefined);
  await undo({ call }, world);
  assert.deepEqual(await all(world), before);
});

test("a working memory that says the same makes way", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world, { scope: "working" });
  const { call } = await run("promote", { id }, world);
  const { id: twin } = await remember("The ferret bites", world, { scope: "working" });
  await undo({ call }, world);
  assert.equal((await itemIn(world, id))?.scope, "working");
  assert.equal(await itemIn(world, twin), undefined);
});

test("a memory does not go while another was closed in its favour", async () => {
  const world = await testWorld();
  const { id: old } = await remember("The ferret bites", world);
  const { id, call: made } = await remember("The ferret is tame", world);
  const { call: closed } = await remember("The ferret is tame", world, { supersedes: old });
  assert.equal((await itemIn(world, old))?.supersededBy, id);
  await assert.rejects(undo({ call: made }, world), {
    code: "conflict",
    hint: `Roll back ${handleOf(closed)} first.`,
  });
  assert.equal((await undo({ last: 2 }, world)).undone, 2);
  assert.equal((await itemIn(world, old))?.status, "active");
});

test("two that have swapped their contents swap back", async () => {
  const world = await testWorld();
  const [one, two] = [await remember("First words", world), await remember("Second words", world)];
  const before = await all(world);
  for (const [id, content] of [
    [one.id, "Other words"],
    [two.id, "First words"],
    [one.id, "Second words"],
  ]) {
    await run("update", { id, content, as: "revision" }, world);
  }
  const { call } = await undo({ last: 3 }, world);
  assert.deepEqual(await all(world), before);
  await undo({ call }, world);
  assert.deepEqual((await itemIn(world, one.id))?.content, "Second words");
});

/** A store that breaks off at its next write. */
const broken = (store: Store): Store => ({ ...store, apply: () => Promise.reject(new Error("killed")) });

test("a crash between the stores leaves two copies, and the same call finishes", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const before = await all(world);
  const { call } = await run("promote", { id, scope: "global" }, world);
  const promoted = await all(world);
  await assert.rejects(undo({ call }, { ...world, global: broken(world.global) }), { message: "killed" });
  assert.equal((await all(world)).length, 2);
  const { items } = await undo({ call }, world);
  assert.deepEqual(items, [{ ...identityOf(id), shelf: "memory", store: "global", became: "removed" }]);
  assert.deepEqual(await all(world), before);

  const { call: second } = await run("promote", { id, scope: "global" }, world);
  const { call: undoing } = await undo({ call: second }, world);
  await assert.rejects(undo({ call: undoing }, { ...world, project: broken(world.project) }), { message: "killed" });
  assert.equal((await all(world)).length, 2, "the other way round too");
  await undo({ call: undoing }, world);
  assert.deepEqual(await all(world), promoted);
});

test("what another project did in the person's store is left to it", async () => {
  const world = await testWorld();
  const neighbour = await neighbourOf(world);
  const place = { key: "k", root: "/project", remote: null, firstCommit: null, createdAt: 1 };
  await write(world.global, "open", { kind: "insert_space", space: { id: "space", ...place } });
  const { id: own } = await remember("The stoat waits", neighbour, { scope: "global" });
  const { id } = await remember("The ferret bites", world);
  const { call } = await run("promote", { id, scope: "global" }, world);
  const before = await all(world);
  await assert.rejects(undo({ call }, neighbour), { code: "conflict", hint: "Roll it back in /project." });
  assert.deepEqual(await all(world), before);
  const { items } = await undo({ last: 3 }, neighbour);
  assert.deepEqual(items, [{ ...identityOf(own), shelf: "memory", store: "global", became: "removed" }]);
  for (const verb of ["promote", "remember"]) {
    const old = { ...world.origin, verb, call: `old ${verb}`, space: "" };
    await world.global.apply([insertion("memory", newItem({ scope: "global" }))], old);
  }
  await assert.rejects(undo({ call: "old promote" }, neighbour), { code: "conflict" });
  assert.equal((await undo({ call: "old remember" }, neighbour)).undone, 1);
  await undo({ call }, world);
  assert.equal((await itemIn(world, id))?.scope, "project");
});

test("who planned on a version that was taken back does not overwrite the one that came instead", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call } = await run("update", { id, priority: 7 }, world);
  const seen = (await itemIn(world, id))!;
  await undo({ call }, world);
  world.clock.time += 1;
  await run("update", { id, priority: 2 }, world);
  assert.equal((await itemIn(world, id))?.version, seen.version);
  for (const change of [revising("memory", seen, { priority: 9 }), removing("memory", seen)]) {
    assert.equal((await world.project.apply([change], world.origin)).status, "conflict");
  }
});

test("many are taken back in parcels, a dry run too, and what broke off is finished by the same call", async () => {
  const world = await testWorld();
  const items = Array.from({ length: 230 }, () => newItem());
  await write(world.project, "many", ...items.map((item) => insertion("memory", item)));
  const operation = operations.rollback as unknown as AnyOperation;
  const tried = await dispatch(operation, { call: "many" }, world, { dryRun: true });
  assert.equal(tried.answer["undone"], 230);
  let writes = 0;
  const apply: Store["apply"] = (...given) =>
    (writes += 1) === 1
      ? world.project.apply(...given)
      : Promise.reject(new Failure("unavailable", "Killed.", "None."));
  await assert.rejects(undo({ call: "many" }, { ...world, project: { ...world.project, apply } }), {
    message: /Part of it is done/,
  });
  const left = (await all(world)).length;
  assert.ok(left > 0 && left < 230, `${left} are left`);
  assert.equal((await undo({ call: "many" }, world)).undone, left);
  assert.deepEqual(await all(world), []);
});

/** A store in which somebody else is faster once. */
function overtaken(store: Store, act: () => Promise<unknown>): Store {
  let isFirst = true;
  return {
    ...store,
    async apply(...given) {
      if (isFirst) await act();
      isFirst = false;
      return store.apply(...given);
    },
  };
}

test("whoever is faster is not overwritten, and half of it is not kept secret", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call: edit } = await run("update", { id, priority: 9 }, world);
  const busy = overtaken(world.project, () => run("update", { id, priority: 2 }, world));
  await assert.rejects(undo({ call: edit }, { ...world, project: busy }), { code: "conflict", message: /later/ });
  assert.equal((await itemIn(world, id))?.priority, 2);

  const { call: move } = await run("promote", { id, scope: "global" }, world);
  const global = overtaken(world.global, () => run("update", { id, priority: 3 }, { ...world, project: empty }));
  const empty: Store = { ...world.project, items: () => Promise.resolve([]) };
  await assert.rejects(undo({ call: move }, { ...world, global }), {
    code: "conflict",
    message: /Part of it is done; `stele rollback .+` undoes that part/,
  });
});

test("planned anew on what is there, where that is no obstacle", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world, { scope: "working" });
  const { call } = await run("promote", { id }, world);
  const { call: undoing } = await undo({ call }, world);
  const busy = overtaken(world.project, () => run("update", { id, priority: 2 }, world));
  await undo({ call: undoing }, { ...world, project: busy });
  const item = await itemIn(world, id);
  assert.deepEqual([item?.scope, item?.priority, item?.version], ["project", 5, 2]);
});

test("a dry run answers alike and changes nothing", async () => {
  const world = await testWorld();
  const { id } = await remember("The ferret bites", world);
  const { call } = await run("promote", { id, scope: "global" }, world);
  const before = await all(world);
  const operation = operations.rollback as unknown as AnyOperation;
  const { answer, changes } = await dispatch(operation, { call }, world, { dryRun: true });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["insert_item", "remove_item"],
  );
  assert.deepEqual(await all(world), before);
  const { call: _, ...rest } = await undo({ call }, world);
  const { call: __, ...tried } = answer;
  assert.deepEqual(rest, tried);
});

test("many items are all taken back, and a hundred of them named", async () => {
  const world = await testWorld();
  const shelf: Shelf = "memory";
  const items = Array.from({ length: 120 }, () => newItem());
  await write(world.project, "many", ...items.map((item) => insertion(shelf, item)));
  const answer = await undo({ call: "many" }, world);
  assert.deepEqual([answer.undone, answer.items.length], [120, 100]);
  assert.deepEqual(await all(world), []);
});
