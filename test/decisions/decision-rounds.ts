/**
 * Random lives of decisions on a real store, against a model.
 *
 * Each life logs, proposes, ratifies, rejects, waits and takes back, through dispatch. The model knows only what
 * followed what and when each began.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { holdsAt, successors } from "../../src/decisions/chain.ts";
import { Failure } from "../../src/errors.ts";
import type { Item } from "../../src/memory/item.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";
import { held, YES } from "./decision-steps.ts";

type Step = { verb: string } & Record<string, unknown>;

const index = fc.nat({ max: 19 });
const few = fc.array(index, { maxLength: 2 });
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: undefined, freq: 2 });
const seconds = fc.integer({ min: -20, max: 80 });
const weighted = (weight: number, model: Record<string, fc.Arbitrary<unknown>>, verb: string) => ({
  weight,
  arbitrary: fc.record({ verb: fc.constant(verb), ...model }) as fc.Arbitrary<Step>,
});
const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    7,
    { supersedes: few, relates: few, validFrom: maybe(seconds), lasts: maybe(fc.integer({ min: -5, max: 40 })) },
    "propose",
  ),
  weighted(8, { id: index, supersedes: maybe(few), validFrom: maybe(seconds) }, "ratify"),
  weighted(1, { id: index, reason: fc.constant("no") }, "reject"),
  weighted(1, { text: fc.constantFrom("Ann: yes", "Bo: no", "both at once") }, "log"),
  weighted(3, { seconds: fc.nat({ max: 15 }) }, "wait"),
  weighted(2, { last: fc.integer({ min: 1, max: 3 }) }, "rollback"),
  weighted(1, { call: index }, "rollback"),
);

interface Life {
  from: number;
  /** The end it was given, whatever follows it. */
  until: number | null;
  successor: string | null;
}

/** What a call did to the model, to be taken back. */
interface Deed {
  undo(): void;
}

interface Play {
  world: TestWorld;
  begin: number;
  /** Those that wait, with the window they were proposed with. */
  pending: Map<string, Pick<Life, "until"> & { from: number | null }>;
  lives: Map<string, Life>;
  deeds: Map<string, Deed>;
  evidence: Map<string, string>;
  tally: Tally;
}

export interface Tally {
  lives: number;
  ratified: number;
  superseded: number;
  refused: number;
  takenBack: number;
}

/** Throws on the first life that differs from the model, made as short as it goes. */
export async function decisionRounds(rounds: number): Promise<Tally> {
  const tally: Tally = { lives: 0, ratified: 0, superseded: 0, refused: 0, takenBack: 0 };
  const life = fc.array(step, { minLength: 20, maxLength: 35, size: "max" });
  await fc.assert(
    fc.asyncProperty(life, async (steps) => {
      const world = await testWorld();
      const begin = world.clock.now();
      const empty = { pending: new Map(), lives: new Map(), deeds: new Map(), evidence: new Map() };
      const play: Play = { world, begin, ...empty, tally };
      try {
        for (const one of steps) {
          await take(one, play);
          await check(play);
        }
      } finally {
        await Promise.all([world.project.close(), world.global.close()]);
      }
      tally.lives += 1;
    }),
    { numRuns: rounds },
  );
  return tally;
}

/** A call that is refused for a reason is part of life, and changes nothing. */
async function take({ verb, ...input }: Step, play: Play): Promise<void> {
  const { world, tally } = play;
  // The same done twice in one moment is the same; the model could not tell which of the two was taken back.
  world.clock.time += 1;
  if (verb === "wait") return void (world.clock.time += (input["seconds"] as number) * 1_000);
  const before = await world.project.chainHead();
  const said = worded(verb, input, play);
  try {
    const operation = operations[verb as keyof typeof operations] as unknown as AnyOperation;
    const { answer } = await dispatch(operation, said, world, { ask: async () => YES });
    await world.afterwards.settle();
    note(verb, said, answer, play);
  } catch (thrown) {
    if (!(thrown instanceof Failure) || thrown.code === "internal") throw thrown;
    tally.refused += 1;
    assert.deepEqual(await world.project.chainHead(), before, `a refused ${verb} wrote something`);
  }
}

/** Numbers become ids: mostly of one that could do, sometimes of any, known or not. */
function worded(verb: string, input: Record<string, unknown>, play: Play): Record<string, unknown> {
  const { pending, lives, deeds, begin, world } = play;
  const among = (number: number, likely: readonly string[]) =>
    (number < 17 && likely[number % likely.length]) || [...lives.keys(), ...pending.keys()][number % 7] || "nowhere";
  const heads = [...lives].filter(([, { successor }]) => successor === null).map(([id]) => id);
  const iso = (time: number) => new Date(time).toISOString();
  const { validFrom, lasts, supersedes, relates, ...rest } = input as {
    validFrom?: number;
    lasts?: number;
    supersedes?: number[];
    relates?: number[];
  } & Record<string, unknown>;
  const from = validFrom === undefined ? undefined : begin + validFrom * 1_000;
  const said: Record<string, unknown> = { ...rest };
  if (from !== undefined) said["validFrom"] = iso(from);
  if (lasts !== undefined) said["validUntil"] = iso((from ?? world.clock.now()) + lasts * 1_000);
  if (supersedes) said["supersedes"] = lives.size === 0 ? [] : supersedes.map((number) => among(number, heads));
  if (relates) said["relates"] = relates.flatMap((number) => [...lives.keys()][number] ?? []);
  if (typeof said["id"] === "number") said["id"] = among(said["id"], [...pending.keys()]);
  const calls = [...deeds.keys()];
  if (typeof said["call"] === "number") said["call"] = calls[said["call"] % calls.length] ?? "nowhere";
  if (verb === "propose") Object.assign(said, { subject: "auth", decision: `choice ${world.ids.next()}` });
  return said;
}

function note(verb: string, said: Record<string, unknown>, answer: Record<string, unknown>, play: Play): void {
  const deed = deedOf(verb, said, answer, play);
  if (!deed) return;
  const before = stateOf(play);
  deed();
  const after = stateOf(play);
  const call = answer["call"];
  if (typeof call === "string") play.deeds.set(call, turns(before, after, play));
}

type State = ReadonlyMap<string, unknown>;
const PARTS = ["pending", "lives", "evidence"] as const;

const stateOf = (play: Play): State =>
  new Map(PARTS.flatMap((part) => [...play[part]].map(([id, value]) => [`${part} ${id}`, structuredClone(value)])));

/** A deed is what it changed, and nothing that had become so before. */
function turns(before: State, after: State, play: Play): Deed {
  const own = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key)),
  );
  return {
    undo() {
      for (const key of own) {
        const [part, id] = key.split(" ") as [(typeof PARTS)[number], string];
        const there = play[part] as Map<string, unknown>;
        if (before.has(key)) there.set(id, structuredClone(before.get(key)));
        else there.delete(id);
      }
    },
  };
}

const timeIn = (value: unknown): number | null => (typeof value === "string" ? Date.parse(value) : null);

/** What a call does to the model, the first time. */
function deedOf(
  verb: string,
  said: Record<string, unknown>,
  answer: Record<string, unknown>,
  { world, pending, lives, deeds, evidence, tally }: Play,
): (() => void) | null {
  const id = answer["id"] as string;
  const now = world.clock.now();
  if (verb === "log") {
    return answer["status"] === "duplicate" ? null : () => void evidence.set(id, said["text"] as string);
  }
  if (verb === "propose") {
    const window = { from: timeIn(said["validFrom"]), until: timeIn(said["validUntil"]) };
    return () => void pending.set(id, window);
  }
  if (verb === "reject") return () => void pending.delete(id);
  if (verb === "ratify") {
    const superseded = answer["superseded"] as string[];
    const window = pending.get(id)!;
    const from = timeIn(said["validFrom"]) ?? window.from ?? now;
    tally.ratified += 1;
    tally.superseded += superseded.length;
    return () => {
      pending.delete(id);
      lives.set(id, { from, until: window.until, successor: null });
      for (const old of superseded) lives.get(old)!.successor = id;
    };
  }
  // A rollback tells what it took back, the newest first; of what was taken back before nothing is left to do.
  if (answer["status"] === "unchanged") return null;
  const taken = (answer["calls"] as string[]).flatMap((call) => deeds.get(call) ?? []);
  tally.takenBack += taken.length;
  return () => taken.forEach((deed) => deed.undo());
}

/** The model's own answer: from its start, until its own end or its successor's start. */
function isHeld({ from, until, successor }: Life, at: number, lives: Play["lives"]): boolean {
  const followed = successor === null ? null : lives.get(successor)!.from;
  return from <= at && (until === null || at < until) && (followed === null || at < followed);
}

async function check({ world, pending, lives, evidence }: Play): Promise<void> {
  const all = async (shelf: "decision" | "proposal" | "evidence") =>
    (await world.project.walk(shelf, { after: null, limit: 1_000 })).map(({ item }) => item);
  const decisions = new Map((await all("decision")).map((item): [string, Item] => [item.id, item]));
  assert.deepEqual([...decisions.keys()].sort(), [...lives.keys()].sort());
  const waiting = (await all("proposal")).filter(({ status }) => status === "pending").map(({ id }) => id);
  assert.deepEqual(waiting.sort(), [...pending.keys()].sort());
  const now = world.clock.now();
  const bounds = [...lives.values()].flatMap(({ from, until }) => [from - 1, from, (until ?? from) - 1, until ?? from]);
  for (const at of new Set([now, ...bounds.slice(-6)])) {
    const expected = [...lives].filter(([, life]) => isHeld(life, at, lives)).map(([id]) => id);
    const told = await held(world, undefined, { at: new Date(at).toISOString(), limit: 50 });
    assert.deepEqual(told.map(({ id }) => id).sort(), expected.sort(), `at ${at}`);
    for (const item of decisions.values()) {
      const line = [item, ...successors(item.id, decisions)];
      assert.ok(line.filter((one) => holdsAt(one, at)).length <= 1, `two of a chain hold at ${at}`);
    }
  }
  const edges = await world.project.walkEdges("decision", { after: null, limit: 1_000 });
  for (const { source, target } of edges) {
    assert.ok(lives.has(source) && lives.has(target), "an edge leads nowhere");
    assert.notEqual(lives.get(target)?.successor, source, "what it supersedes is no neighbour");
  }
  for (const { id, content, version, status } of await all("evidence")) {
    assert.deepEqual([content, version, status], [evidence.get(id), 1, "active"], "evidence changed");
  }
}
