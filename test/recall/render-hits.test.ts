/** Hits for a person, line by line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { identityOf } from "../../src/memory/handles.ts";
import type { Hit } from "../../src/recall/hit.ts";
import { renderHits, showHits, tellAll } from "../../src/recall/show-hits.ts";
import { UTC } from "../../src/time/calendar.ts";

const IDENTITY = identityOf("01a1e0fa-bf04-7000-a637-71663454a66d");
const HIT: Hit = {
  ...IDENTITY,
  shelf: "memory",
  scope: "project",
  type: "fact",
  title: null,
  summary: "",
  content: "The walrus sleeps",
  tags: [],
  status: "active",
  source: "user_explicit",
  byAgent: false,
  score: 1,
  relevance: 0.5,
  why: { keyword: 0.6, vector: 0.4 },
  createdAt: "2025-04-01T00:00:00.000Z",
  validFrom: null,
  validUntil: null,
  history: [],
  related: [],
  contradicts: [],
  stale: null,
  unratified: false,
};
const said = { ordinal: 0, speaker: null, role: null, at: null };

const cases: [why: string, hit: Partial<Hit>, expected: string][] = [
  [
    "a memory",
    {},
    "3454a66d  The walrus sleeps\n  fact, project, 2025-04-01; relevance 50 %; found by keyword 60 %, vector 40 %",
  ],
  [
    "with a title",
    { title: "Zoo", why: {} },
    "3454a66d  Zoo: The walrus sleeps\n  fact, project, 2025-04-01; relevance 50 %",
  ],
  [
    "what somebody said",
    { why: {}, passage: { ...said, speaker: "Ann", role: "user", at: "2025-05-03T12:00:00.000Z" } },
    "3454a66d  The walrus sleeps\n  fact, project, said by Ann, on 2025-05-03; relevance 50 %",
  ],
  [
    "what somebody in a role said",
    { why: {}, passage: { ...said, role: "assistant" } },
    "3454a66d  The walrus sleeps\n  fact, project, 2025-04-01, said by assistant; relevance 50 %",
  ],
  [
    "nobody in particular",
    { why: {}, passage: said },
    "3454a66d  The walrus sleeps\n  fact, project, 2025-04-01; relevance 50 %",
  ],
];
for (const [why, hit, expected] of cases)
  test(`a hit for a person: ${why}`, () =>
    assert.equal(renderHits({ ...tellAll([{ ...HIT, ...hit }]), beside: [] }, null, "", UTC), expected));

test("nothing found, and what was missing", () =>
  assert.equal(renderHits({ ...tellAll([]), beside: [] }, "no embedder", "Nothing.", UTC), "Nothing.\n(no embedder)"));

const READER = { now: Date.parse("2025-04-02T00:00:00Z"), zone: UTC };
const SHOWN = showHits({ asks: "query", nothing: "No.", next: "Go on.", isJudged: true });
const answerOf = (hits: Partial<Hit>[]) => ({ hits: hits.map((hit) => ({ ...HIT, ...hit })), degraded: null });
const page = (hits: Partial<Hit>[], threshold?: number) =>
  SHOWN.page(answerOf(hits), { ...READER, input: { query: "walrus", threshold } }).map(
    ({ spans, indent = 0 }) => " ".repeat(indent) + spans.map(({ text }) => text).join(""),
  );

const pages: [why: string, hits: Partial<Hit>[], threshold: number | undefined, rows: string[]][] = [
  ["a memory", [{}], undefined, ["3454a66d  The walrus sleeps", "          fact, project, yesterday, 50\u00a0%"]],
  [
    "code keeps its lines",
    [{ shelf: "code", path: "src/a.ts", startLine: 1, endLine: 2, content: "if (walrus)\n  sleep();" }],
    undefined,
    ["3454a66d  src/a.ts:1-2", "          if (walrus)", "            sleep();", "          50\u00a0%"],
  ],
  [
    "also if tabs indent it",
    [{ shelf: "code", path: "a.go", startLine: 1, endLine: 2, content: "if walrus {\n\tsleep()" }],
    undefined,
    ["3454a66d  a.go:1-2", "          if walrus {", "              sleep()", "          50\u00a0%"],
  ],
  [
    "the code that a description is about keeps its lines too",
    [
      {
        code: { ...identityOf("01a1e0fa-bf04-7000-a637-71663454a66e"), path: null, content: "if (walrus)\n  sleep();" },
      },
    ],
    undefined,
    [
      ...["3454a66d  The walrus sleeps", "          fact, project, yesterday, 50\u00a0%"],
      ...["          code 3454a66e:", "            if (walrus)", "              sleep();"],
    ],
  ],
  ["nothing", [], undefined, ["No.", "Go on."]],
  [
    "what is far less relevant is counted",
    [{}, { relevance: 0.01 }],
    undefined,
    [
      "3454a66d  The walrus sleeps",
      "          fact, project, yesterday, 50\u00a0%",
      "(1 less relevant left out; `--threshold 0` shows all)",
    ],
  ],
  [
    "who asks for guesses is told that they are",
    [{}, { relevance: 0.004 }],
    0,
    [
      ...["3454a66d  The walrus sleeps", "          fact, project, yesterday, 50\u00a0%"],
      ...["Guesses:", "3454a66d  The walrus sleeps", "          fact, project, yesterday, 0\u00a0%"],
    ],
  ],
];
for (const [why, hits, threshold, rows] of pages)
  test(`hits on a terminal: ${why}`, () => assert.deepEqual(page(hits, threshold), rows));

const guesses = [0.06, 0.05, 0.04, 0.03].map((relevance) => ({ relevance, why: { vector: 1 } }));
const first = ["3454a66d  The walrus sleeps", "  fact, project, 2025-04-01; relevance 6 %; found by vector"];

test("where nothing clearly answers, a pipe and a terminal tell three guesses, and say that they are", () => {
  const plain = SHOWN.render(answerOf(guesses), { ...READER, input: {} }).split("\n");
  assert.deepEqual(plain.slice(0, 3), ["Nothing clearly answers that; guesses:", ...first]);
  for (const lines of [plain, page(guesses)]) {
    assert.equal(lines[0], "Nothing clearly answers that; guesses:");
    assert.equal(lines.filter((line) => line.startsWith("3454a66d")).length, 3);
    assert.equal(lines.at(-1), "(1 less relevant left out; `--threshold 0` shows all)");
  }
});

test("a model that writes null for no threshold is told as much as one that writes nothing", () => {
  const told = (input: object) => SHOWN.renderForAgent(answerOf(guesses), { ...READER, input });
  assert.equal(told({ query: "walrus", threshold: null }), told({ query: "walrus" }));
});

test("days are told by the reader's clock", () => {
  const at = "2025-04-01T00:30:00.000Z";
  const hit: Partial<Hit> = {
    shelf: "proposal",
    createdAt: at,
    validFrom: at,
    validUntil: at,
    passage: { ...said, at },
    history: [{ ...IDENTITY, title: null, content: "It slept", status: "superseded", validFrom: null, validUntil: at }],
  };
  const zone = { name: "test", offsetMs: () => -3_600_000 };
  for (const text of [
    SHOWN.render(answerOf([hit]), { ...READER, zone, input: {} }),
    SHOWN.renderForAgent(answerOf([hit]), { ...READER, zone, input: {} }),
  ]) {
    assert.match(text, /2025-03-31/);
    assert.doesNotMatch(text, /2025-04-01/);
  }
});
