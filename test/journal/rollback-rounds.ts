/**
 * Random lives of a project, taken back.
 *
 * Each round makes random calls through dispatch, rolls all of them back, and compares
 * everything that is kept with what was there before; then it rolls that back again.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { Failure } from "../../src/errors.ts";
import { type Edge, newEdge } from "../../src/graph/edges.ts";
import { CHAIN_START, entryHash } from "../../src/journal/chain.ts";
import type { Change } from "../../src/journal/change.ts";
import { STATUSES } from "../../src/memory/item-fields.ts";
import type { Shelf } from "../../src/memory/shelves.ts";
import type { Store } from "../../src/store/store.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const KEPT: readonly Shelf[] = ["memory", "decision", "proposal", "evidence"];
const WORDS = ["ferret", "otter", "badger", "heron", "marten", "stoat"] as const;
const SENTENCES = WORDS.flatMap((word) => [`The ${word} sleeps at noon.`, `The ${word} hunts at night, not at noon.`]);
const LONG = `${"The walrus is long and heavy. ".repeat(40)}\n\n${"It dives for clams. ".repeat(40)}`;

/** An item is named by its place, counted from the newest. */
const place = fc.nat({ max: 30 });
const maybe = <T>(some: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, some);
const content = fc.constantFrom(...SENTENCES, LONG);
const tags = fc.constantFrom([], [], ["wild"], ["wild", "night"], ["temp"], ["global", "night"]);
const type = fc.constantFrom("fact", "gotcha", "bug_fix", "preference", "scratchpad", "code");

const step = fc.oneof(
  { withCrossShrink: true },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("wait"), ms: fc.constantFrom(1, 30_000, 3_700_000) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant("remember"),
      content,
      type: fc.oneof({ weight: 5, arbitrary: type }, fc.constant("decision")),
      scope: maybe(fc.constantFrom("working", "project", "global")),
      title: maybe(fc.constantFrom("Habits", "Diet")),
      tags,
      ttlSeconds: maybe(fc.constantFrom(20, 5_000)),
      supersedes: maybe(place),
      pinned: fc.boolean(),
      session: maybe(fc.constantFrom("one", "two")),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant("update"),
      id: place,
      content: fc.option(content, { nil: undefined, freq: 2 }),
      title: maybe(fc.constantFrom("Habits", "Diet")),
      type: maybe(type),
      scope: maybe(fc.constantFrom("project", "global")),
      status: maybe(fc.constantFrom("active", "archived")),
      tags: maybe(tags),
      priority: maybe(fc.integer({ min: 1, max: 10 })),
      as: maybe(fc.constantFrom("revision", "replacement")),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("forget"), target: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant("promote"),
      id: place,
      scope: fc.constantFrom("project", "global"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("rollback"), last: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("rollback"), call: place }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("get"), id: place }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant("link"),
      source: place,
      target: place,
      relation: fc.constantFrom("relates_to", "refines", "supersedes"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("unlink"), source: place, target: place }) },
  // Links what is new, without a record.
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("maintain") }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant("tie"),
      store: fc.constantFrom("project", "project", "global"),
      source: place,
      target: place,
      strength: fc.constantFrom(0.2, 0.8),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ verb: fc.constant("untie"), store: fc.constantFrom("project", "global"), edge: place }),
  },
);
type Step = { verb: string } & Record<string, unknown>;

export interface Tally {
  rounds: number;
  calls: number;
  /** Entries that the last rollbacks took back. */
  undone: number;
}

/** Throws on the first life that does not come back, made as short as it goes. */
export async function rollbackRounds({ calls, rounds }: { calls: number; rounds: number }): Promise<Tally> {
  const tally: Tally = { rounds: 0, calls: 0, undone: 0 };
  const life = fc.array(step as fc.Arbitrary<Step>, { minLength: calls, maxLength: calls, size: "max" });
  const past = fc.array(step as fc.Arbitrary<Step>, { maxLength: 15, size: "max" });
  await fc.assert(
    fc.asyncProperty(past, life, async (before, steps) => {
      const undone = await oneLife(before, steps);
      tally.rounds += 1;
      tally.calls += steps.length;
      tally.undone += undone;
    }),
    { numRuns: rounds },
  );
  return tally;
}

async function oneLife(before: readonly Step[], steps: readonly Step[]): Promise<number> {
  const world = await testWorld({ working: { capacity: 4 } });
  const made: string[] = [];
  for (const each of before) await play(each, made, world);
  const start = await kept(world);
  const known = new Set(await allCalls(world));
  for (const each of steps) await play(each, made, world);
  const end = await kept(world);

  const last = (await allCalls(world)).filter((call) => !known.has(call)).length;
  if (last === 0) return 0;
  const answer = await call("rollback", { last }, world);
  assert.deepEqual(await kept(world), start, "as before the first call");
  await findsAll(world);
  if (answer["call"] !== null) await call("rollback", { call: answer["call"] }, world);
  assert.deepEqual(await kept(world), end, "as before the rollback");
  await findsAll(world);
  for (const store of [world.project, world.global]) await holds(store);
  return answer["undone"] as number;
}

async function call(verb: string, input: object, world: TestWorld): Promise<Record<string, unknown>> {
  const operation = operations[verb as keyof typeof operations] as unknown as AnyOperation;
  const said = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const { answer } = await dispatch(operation, said, world);
  await world.afterwards.settle();
  return answer;
}

/** A call that is refused for a reason is part of life. */
async function play({ verb, ...input }: Step, made: string[], world: TestWorld): Promise<void> {
  if (verb === "wait") return void (world.clock.time += input["ms"] as number);
  if (verb === "tie" || verb === "untie") return relate(verb, input as unknown as Tie, world);
  const name = (field: string, list: readonly string[]) => {
    const place = input[field];
    if (typeof place === "number") input[field] = list[place % Math.max(1, list.length)] ?? "none";
  };
  const ids = await living(world);
  // Now and then one that is closed, gone or moved.
  for (const field of ["id", "source", "target", "supersedes"])
    name(field, (input[field] as number) % 6 === 5 ? made : ids);
  if (verb === "rollback") name("call", await allCalls(world));
  try {
    const { id } = await call(verb, input, world);
    if (typeof id === "string" && !made.includes(id)) made.push(id);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "internal") throw thrown;
  }
}

interface Tie {
  store: "project" | "global";
  source: number;
  target: number;
  strength: number;
  edge: number;
}

/** An edge between lasting memories comes, says something else, or goes. */
async function relate(verb: "tie" | "untie", { store: name, ...given }: Tie, world: TestWorld): Promise<void> {
  const store = world[name];
  const edges = await lastingEdges(store);
  const [items, origin] = [await store.walk("memory", { after: null, limit: 10_000 }), world.origin];
  const ids = items.filter(({ item }) => item.scope !== "working").map(({ item }) => item.id);
  const [source, target] = [ids[given.source % ids.length], ids[given.target % ids.length]];
  const changes: Change[] = [];
  if (verb === "untie") changes.push(...edges.slice(given.edge, given.edge + 1).map(removal));
  else if (source !== undefined && target !== undefined && source !== target) {
    const edge = newEdge({
      shelf: "memory",
      source,
      target,
      relation: "relates_to",
      strength: given.strength,
      bidirectional: true,
      status: "active",
      createdAt: world.clock.now(),
    });
    changes.push(...edges.filter(({ id }) => id === edge.id).map(removal), { kind: "insert_edge", edge });
  }
  const applied = await store.apply(changes, { ...origin, verb, call: world.ids.next() });
  assert.equal(applied.status, "applied");
}

const removal = ({ id }: Edge): Change => ({ kind: "remove_edge", shelf: "memory", id });

/** What ties a working memory is not on record. */
async function lastingEdges(store: Store): Promise<Edge[]> {
  const edges = await store.walkEdges("memory", { after: null, limit: 10_000 });
  const ends = await store.items(
    "memory",
    edges.flatMap(({ source, target }) => [source, target]),
  );
  const scopes = new Map(ends.map(({ id, scope }) => [id, scope]));
  for (const { source, target } of edges) assert.ok(scopes.has(source) && scopes.has(target), "an edge has both ends");
  return edges.filter(({ source, target }) => [source, target].every((end) => scopes.get(end) !== "working"));
}

/** Newest first. */
async function living({ project, global, clock }: TestWorld): Promise<string[]> {
  const filter = { statuses: ["active", "archived"] as const, now: clock.now() };
  const page = { limit: 100, offset: 0 };
  const lists = await Promise.all([project, global].map((store) => store.list("memory", filter, page)));
  return lists
    .flatMap(({ items }) => items.map(({ id }) => id))
    .sort()
    .reverse();
}

async function allCalls({ project, global }: TestWorld): Promise<string[]> {
  const lists = await Promise.all([project, global].map((store) => store.latestCalls(10_000)));
  const newest = lists.flat().sort((one, two) => two.at - one.at || (one.call < two.call ? 1 : -1));
  return [...new Set(newest.map(({ call }) => call))];
}

/** Everything that a rollback answers for, and what the keyword index finds of it. */
async function kept(world: TestWorld): Promise<unknown> {
  const state = [];
  for (const name of ["project", "global"] as const) {
    state.push([name, await lastingEdges(world[name])]);
    for (const shelf of KEPT) {
      for (const { item, passages, embed } of await world[name].walk(shelf, { after: null, limit: 10_000 })) {
        if (item.scope === "working") continue;
        const { accessedAt: _, accessCount: __, ...rest } = item;
        const texts = passages.map(({ text, startLine, endLine, tokens }) => [
          text,
          startLine,
          endLine,
          tokens?.length,
        ]);
        state.push({ name, shelf, ...rest, texts, embed });
      }
      for (const word of [...WORDS, "walrus", "clam", "habits", "diet", "wild"]) {
        const filter = { statuses: STATUSES, now: 0, scopes: ["project", "global"] as const };
        const found = await world[name].keyword(shelf, { terms: [word] }, filter, 10_000);
        state.push([name, shelf, word, found.map(({ itemId }) => itemId).sort()]);
      }
    }
  }
  return state;
}

/** What holds is recalled by its words. */
async function findsAll(world: TestWorld): Promise<void> {
  const { items } = await call("list", { shelf: ["memory"], limit: 1_000 }, world);
  for (const { id, content } of items as { id: string; content: string }[]) {
    const [word] = content.split(" ").slice(1);
    const { hits } = await call("recall", { query: word, mode: "keyword", limit: 50 }, world);
    assert.ok(
      (hits as { id: string }[]).some((hit) => hit.id === id),
      `${word} finds ${id}`,
    );
  }
}

async function holds(store: Store): Promise<void> {
  const { length, hash } = await store.chainHead();
  const entries = await store.chain(1, 1_000_000);
  let last = CHAIN_START;
  for (const entry of entries) last = entryHash(last, entry);
  assert.deepEqual([entries.length, last], [length, hash]);
}
