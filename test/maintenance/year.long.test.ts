/** A year of maintenance on a clock moved by hand: at every stage there is what the formulas say, worked out apart. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { newEdge } from "../../src/graph/edges.ts";
import audit from "../../src/journal/verbs/audit.ts";
import { maintain } from "../../src/maintenance/maintain.ts";
import { merge, planMerging } from "../../src/maintenance/merge.ts";
import type { Item, Source } from "../../src/memory/item.ts";
import { unlikeText } from "../graph/unlike-text.ts";
import { inLane } from "../lane.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { type TestWorld, testWorld } from "../test-world.ts";

const DAY_MS = 86_400_000;
const MEMORIES = inLane({ fast: 120, long: 3_000, soak: 20_000 });
const STEP_DAYS = 10;
/** Read once, in the middle of the year, by somebody. */
const READ_DAY = 60;
/** When a person merges a few. */
const MERGE_DAY = 20;
const MERGERS = 3;
const HUB_EDGES = 3;

const TYPES = ["progress", "context", "gotcha", "pattern", "architecture"] as const;
const HALF_LIVES = { progress: 7, context: 30, gotcha: 45, pattern: 60, architecture: Infinity };
const SOURCES: Source[] = ["ai_inferred", "extraction", "user_explicit", "system_auto"];

interface Plan {
  item: Item;
  isRead: boolean;
  /** What it replaced; it goes with it, unless a person wrote it. */
  replaced: Item | null;
  isHub: boolean;
  status: "active" | "archived" | "pruned" | "erased" | "superseded";
  /** The day of the last change of status. */
  since: number;
}

function planOf(number: number, start: number): Plan {
  const type = TYPES[number % TYPES.length]!;
  const confidence = [1, 0.7, 0.25][number % 3]!;
  const item = newItem({
    id: `memory-${String(number).padStart(6, "0")}`,
    content: unlikeText(number),
    type,
    source: SOURCES[number % SOURCES.length]!,
    host: "cli",
    pinned: number % 11 === 0,
    confidence,
    scope: number % 5 === 1 ? "global" : "project",
    accessCount: number % 17 === 0 ? 11 : 0,
    createdAt: start,
    updatedAt: start,
    accessedAt: start,
  });
  const { id, createdAt, scope } = item;
  const replaced = newItem({
    id: `${id}-before`,
    content: `Before ${number}`,
    status: "superseded",
    supersededBy: id,
    scope,
    host: "cli",
    source: number % 2 === 0 ? "user_explicit" : "extraction",
    createdAt,
    updatedAt: createdAt,
  });
  const isHub = number % 19 === 2 && scope === "project" && !item.pinned;
  return {
    item,
    isRead: number % 13 === 0,
    replaced: number % 7 === 3 ? replaced : null,
    isHub,
    status: "active",
    since: 0,
  };
}

const isPersons = ({ pinned, source }: Item): boolean => pinned || source === "user_explicit";

/** Whether it never takes a step. */
const stays = ({ item, replaced }: Plan): boolean => isPersons(item) || (replaced !== null && isPersons(replaced));

/** What becomes of a memory on this day, by the formulas as they are written down. */
function stageOn(day: number, plan: Plan): Plan["status"] {
  const { item, isRead, status, since } = plan;
  const readOn = isRead && day >= READ_DAY ? READ_DAY : 0;
  const accesses = item.accessCount + (readOn > 0 ? 1 : 0);
  if (stays(plan) || status === "superseded") return status;
  if (status === "archived") return day >= Math.max(since, readOn) + 30 ? "pruned" : status;
  // What is final goes by the day of the run before.
  if (status === "pruned") return day - STEP_DAYS >= Math.max(since, readOn) + 90 ? "erased" : status;
  if (status === "erased" || plan.isHub) return status;
  const halfLife = HALF_LIVES[item.type as keyof typeof HALF_LIVES] * (accesses > 10 ? 2 : 1);
  const confidence = item.confidence * 0.5 ** (day / halfLife);
  const below = item.confidence < 0.3 ? 0 : halfLife * Math.log2(item.confidence / 0.3);
  if (item.scope === "project") return day >= Math.max(below, readOn) + 14 ? "archived" : status;
  const boost = Math.min(accesses / 10, 0.5);
  const relevance = 0.3 * Math.exp(-day / 28) + 0.7 * Math.exp(-(day - readOn) / 14) + boost;
  return relevance < 0.2 && confidence < 0.3 && day >= 14 ? "archived" : status;
}

async function countsIn(world: TestWorld): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const store of [world.project, world.global])
    for (const { status, count } of (await store.report()).counts) counts[status] = (counts[status] ?? 0) + count;
  return counts;
}

function countsOf(plans: readonly Plan[], mergers: number): Record<string, number> {
  const counts: Record<string, number> = { active: mergers };
  for (const { status, replaced } of plans) {
    if (status === "erased") continue;
    counts[status] = (counts[status] ?? 0) + 1;
    if (replaced) counts["superseded"] = (counts["superseded"] ?? 0) + 1;
  }
  return counts;
}

/** Memories that stay lead to each hub. */
async function makeHubs(world: TestWorld, plans: readonly Plan[]): Promise<void> {
  const sources = plans.filter(({ item }) => item.pinned && item.scope === "project").slice(0, HUB_EDGES);
  const hubs = plans.filter(({ isHub }) => isHub);
  const edges = hubs.flatMap(({ item: { id: target } }) =>
    sources.map(({ item: { id: source } }) =>
      newEdge({
        shelf: "memory",
        source,
        target,
        relation: "refines",
        strength: 1,
        bidirectional: false,
        status: "active",
        createdAt: world.clock.time,
      }),
    ),
  );
  await world.project.apply(
    edges.map((edge) => ({ kind: "insert_edge", edge })),
    world.origin,
  );
}

/** Pairs that would have faded. */
async function mergeSome(world: TestWorld, plans: readonly Plan[]): Promise<void> {
  const fading = plans.filter(
    (plan) => plan.status === "active" && !plan.isHub && !stays(plan) && plan.item.scope === "project",
  );
  for (let pair = 0; pair < MERGERS; pair += 1) {
    const [one, two] = fading.slice(2 * pair, 2 * pair + 2) as [Plan, Plan];
    const request = { first: one.item.id, second: two.item.id };
    const { fingerprint } = await planMerging(request, world);
    await merge(request, { values: { merge: true }, about: fingerprint }, world);
    for (const plan of [one, two]) plan.status = "superseded";
  }
}

test(`a year with ${MEMORIES} memories`, async (context) => {
  const world = await testWorld();
  const start = world.clock.time;
  const plans = Array.from({ length: MEMORIES }, (_, number) => planOf(number, start));
  for (const [scope, own] of Map.groupBy(plans, ({ item }) => item.scope)) {
    const items = own.flatMap(({ item, replaced }) => (replaced ? [item, replaced] : [item]));
    const changes = items.map((item) => insertion("memory", item, { embed: false }));
    for (let first = 0; first < changes.length; first += 500)
      await world[scope as "project"].apply(changes.slice(first, first + 500), world.origin);
  }
  await makeHubs(world, plans);
  const seen = new Set<Plan["status"]>();
  for (let day = STEP_DAYS; day <= 365; day += STEP_DAYS) {
    world.clock.time = start + day * DAY_MS;
    if (day === READ_DAY) await readSome(world, plans);
    if (day === MERGE_DAY) await mergeSome(world, plans);
    const steps = { archived: 0, pruned: 0, erased: 0 };
    for (const plan of plans) {
      const next = stageOn(day, plan);
      if (next === plan.status || next === "active" || next === "superseded") continue;
      steps[next] += 1;
      Object.assign(plan, { status: next, since: day });
    }
    for (const { status } of plans) seen.add(status);
    const done = await maintain(world);
    assert.deepEqual(done?.memories, steps, `day ${day}`);
    assert.deepEqual(await countsIn(world), countsOf(plans, day < MERGE_DAY ? 0 : MERGERS), `day ${day}`);
    if (day % (3 * STEP_DAYS) > 0) continue;
    const again = await maintain(world);
    assert.deepEqual(again?.memories, { archived: 0, pruned: 0, erased: 0 }, `day ${day}, once more`);
  }
  const { verification } = (await dispatch(audit, { verify: true }, world)).answer;
  assert.ok(verification!.ok, JSON.stringify(verification!.problems));
  const stages = Map.groupBy(plans, ({ status }) => status);
  assert.deepEqual([...seen].toSorted(), ["active", "archived", "erased", "pruned", "superseded"]);
  for (const [status, own] of stages) context.diagnostic(`${status}: ${own.length}`);
  for (const plan of stages.get("erased")!) assert.ok(!stays(plan) && !plan.isHub);
  assert.ok(
    stages.get("erased")!.some(({ replaced }) => replaced !== null),
    "some went with what they had replaced",
  );
  assert.ok(
    stages.get("active")!.some((plan) => plan.isHub && !stays(plan)),
    "some stayed only as hubs",
  );
});

async function readSome(world: TestWorld, plans: readonly Plan[]): Promise<void> {
  const read = plans.filter(({ isRead, status }) => isRead && status !== "erased");
  for (const [scope, own] of Map.groupBy(read, ({ item }) => item.scope)) {
    const touches = own.map(({ item }) => ({ id: item.id, how: "get" as const, relevance: null }));
    const change = { kind: "touch_items", shelf: "memory", touches, query: null, at: world.clock.time } as const;
    await world[scope as "project"].apply([change], world.origin);
  }
}
