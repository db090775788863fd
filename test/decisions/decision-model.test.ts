/**
 * Random lives of decisions against a model.
 *
 * The planner's changes are applied to plain maps, as a store would. The model knows only which decision
 * was followed by which and when each began; from that alone it tells what holds at any time.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { holding, holdsAt, predecessors, successors, windowOf } from "../../src/decisions/chain.ts";
import { type Planned, planRatify, planReject } from "../../src/decisions/ratify-rules.ts";
import type { Change } from "../../src/journal/change.ts";
import type { Item } from "../../src/memory/item.ts";
import { runs } from "../lane.ts";
import { proposalItem } from "./decision-items.ts";

type Step =
  | { act: "propose"; supersedes: number[]; validFrom: number | null; lastsMs: number | null }
  | { act: "ratify"; proposal: number; supersedes: number[] | null; validFrom: number | null }
  | { act: "reject"; proposal: number }
  | { act: "expire"; byMs: number };

const index = fc.nat({ max: 19 });
const few = fc.array(index, { maxLength: 2 });
const time = fc.option(fc.integer({ min: -20, max: 80 }), { freq: 2 });
const lasting = fc.option(fc.integer({ min: -5, max: 30 }), { freq: 2 });
const otherFew = fc.option(few, { freq: 2 });
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const step: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    6,
    fc.record({
      act: fc.constant("propose"),
      supersedes: few,
      validFrom: time,
      lastsMs: lasting,
    }),
  ),
  weighted(
    6,
    fc.record({
      act: fc.constant("ratify"),
      proposal: index,
      supersedes: otherFew,
      validFrom: time,
    }),
  ),
  weighted(1, fc.record({ act: fc.constant("reject"), proposal: index })),
  weighted(3, fc.record({ act: fc.constant("expire"), byMs: fc.nat({ max: 15 }) })),
);

/** What the model knows of a decision. */
interface Life {
  from: number;
  /** The end it was given, whatever follows it. */
  until: number | null;
  successor: string | null;
}

interface Play {
  now: number;
  ids: string[];
  proposals: Map<string, Item>;
  decisions: Map<string, Item>;
  lives: Map<string, Life>;
  settled: number;
}

const nameOf = (number: number) => `p${`${number}`.padStart(2, "0")}`;

/** Mostly one that could do, sometimes any, known or not. */
function pick(number: number, likely: readonly Item[]): string {
  return (number < 18 && likely[number % likely.length]?.id) || nameOf(number % 7);
}
const pending = ({ proposals }: Play) => [...proposals.values()].filter(({ status }) => status === "pending");
const heads = ({ decisions }: Play) => [...decisions.values()].filter(({ supersededBy }) => supersededBy === null);
const picks = (numbers: readonly number[], play: Play) =>
  play.decisions.size === 0 ? [] : numbers.map((number) => pick(number, heads(play)));

/** As a store does it: every expectation is checked. */
function apply(changes: readonly Change[], play: Play): void {
  for (const change of changes) {
    assert.ok(change.kind === "insert_item" || change.kind === "revise_item", change.kind);
    const shelf = change.shelf === "decision" ? play.decisions : play.proposals;
    if (change.kind === "insert_item") {
      assert.ok(!shelf.has(change.item.id), `${change.item.id} is there already`);
      shelf.set(change.item.id, change.item);
    } else {
      const item = shelf.get(change.id);
      assert.ok(item && item.version === change.expectedVersion && item.updatedAt === change.expectedUpdatedAt);
      shelf.set(change.id, { ...item, ...change.set, version: item.version + 1 });
    }
  }
}

function settle<Answer>(planned: Planned<Answer>, play: Play, note: (answer: Answer) => void): void {
  if ("refusal" in planned) return;
  apply(planned.changes, play);
  play.settled += 1;
  note(planned.answer);
}

function take(step: Step, play: Play): void {
  const { now, proposals } = play;
  if (step.act === "expire") {
    play.now += step.byMs;
  } else if (step.act === "propose") {
    const id = nameOf(play.ids.length);
    const from = step.validFrom;
    const until = step.lastsMs === null ? null : (from ?? now) + step.lastsMs;
    play.ids.push(id);
    const details = { supersedes: picks(step.supersedes, play) };
    proposals.set(
      id,
      proposalItem(id, { validFrom: from, validUntil: until, details, createdAt: now, updatedAt: now }),
    );
  } else if (step.act === "reject") {
    const proposal = proposals.get(pick(step.proposal, pending(play))) ?? null;
    settle(planReject(proposal, "no", { by: null, how: "test", at: now }), play, ({ id }) => {
      assert.equal(proposals.get(id)?.status, "rejected");
    });
  } else {
    ratify(step, play);
  }
}

function ratify(step: Extract<Step, { act: "ratify" }>, play: Play): void {
  const { now, proposals, decisions, lives } = play;
  const proposal = proposals.get(pick(step.proposal, pending(play))) ?? null;
  const edits = {
    ...(step.supersedes ? { supersedes: picks(step.supersedes, play) } : {}),
    ...(step.validFrom === null ? {} : { validFrom: step.validFrom }),
  };
  const planned = planRatify({
    proposal,
    decisions,
    proposals,
    memories: new Map(),
    edits,
    settlement: { by: null, how: "test", at: now },
    author: { host: "cli", session: "s", source: "user_explicit" },
    passages: [],
  });
  settle(planned, play, ({ id, superseded }) => {
    assert.equal(proposal?.status, "pending");
    assert.equal(proposals.get(id)?.status, "ratified");
    const from = step.validFrom ?? proposal?.validFrom ?? now;
    lives.set(id, { from, until: proposal?.validUntil ?? null, successor: null });
    for (const old of superseded) lives.get(old)!.successor = id;
  });
}

/** The model's own answer: from its start, until its own end or its successor's start. */
function heldAt(id: string, at: number, lives: Play["lives"]): boolean {
  const { from, until, successor } = lives.get(id)!;
  const followed = successor === null ? null : lives.get(successor)!.from;
  return from <= at && (until === null || at < until) && (followed === null || at < followed);
}

function check({ now, proposals, decisions, lives }: Play): void {
  assert.deepEqual([...decisions.keys()], [...lives.keys()]);
  const items = [...decisions.values()];
  const lines = items.map((item) => [item, ...successors(item.id, decisions)]);
  const bounds = items.flatMap((item) => [windowOf(item).from, windowOf(item).until ?? now]);
  for (const at of new Set([now, ...bounds.flatMap((bound) => [bound - 1, bound, bound + 1])])) {
    const expected = [...lives.keys()].filter((id) => heldAt(id, at, lives)).sort();
    assert.deepEqual(holding(items, at).map(({ id }) => id).sort(), expected, `at ${at}`); // prettier-ignore
    for (const line of lines) {
      assert.ok(line.filter((one) => holdsAt(one, at)).length <= 1, `two of a chain hold at ${at}`);
    }
  }
  for (const item of items) {
    const { from, until } = windowOf(item);
    assert.ok(until === null || from <= until, "a window ends before it begins");
    const after = successors(item.id, decisions);
    assert.ok(!after.includes(item), "a loop");
    for (const later of after) assert.ok(predecessors(later.id, decisions).includes(item), "a chain walks back");
    // Search sees the status alone: what is marked as superseded must have been followed already.
    if (item.status === "superseded") assert.ok(lives.get(item.supersededBy ?? "")!.from <= now);
    assert.equal(proposals.get(item.id)?.status, "ratified");
  }
}

function live(steps: readonly Step[]): Play {
  const play: Play = { now: 30, ids: [], proposals: new Map(), decisions: new Map(), lives: new Map(), settled: 0 };
  for (const one of steps) {
    const before = [...play.proposals.values()].filter(({ status }) => status !== "pending");
    take(one, play);
    for (const item of before) assert.equal(play.proposals.get(item.id), item, "a settled proposal changed");
    check(play);
  }
  return play;
}

test("at every time at most one decision of a chain holds, and it is the one the model tells", () => {
  const LIVES = runs(150);
  const totals = { settled: 0, linked: 0, long: 0 };
  fc.assert(
    fc.property(fc.array(step, { minLength: 22, maxLength: 32, size: "max" }), (steps) => {
      const { settled, decisions } = live(steps);
      totals.settled += settled;
      for (const id of decisions.keys()) {
        const { length } = successors(id, decisions);
        totals.linked += length > 0 ? 1 : 0;
        totals.long += length > 1 ? 1 : 0;
      }
    }),
    { numRuns: LIVES },
  );
  // Lives in which nothing happens would prove nothing.
  assert.ok(
    totals.settled > 3 * LIVES && totals.linked > LIVES / 2 && totals.long > LIVES / 10,
    JSON.stringify(totals),
  );
});
