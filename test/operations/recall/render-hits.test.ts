/** Hits for a person, line by line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { identityOf } from "../../../src/model/memory/handle.ts";
import type { Hit } from "../../../src/model/recall/hit.ts";
import { hitsPage } from "../../../src/operations/recall/hits-page.ts";
import { renderHits, renderRelevant } from "../../../src/operations/recall/render-hits.ts";

const HIT: Hit = {
  ...{
    ...identityOf("01a1e0fa-bf04-7000-a637-71663454a66d"),
    shelf: "memory",
    scope: "project",
    type: "fact",
    title: null,
    summary: "",
    content: "The walrus sleeps",
  },
  ...{
    tags: [],
    status: "active",
    source: "user_explicit",
    byAgent: false,
    score: 1,
    relevance: 0.5,
    why: { keyword: 0.6, vector: 0.4 },
    createdAt: "2025-04-01T00:00:00.000Z",
  },
  ...{ validFrom: null, validUntil: null, history: [], related: [], contradicts: [], stale: null, unratified: false },
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
    "3454a66d  The walrus sleeps\n  fact, project, said by assistant; relevance 50 %",
  ],
  ["nobody in particular", { why: {}, passage: said }, "3454a66d  The walrus sleeps\n  fact, project; relevance 50 %"],
];
for (const [why, hit, expected] of cases)
  test(`a hit for a person: ${why}`, () => assert.equal(renderHits([{ ...HIT, ...hit }], null, ""), expected));

test("nothing found, and what was missing", () =>
  assert.equal(renderHits([], "no embedder", "Nothing."), "Nothing.\n(no embedder)"));

const READER = { input: {}, now: Date.parse("2025-04-02T00:00:00Z"), zone: { name: "UTC", offsetMs: () => 0 } };
const page = (hits: Partial<Hit>[], least?: number) =>
  hitsPage(
    {
      hits: hits.map((hit) => ({ ...HIT, ...hit })),
      degraded: null,
      question: "walrus",
      nothing: "No.",
      next: "Go on.",
      least,
      judged: true,
    },
    READER,
  ).map(({ spans, indent = 0 }) => " ".repeat(indent) + spans.map(({ text }) => text).join(""));

const pages: [why: string, hits: Partial<Hit>[], least: number | undefined, rows: string[]][] = [
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
    "guesses are counted",
    [{}, { relevance: 0.01 }],
    0.1,
    [
      "3454a66d  The walrus sleeps",
      "          fact, project, yesterday, 50\u00a0%",
      "1 guess below 10 % not shown; `--threshold 0` shows all",
    ],
  ],
  [
    "where there are only guesses, something is remembered, but nothing answers",
    [{ relevance: 0.004 }],
    0.1,
    ["Nothing clearly answers that.", "Go on.", "1 guess below 10 % not shown; `--threshold 0` shows all"],
  ],
  [
    "who asks for guesses is told that they are",
    [{ relevance: 0.004 }],
    undefined,
    [
      "Nothing clearly answers that; the nearest:",
      "3454a66d  The walrus sleeps",
      "          fact, project, yesterday, 0\u00a0%",
    ],
  ],
];
for (const [why, hits, least, rows] of pages)
  test(`hits on a terminal: ${why}`, () => assert.deepEqual(page(hits, least), rows));

test("plain text says that nothing clearly answers, and leaves out what is far less relevant", () => {
  const hits = [0.06, 0.001].map((relevance) => ({ ...HIT, relevance, why: { vector: 1 } }));
  assert.deepEqual(renderRelevant(hits, null, "No.").split("\n"), [
    "Nothing clearly answers that; the nearest:",
    "3454a66d  The walrus sleeps",
    "  fact, project, 2025-04-01; relevance 6 %; found by vector",
    "(1 far less relevant left out; `--json` has all)",
  ]);
  assert.equal(renderRelevant([], null, "No."), "No.");
});
