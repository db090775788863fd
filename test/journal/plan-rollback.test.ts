/**
 * What taking back writes: tables of histories and what comes of them, and a model of a store
 * in which no plan may ever say one thing twice.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Change } from "../../src/journal/change.ts";
import type { Image, ItemRecord } from "../../src/journal/journal.ts";
import {
  type Goal,
  goalsOf,
  inOrder,
  isUnarchived,
  keyOf,
  laterChange,
  needsPassages,
  type Past,
  planRollback,
  type RollbackSituation,
} from "../../src/journal/rollback-rules.ts";
import type { Item } from "../../src/memory/item.ts";
import { uniqueSlotOf } from "../../src/memory/remember-rules.ts";
import type { Passage, Shelf } from "../../src/memory/shelves.ts";
import { runs } from "../lane.ts";
import { newItem, newPassages } from "../store/suite/trial.ts";

const NOW = 5_000;
const ABSENT: Image = { item: null, why: "absent" };
const plain = newItem({ id: "a", content: "old words" });
const edited: Item = { ...plain, content: "new words", hash: "new", version: 2 };
const archived: Item = { ...plain, status: "archived", version: 2 };
const working: Item = { ...plain, scope: "working", expiresAt: 9 };

/** A change of item a on the memory shelf unless told otherwise; calls are named by letters. */
function record(seq: number, call: string, kind: ItemRecord["kind"], set: Partial<ItemRecord> = {}): ItemRecord {
  const by = { verb: `verb ${call}`, host: "h", session: "s", call, space: "space" };
  return {
    seq,
    transaction: seq,
    at: seq,
    ...by,
    kind,
    shelf: "memory",
    itemId: "a",
    before: ABSENT,
    after: ABSENT,
    passages: null,
    ...set,
  };
}
const inserted = (seq: number, call: string, set: Partial<ItemRecord> = {}) => record(seq, call, "insert_item", set);
const revised = (seq: number, call: string, item: Item) => record(seq, call, "revise_item", { before: { item } });
const removed = (seq: number, call: string, item: Item) => record(seq, call, "remove_item", { before: { item } });

/** What a store would tell: a change led to what the next one of its item found, or to what is there now. */
function past(calls: string, oldestFirst: readonly ItemRecord[], now: Item | null, set: Partial<Past> = {}): Past {
  const current = new Map(now ? [[keyOf({ shelf: "memory", id: "a" }), now]] : []);
  const records = oldestFirst.map((each, index) => {
    const next = oldestFirst
      .slice(index + 1)
      .find(({ shelf, itemId }) => shelf === each.shelf && itemId === each.itemId);
    return { ...each, after: next?.before ?? (now ? { item: now } : ABSENT) };
  });
  return { calls: new Set(calls), records: records.toReversed(), current, elsewhere: new Set(), ...set };
}

function goal(from: Item | null, to: Item | null, set: Partial<Goal> = {}): Goal {
  return { shelf: "memory", id: "a", from, to, kept: null, since: 1, entries: 1, ...set };
}

const erased: Image = { item: null, why: "erased" };
const moved = { elsewhere: new Set(["memory a"]) };

const goals: [string, Past, Goal[]][] = [
  ["an insertion: it goes", past("x", [inserted(1, "x")], plain), [goal(plain, null)]],
  ["a revision: its old self", past("x", [revised(1, "x", plain)], edited), [goal(edited, plain)]],
  ["a removal: it comes back", past("x", [removed(1, "x", plain)], null), [goal(null, plain)]],
  [
    "several changes: what was before the first, whatever lay between",
    past("xy", [revised(4, "x", plain), revised(6, "y", archived)], edited),
    [goal(edited, plain, { since: 4, entries: 2 })],
  ],
  [
    "earlier changes do not matter",
    past("y", [inserted(1, "x"), revised(2, "y", plain)], edited),
    [goal(edited, plain, { since: 2 })],
  ],
  [
    "a change between that cannot be told is passed over",
    past("xy", [inserted(1, "x"), record(2, "y", "revise_item", { before: { item: null, why: "not kept" } })], plain),
    [goal(plain, null, { entries: 2 })],
  ],
  ["as it was: nothing", past("x", [revised(1, "x", plain), revised(2, "z", edited)], plain), []],
  [
    "as it was but for who looked at it: nothing",
    past("x", [revised(1, "x", plain)], { ...plain, accessCount: 7, accessedAt: 8 }),
    [],
  ],
  ["inserted and erased: nothing", past("x", [inserted(1, "x"), record(2, "z", "purge_items")], null), []],
  ["made working again: its working self", past("x", [revised(1, "x", working)], plain), [goal(plain, working)]],
  [
    "working again and changed since, which is not on record: nothing",
    past("xy", [revised(1, "x", working), revised(2, "y", plain)], { ...working, version: 7 }),
    [],
  ],
  [
    "working again and gone since, which is not on record: nothing",
    past("x", [revised(1, "x", working), revised(2, "z", plain)], null),
    [],
  ],
  [
    "removed after it had become permanent: its working self",
    past("xy", [revised(1, "x", working), removed(2, "y", plain)], null),
    [goal(null, working, { entries: 2 })],
  ],
  [
    "gone while working, and permanent before: it comes back",
    past("y", [revised(1, "x", working), revised(2, "y", plain)], null),
    [goal(null, plain, { since: 2 })],
  ],
  [
    "changed since and back again: its old self",
    past("x", [revised(1, "x", plain), revised(2, "y", edited), revised(3, "z", archived)], edited),
    [goal(edited, plain)],
  ],
  [
    "gone since and back again: it goes",
    past("x", [inserted(1, "x"), removed(2, "y", plain), inserted(3, "z")], plain),
    [goal(plain, null)],
  ],
  [
    "changed between two that go, and back again: what was before the first",
    past(
      "xw",
      [revised(1, "x", plain), revised(2, "y", edited), revised(3, "z", plain), revised(4, "w", edited)],
      archived,
    ),
    [goal(archived, plain, { entries: 2 })],
  ],
  [
    "erased from the journal when it had gone: nothing",
    past("y", [removed(1, "x", plain), record(2, "y", "purge_items")], null),
    [],
  ],
  ["changed by others alone: nothing", past("x", [revised(1, "y", plain)], edited), []],
  ["taken back already: nothing", past("x", [inserted(1, "x"), removed(2, "z", plain)], null), []],
];
for (const [name, given, expected] of goals)
  test(`goals, ${name}`, () => assert.deepEqual(goalsOf(given), { goals: expected }));

const ofOne = (to: Item | null, since: number, from: Item | null = plain) => goal(from, to, { id: `${since}`, since });
const orders: [string, Goal[], Goal[]][] = [
  [
    "newest first",
    [ofOne(plain, 2), ofOne(edited, 3), ofOne(null, 1)],
    [ofOne(edited, 3), ofOne(plain, 2), ofOne(null, 1)],
  ],
  ["two that say the same stay two", [ofOne(plain, 1), ofOne(plain, 2)], [ofOne(plain, 2), ofOne(plain, 1)]],
  [
    "of two working ones the first was there",
    [ofOne(working, 2), ofOne(working, 1)],
    [ofOne(null, 2), ofOne(working, 1)],
  ],
  ["and the second is no goal if it is gone", [ofOne(working, 1), ofOne(working, 2, null)], [ofOne(working, 1)]],
  [
    "two working ones that say different things both were",
    [ofOne(working, 1), ofOne({ ...working, content: "else", hash: "else" }, 2)],
    [ofOne({ ...working, content: "else", hash: "else" }, 2), ofOne(working, 1)],
  ],
];
for (const [name, given, expected] of orders)
  test(`the order of goals: ${name}`, () => assert.deepEqual(inOrder(given), expected));

/** States are letters; a step is call, before, after. Newest first, as the journal tells them. */
const laters: [string, now: string, steps: string[], later: string | null][] = [
  ["nothing came after", "b", ["x a b"], null],
  ["another change did", "c", ["z b c", "x a b"], "z b c"],
  ["others led back", "b", ["w c b", "z b c", "x a b"], null],
  [
    "the change that made this state is named, not those that came back to it",
    "c",
    ["w d c", "v c d", "z b c", "x a b"],
    "z b c",
  ],
  ["where none of them made it, the newest is named", "e", ["w c d", "z b c", "x a b"], "w c d"],
  ["what changed without a record hides nothing that was changed before", "e", ["y c d", "z b c", "x a b"], "z b c"],
  ["between two that go, and back again", "e", ["y b e", "w c b", "z b c", "x a b"], null],
  ["before all that go", "b", ["x a b", "z o a"], null],
];
for (const [name, now, steps, later] of laters)
  test(`what stands in the way: ${name}`, () => {
    const records = steps.map((step) => {
      const [call, before, after] = step.split(" ") as [string, string, string];
      return { call, verb: step, before, after };
    });
    const found = laterChange(records, now, new Set(["x", "y"]), (then, end) => then === end);
    assert.equal(found?.verb ?? null, later);
  });

const archives: [string, Goal, boolean][] = [
  ["evidence comes out of it", goal(archived, plain, { shelf: "evidence" }), true],
  ["only evidence lies there", goal(archived, plain), false],
  ["it was not there", goal(plain, plain, { shelf: "evidence" }), false],
  ["it goes", goal(archived, null, { shelf: "evidence" }), false],
  ["it comes back from nothing", goal(null, plain, { shelf: "evidence" }), false],
  ["it stays there", goal(archived, archived, { shelf: "evidence" }), false],
];
for (const [name, given, leaves] of archives)
  test(`the archive: ${name}`, () => assert.equal(isUnarchived(given), leaves));

const refusals: [string, Past, object][] = [
  [
    "a later change that stays",
    past("x", [revised(1, "x", plain), revised(2, "y", archived)], edited),
    { why: "changed since", call: "y", verb: "verb y" },
  ],
  [
    "several that stay: the newest",
    past("x", [revised(1, "x", plain), revised(2, "y", archived), revised(3, "z", working)], edited),
    { why: "changed since", call: "z", verb: "verb z" },
  ],
  [
    "several of which the last ones led back: the one that made what is there",
    past(
      "x",
      [revised(1, "x", plain), revised(2, "y", archived), revised(3, "z", edited), revised(4, "w", working)],
      edited,
    ),
    { why: "changed since", call: "y", verb: "verb y" },
  ],
  [
    "a change between two that go",
    past("xz", [revised(1, "x", plain), revised(2, "y", archived), revised(3, "z", working)], edited),
    { why: "changed since", call: "y", verb: "verb y" },
  ],
  [
    "it left for the other store since",
    past("x", [inserted(1, "x"), removed(2, "y", plain)], null, moved),
    { why: "changed since", call: "y", verb: "verb y" },
  ],
  ["an erasure", past("x", [record(2, "x", "purge_items", { before: erased })], null), { why: "erased" }],
  [
    "what was before has been erased, even if others came later",
    past("x", [record(1, "x", "revise_item", { before: erased }), record(2, "z", "purge_items")], null),
    { why: "erased" },
  ],
  [
    "what was before was never kept",
    past("x", [record(1, "x", "revise_item", { before: { item: null, why: "not kept" } })], plain),
    { why: "not kept" },
  ],
];
for (const [name, given, expected] of refusals)
  test(`refused, ${name}`, () =>
    assert.deepEqual(goalsOf(given), { refusal: { shelf: "memory", id: "a", ...expected } }));

test("equal ids on two shelves are two items", () => {
  const given = past("x", [inserted(1, "x"), inserted(2, "x", { shelf: "proposal" })], plain);
  assert.deepEqual(goalsOf(given), { goals: [goal(plain, null)] });
});

test("of two that were the same working memory in turn, the first comes back", () => {
  const other: Item = { ...working, id: "b" };
  const records = [
    revised(1, "x", working),
    revised(2, "y", { ...plain }),
    record(3, "z", "revise_item", { itemId: "b", before: { item: other } }),
  ];
  const given = past("xyz", records, archived);
  given.current = new Map([
    ["memory a", archived],
    ["memory b", { ...plain, id: "b" }],
  ]);
  assert.deepEqual(goalsOf(given), {
    goals: [goal({ ...plain, id: "b" }, null, { id: "b", since: 3 }), goal(archived, working, { entries: 2 })],
  });
});

/** All that is written, whichever goals it serves. */
function planned(given: readonly Goal[], surroundings: RollbackSituation): object {
  const plan = planRollback(given, surroundings);
  return "steps" in plan ? { changes: plan.steps.flatMap(({ changes }) => changes) } : plan;
}

const passages: Passage[] = newPassages(["cut again"]);
const around = (set: Partial<RollbackSituation> = {}): RollbackSituation => ({
  now: NOW,
  passages: new Map(),
  twins: new Map(),
  replaced: [],
  ...set,
});
const withPassages = around({ passages: new Map([["memory a", passages]]) });
const setOf = ({ id: _, version: __, createdAt: ___, accessedAt: ____, accessCount: _____, ...set }: Item) => set;
const revision = (from: Item, to: Item, set: object = {}): Change => ({
  kind: "revise_item",
  shelf: "memory",
  id: from.id,
  expectedVersion: from.version,
  version: to.version,
  expectedUpdatedAt: from.updatedAt,
  set: setOf(to),
  passages: null,
  embed: false,
  ...set,
});
const removal = ({ id, version, updatedAt }: Item): Change => ({
  kind: "remove_item",
  shelf: "memory",
  id,
  expectedVersion: version,
  expectedUpdatedAt: updatedAt,
});

const code: Item = { ...plain, type: "code" };
const plans: [string, Goal[], RollbackSituation, Change[]][] = [
  ["a removal", [goal(edited, null)], around(), [removal(edited)]],
  [
    "an insertion, as it was",
    [goal(null, plain)],
    withPassages,
    [{ kind: "insert_item", shelf: "memory", item: plain, passages, embed: true }],
  ],
  [
    "code comes back unembedded",
    [goal(null, code)],
    withPassages,
    [{ kind: "insert_item", shelf: "memory", item: code, passages, embed: false }],
  ],
  ["a revision down to the old version", [goal(archived, plain)], around(), [revision(archived, plain)]],
  [
    "a revision with other words",
    [goal(edited, plain)],
    withPassages,
    [revision(edited, plain, { passages, embed: true })],
  ],
];
for (const [name, given, surroundings, changes] of plans)
  test(`plan, ${name}`, () => assert.deepEqual(planned(given, surroundings), { changes }));

const named = (id: string, set: Partial<Item> = {}): Item => ({ ...plain, id, content: id, hash: id, ...set });
const of = (id: string, from: Partial<Item> | null, to: Partial<Item> | null): Goal =>
  goal(from && named(id, from), to && named(id, to), { id });
/** Steps, as the ids of their goals. */
const steps: [string, Goal[], string[]][] = [
  ["what has nothing to do with each other", [of("a", {}, null), of("b", null, {})], ["a", "b"]],
  [
    "nor has what holds no place",
    [of("a", { status: "archived" }, null), of("b", { status: "archived" }, null)],
    ["a", "b"],
  ],
  ["what replaced goes with what was replaced", [of("b", {}, null), of("a", { supersededBy: "b" }, {})], ["b a"]],
  ["also where that comes back", [of("b", null, {}), of("a", {}, { supersededBy: "b" })], ["b a"]],
  [
    "but not with what stays as it is",
    [of("a", { supersededBy: "c" }, {}), of("b", { supersededBy: "c" }, {})],
    ["a", "b"],
  ],
  [
    "who takes a place goes with who gives it up",
    [of("a", { hash: "x" }, null), of("b", null, { hash: "x" })],
    ["a b"],
  ],
  [
    "and so on from one to the next",
    [
      of("a", { hash: "x" }, null),
      of("c", { hash: "y" }, null),
      of("b", { hash: "x" }, { hash: "y" }),
      of("d", {}, null),
    ],
    ["a c b", "d"],
  ],
];
for (const [name, given, expected] of steps)
  test(`steps: ${name}`, () => {
    const plan = planRollback(given, around());
    assert.ok("steps" in plan);
    assert.deepEqual(
      plan.steps.map(({ goals: own }) => own.map(({ id }) => id).join(" ")),
      expected,
    );
  });

const wording: [string, Goal, boolean][] = [
  ["what goes", goal(plain, null), false],
  ["what comes back", goal(null, plain), true],
  ["other words", goal(edited, plain), true],
  ["another title", goal({ ...plain, title: "T" }, plain), true],
  ["other tags", goal({ ...plain, tags: ["t"] }, plain), true],
  ["another type", goal(code, plain), true],
  ["another status", goal(archived, plain), false],
];
for (const [name, given, expected] of wording)
  test(`passages, ${name}: ${expected ? "cut again" : "left alone"}`, () =>
    assert.equal(needsPassages(given), expected));

const b = newItem({ id: "b", content: "old words" });
const twinIs = (twin: Item) => around({ twins: new Map([["memory a", twin]]) });

test("an item of equal content that holds is in the way", () => {
  const refusal = { why: "said twice", shelf: "memory", id: "a", other: "b" };
  assert.deepEqual(planned([goal(archived, plain)], twinIs(b)), { refusal });
  assert.deepEqual(planned([goal(null, plain)], twinIs({ ...b, expiresAt: NOW + 1 })), { refusal });
  assert.deepEqual(planned([goal(archived, plain), goal(null, b, { id: "b" })], around()), {
    refusal: { ...refusal, id: "b", other: "a" },
  });
});

test("one that has expired or is only working makes way, and its own self is no other", () => {
  const back = revision(archived, plain);
  const expired = { ...b, expiresAt: NOW };
  assert.deepEqual(planned([goal(archived, plain)], twinIs(expired)), { changes: [removal(expired), back] });
  const other: Item = { ...b, scope: "working", expiresAt: NOW + 1 };
  const evicted: Change = { kind: "evict_items", shelf: "memory", ids: ["b"] };
  assert.deepEqual(planned([goal(archived, plain)], twinIs(other)), { changes: [evicted, back] });
  assert.deepEqual(planned([goal(archived, plain)], twinIs(plain)), { changes: [back] });
  assert.deepEqual(planned([goal(plain, archived)], twinIs(b)), {
    changes: [revision(plain, archived)],
  });
});

test("decisions may say the same for two subjects", () => {
  const refusal = { why: "said twice", shelf: "proposal", id: "a", other: "b" };
  const pending: Item = { ...plain, status: "pending" };
  const back = (shelf: Shelf, item: Item) =>
    planned([goal(null, item, { shelf })], around({ twins: new Map([[`${shelf} a`, b]]) }));
  assert.deepEqual(back("proposal", pending), { refusal });
  assert.ok("changes" in back("decision", plain));
});

test("an item to which another leads does not go, unless the other turns back too or always led there", () => {
  const old: Item = { ...b, status: "superseded", supersededBy: "a" };
  const history = [revised(9, "x", b), inserted(8, "w")];
  const leading = (item: Item, changes = history) =>
    around({ replaced: [{ shelf: "memory", item, history: changes }] });
  const going = goal(plain, null, { since: 5 });
  const refusal = { why: "still needed", shelf: "memory", id: "a", other: "b", call: "x" };
  assert.deepEqual(planned([going], leading(old)), { refusal });
  assert.deepEqual(planned([going], leading(old, [revised(10, "y", old), ...history])), { refusal });
  const turned = planned([going, goal(old, b, { id: "b" })], leading(old));
  assert.deepEqual(turned, { changes: [removal(plain), revision(old, b)] });
  const both = planned([going, goal(old, null, { id: "b" })], leading(old));
  assert.deepEqual(both, { changes: [removal(plain), removal(old)] });
  const changes = [removal(plain)];
  assert.deepEqual(planned([going], leading(old, [revised(3, "x", b)])), { changes });
  assert.deepEqual(planned([going], leading({ ...old, scope: "working" })), { changes });
  assert.deepEqual(planned([going], leading({ ...old, supersededBy: "c" })), { changes });
});

/** A state of a few items that may hold three contents between them. */
const someState = fc
  .array(
    fc.option(
      fc.record({
        hash: fc.constantFrom("one", "two", "three"),
        status: fc.constantFrom("active" as const, "active" as const, "archived" as const),
        version: fc.integer({ min: 1, max: 4 }),
      }),
      { nil: null },
    ),
    { minLength: 5, maxLength: 5 },
  )
  .map((list) => {
    const state = new Map<string, Item>();
    const held = new Set<string>();
    for (const [index, one] of list.entries()) {
      const item = one && { ...plain, ...one, content: one.hash, id: `item ${index}` };
      if (!item || held.has(uniqueSlotOf("memory", item) ?? "")) continue;
      held.add(uniqueSlotOf("memory", item) ?? "none");
      state.set(item.id, item);
    }
    return state;
  });

test("from any state to any other, no step says one thing twice, and the end is exact", () => {
  fc.assert(
    fc.property(someState, someState, (from, to) => {
      const ids = [...new Set([...from.keys(), ...to.keys()])];
      const wanted = ids.map((id) => goal(from.get(id) ?? null, to.get(id) ?? null, { id }));
      const holder = (item: Item | null) =>
        [...from.values()].find(
          (other) =>
            uniqueSlotOf("memory", other) !== null && uniqueSlotOf("memory", other) === uniqueSlotOf("memory", item),
        );
      const twins = new Map(
        wanted
          .flatMap((each) => [[keyOf(each), holder(each.to)] as const])
          .filter((pair): pair is [string, Item] => pair[1] !== undefined),
      );
      const plan = planRollback(wanted, around({ twins }));
      assert.ok("steps" in plan);
      // Whatever comes first, no step waits for another.
      for (const steps of [plan.steps, plan.steps.toReversed()]) {
        const changes = steps.flatMap((step) => step.changes);
        assert.deepEqual(carriedOut(changes, from), new Map([...to].sort()));
      }
      assert.equal(plan.steps.flatMap((step) => step.goals).length, wanted.length);
    }),
    { numRuns: runs(500) },
  );
});

/** The store's rules in small. */
function carriedOut(changes: readonly Change[], start: ReadonlyMap<string, Item>): Map<string, Item> {
  const state = new Map(start);
  for (const change of changes) {
    if (change.kind === "insert_item") {
      assert.ok(!state.has(change.item.id), "the id is free");
      state.set(change.item.id, change.item);
    } else if (change.kind === "revise_item") {
      const found = state.get(change.id)!;
      assert.equal(found.version, change.expectedVersion);
      state.set(change.id, { ...found, ...change.set, version: change.version ?? found.version + 1 });
    } else if (change.kind === "remove_item") {
      assert.equal(state.get(change.id)?.version, change.expectedVersion);
      state.delete(change.id);
    } else assert.fail(change.kind);
    const slots = [...state.values()].map((item) => uniqueSlotOf("memory", item)).filter((slot) => slot !== null);
    assert.equal(new Set(slots).size, slots.length, "said once");
  }
  return new Map([...state].sort());
}
