import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DEFAULTS } from "../../src/app/config-defaults.ts";
import { dueStep, mayFade, soonestDays } from "../../src/maintenance/aging.ts";
import type { AgingMemory, GraphStanding, Step } from "../../src/maintenance/figures.ts";
import { SCOPES, SOURCES, STATUSES } from "../../src/memory/item-fields.ts";
import type { Source, Status } from "../../src/memory/item.ts";
import { MEMORY_TYPES } from "../../src/memory/shelves.ts";
import { DAY_MS } from "../../src/time/calendar.ts";

const RULES = DEFAULTS.decay;
const START = Date.UTC(2026, 0, 1);
const ALONE: GraphStanding = { centrality: 0, isHub: false };
const memory = (set: Partial<AgingMemory> = {}): AgingMemory => ({
  id: "id",
  type: "context",
  scope: "project",
  status: "active",
  source: "ai_inferred",
  host: "mcp",
  pinned: false,
  confidence: 1,
  summary: "",
  byAgent: false,
  createdAt: START,
  updatedAt: START,
  accessedAt: START,
  accessCount: 0,
  ...set,
});
const stepOn = (day: number, set: Partial<AgingMemory> = {}, graph = ALONE): Step | null =>
  dueStep(memory(set), graph, START + day * DAY_MS, RULES)?.to ?? null;

/** The first whole day on which a step is due; null if it is not within ten years. */
function firstDay(set: Partial<AgingMemory>): number | null {
  for (let day = 0; day <= 3_650; day += 1) if (stepOn(day, set) !== null) return day;
  return null;
}

const AUTHORS: [Source, string, boolean, boolean, string][] = [
  ["ai_inferred", "mcp", false, true, "what an agent inferred"],
  ["ai_inferred", "cli", true, true, "what an agent wrote in its shell"],
  ["extraction", "cli", false, true, "what was extracted"],
  ["system_auto", "library", false, true, "what a program noted by itself"],
  ["user_explicit", "cli", false, false, "what a person wrote at a terminal"],
  ["manual", "cli", false, false, "what a person wrote by hand"],
  ["user_explicit", "library", false, false, "what a person told a program"],
  ["user_explicit", "mcp", false, true, "what an agent claims a person said"],
  ["manual", "cli", true, true, "what an agent claims in its shell"],
  ["file-index", "cli", false, false, "a note, which is a file"],
  ["code_index", "mcp", true, false, "what describes code"],
];
for (const [source, host, byAgent, fades, what] of AUTHORS)
  test(`${what} (${source} via ${host}) ${fades ? "may fade away" : "stays"}`, () => {
    assert.equal(mayFade({ source, host, byAgent, pinned: false }), fades);
    assert.equal(mayFade({ source, host, byAgent, pinned: true }), false);
  });

const ARCHIVED: [string, Partial<AgingMemory>, number | null][] = [
  ["progress", { type: "progress" }, 27],
  ["context", {}, 67],
  ["gotcha", { type: "gotcha" }, 93],
  ["pattern", { type: "pattern" }, 119],
  ["architecture", { type: "architecture" }, null],
  ["code", { type: "code" }, null],
  ["a context read eleven times", { accessCount: 11 }, 119],
  ["a context read on day 60", { accessedAt: START + 60 * DAY_MS }, 74],
  ["a context read on day 30", { accessedAt: START + 30 * DAY_MS }, 67],
  ["an extracted context of confidence 0.7", { confidence: 0.7 }, 51],
  ["a doubtful context of confidence 0.2", { confidence: 0.2 }, 14],
  ["a global context", { scope: "global" }, 53],
  ["global progress", { scope: "global", type: "progress" }, 29],
  ["a global context read twice", { scope: "global", accessCount: 2 }, null],
  [
    "a global context of confidence 0.2, changed on day 40",
    { scope: "global", confidence: 0.2, updatedAt: START + 40 * DAY_MS },
    54,
  ],
  ["a global pattern", { scope: "global", type: "pattern" }, 105],
  ["a working memory", { scope: "working" }, null],
];
for (const [what, set, day] of ARCHIVED)
  test(`${what} is ${day === null ? "never archived" : `archived on day ${day}`}`, () =>
    assert.equal(firstDay(set), day));

const STAGES: [Status, number, Partial<AgingMemory>, Step | null, string][] = [
  ["archived", 29, {}, null, "not before 30 days have passed"],
  ["archived", 30, {}, "pruned", "after 30 days"],
  ["archived", 39, { accessedAt: START + 10 * DAY_MS }, null, "reading it restarts the time"],
  ["archived", 40, { accessedAt: START + 10 * DAY_MS }, "pruned", "30 days after it was read"],
  ["archived", 3_000, { pinned: true }, null, "a pinned one stays in the archive"],
  ["archived", 3_000, { source: "manual", host: "cli" }, null, "what a person wrote stays in the archive"],
  ["archived", 30, { type: "architecture" }, "pruned", "whatever was forgotten is forgotten"],
  ["pruned", 89, {}, null, "its content is kept for 90 days more"],
  ["pruned", 90, {}, "erased", "then it is gone"],
  ["superseded", 3_000, {}, null, "history stays"],
  ["pending", 3_000, {}, null, "what waits for a person waits"],
];
for (const [status, day, set, step, why] of STAGES)
  test(`${status}, day ${day} → ${step ?? "nothing"}: ${why}`, () =>
    assert.equal(stepOn(day, { status, ...set }), step));

test("a hub stays where it is, and what is central fades half as fast", () => {
  for (const status of ["archived", "pruned"] as const)
    assert.equal(stepOn(3_000, { status }, { centrality: 0.4, isHub: true }), null, "it may have become one since");
  assert.equal(stepOn(3_000, {}, { centrality: 0.4, isHub: true }), null);
  assert.equal(stepOn(118, {}, { centrality: 0.6, isHub: false }), null);
  assert.equal(stepOn(119, {}, { centrality: 0.6, isHub: false }), "archived");
});

test("every step says why in words", () => {
  const why = (day: number, set: Partial<AgingMemory> = {}) =>
    dueStep(memory(set), ALONE, START + day * DAY_MS, RULES)?.why;
  assert.equal(why(70), "confidence 0.20 has been below 0.3 for 17 days without access");
  assert.equal(why(70, { scope: "global" }), "relevance 0.03 is below 0.2 and confidence 0.20 below 0.3");
  assert.equal(why(31, { status: "archived" }), "archived 31 days ago, and not read for 31 days");
  const read = { status: "pruned", accessedAt: START + DAY_MS } as const;
  assert.equal(why(91, read), "pruned 91 days ago, and not read for 90 days");
});

const anyMemory = fc.record({
  id: fc.constant("id"),
  type: fc.constantFrom(...MEMORY_TYPES),
  scope: fc.constantFrom(...SCOPES),
  status: fc.constantFrom(...STATUSES),
  source: fc.constantFrom(...SOURCES),
  host: fc.constantFrom("cli", "mcp", "library"),
  pinned: fc.boolean(),
  byAgent: fc.boolean(),
  agreed: fc.boolean(),
  reworded: fc.boolean(),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  summary: fc.constant(""),
  createdAt: fc.integer({ min: START, max: START + 100 * DAY_MS }),
  updatedAt: fc.integer({ min: START, max: START + 200 * DAY_MS }),
  accessedAt: fc.integer({ min: START, max: START + 300 * DAY_MS }),
  accessCount: fc.nat(20),
});
const graph = fc.record({ centrality: fc.double({ min: 0, max: 1, noNaN: true }), isHub: fc.boolean() });
const moment = fc.integer({ min: START, max: START + 2_000 * DAY_MS });

test("a due step stays due, and asking twice changes nothing", () => {
  fc.assert(
    fc.property(anyMemory, graph, moment, moment, (one, standing, a, b) => {
      const [early, late] = [Math.min(a, b), Math.max(a, b)];
      const before = structuredClone({ ...one });
      const first = dueStep(one, standing, early, RULES);
      assert.deepEqual(dueStep(one, standing, early, RULES), first);
      assert.deepEqual({ ...one }, before);
      if (first) assert.equal(dueStep(one, standing, late, RULES)?.to, first.to);
    }),
  );
});

test("what a person pinned or wrote by hand takes no step, and neither does a hub", () => {
  fc.assert(
    fc.property(anyMemory, graph, moment, (one, standing, now) => {
      const isPersons = ["user_explicit", "manual"].includes(one.source);
      const isByHand = one.reworded || (isPersons && (one.agreed || (one.host !== "mcp" && !one.byAgent)));
      const step = dueStep(one, standing, now, RULES);
      if (one.pinned || isByHand) assert.equal(step, null);
      if (standing.isHub) assert.equal(step, null);
    }),
  );
});

test("no step is due sooner after the last change than the shortest of the periods", () => {
  fc.assert(
    fc.property(anyMemory, graph, moment, (one, standing, now) => {
      if (dueStep(one, standing, now, RULES) === null) return;
      assert.ok(now - one.updatedAt >= soonestDays(RULES) * DAY_MS);
    }),
  );
});
