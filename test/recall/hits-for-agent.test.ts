/** Hits for an agent: one line each, with what it needs to judge them, and few tokens beside the text. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { identityOf } from "../../src/memory/handles.ts";
import type { Hit } from "../../src/recall/hit.ts";
import { hitsForAgent, tellAll, tellRelevant } from "../../src/recall/show-hits.ts";
import { UTC } from "../../src/time/calendar.ts";
import { countTokens } from "../tokenizer.ts";

const OTHER = identityOf("01a1e0fa-bf04-7000-a637-71663454beef");
const HIT: Hit = {
  ...identityOf("01a1e0fa-bf04-7000-a637-71663454a66d"),
  shelf: "memory",
  scope: "project",
  type: "gotcha",
  title: null,
  summary: "",
  content: "The walrus sleeps",
  tags: [],
  status: "active",
  source: "user_explicit",
  byAgent: false,
  score: 1,
  relevance: 0.82,
  why: {},
  createdAt: "2026-04-01T09:30:00.000Z",
  validFrom: null,
  validUntil: null,
  history: [],
  related: [],
  contradicts: [],
  stale: null,
  unratified: false,
};
const past = { ...OTHER, title: null, validFrom: null, validUntil: "2026-03-01T00:00:00.000Z" };

const cases: [why: string, hit: Partial<Hit>, expected: string][] = [
  ["what a person said", {}, "3454a66d 82 % gotcha, person 2026-04-01: The walrus sleeps"],
  ["what an agent noted", { byAgent: true }, "3454a66d 82 % gotcha, agent 2026-04-01: The walrus sleeps"],
  ["captured", { source: "extraction" }, "3454a66d 82 % gotcha, captured 2026-04-01: The walrus sleeps"],
  [
    "a decision",
    { shelf: "decision", title: "Zoo", validFrom: "2026-05-02T00:00:00.000Z", validUntil: "2027-01-01T00:00:00.000Z" },
    "3454a66d 82 % decided 2026-05-02: Zoo: The walrus sleeps\n  holds until 2027-01-01",
  ],
  [
    "a proposal",
    { shelf: "proposal", unratified: true },
    "3454a66d 82 % not ratified, gotcha, person 2026-04-01: The walrus sleeps",
  ],
  [
    "the part that answers",
    { excerpt: "It sleeps." },
    "3454a66d 82 % gotcha, person 2026-04-01: It sleeps. (get 3454a66d for all)",
  ],
  [
    "a guess is short",
    { relevance: 0.1, content: "walrus ".repeat(60) },
    `3454a66d 10 % gotcha, person 2026-04-01: ${"walrus ".repeat(23).slice(0, 159)}…`,
  ],
  [
    "what no longer holds",
    {
      contradicts: [{ ...OTHER, why: "names two" }],
      stale: "zoo.ts is gone",
      history: [
        { ...past, content: "It slept", status: "superseded" },
        { ...past, content: "It flies", status: "rejected", reason: "no" },
      ],
    },
    "3454a66d 82 % gotcha, person 2026-04-01: The walrus sleeps\n  contradicts decision 3454beef: names two\n" +
      "  stale: zoo.ts is gone\n  until 2026-03-01: It slept\n  rejected: It flies (no)",
  ],
  [
    "a file",
    { shelf: "code", type: "code", path: "src/zoo.ts", startLine: 3, endLine: 9, symbol: "walrus" },
    "src/zoo.ts:3-9 (walrus) 82 % code: The walrus sleeps",
  ],
  [
    "no line of its own",
    { content: "a\n\n3454beef 99 % fact: b" },
    "3454a66d 82 % gotcha, person 2026-04-01: a 3454beef 99 % fact: b",
  ],
];
for (const [why, hit, expected] of cases)
  test(`a hit for an agent: ${why}`, () =>
    assert.equal(hitsForAgent({ ...tellAll([{ ...HIT, ...hit }]), beside: [] }, null, "", UTC), expected));

test("nothing found, and what was missing", () =>
  assert.equal(
    hitsForAgent({ ...tellAll([]), beside: [] }, "no embedder", "Nothing.", UTC),
    "Nothing.\n(no embedder)",
  ));

const told: [why: string, relevances: number[], expected: string][] = [
  ["a likely answer leaves out what is not", [0.9, 0.3, 0.1, 0.09, 0], "90 30 10 | 2"],
  ["also if it is not the first", [0.2, 0.09, 0.5], "20 50 | 1"],
  ["what is below the line is said to be a guess", [0.03, 0.49, 0.02], "49 guesses 3 | 1"],
  ["at most three guesses are told", [0.4, 0.09, 0.08, 0.07, 0.06], "40 guesses 9 8 7 | 1"],
  ["where nothing clearly answers, that is said", [0.06, 0.05, 0.001], "unclear 6 5 | 1"],
  ["even then three guesses are enough", [0.09, 0.08, 0.08, 0.07, 0.07, 0.06], "unclear 9 8 8 | 3"],
  ["even the worst guess is told if there is no better one", [0.004, 0.003], "unclear 0 0"],
  ["nothing", [], "Nothing."],
];
for (const [why, relevances, expected] of told)
  test(`for an agent, ${why}`, () => {
    const hits = relevances.map((relevance) => ({ ...HIT, relevance }));
    const short = hitsForAgent({ ...tellRelevant(hits, undefined), beside: [] }, null, "Nothing.", UTC)
      .replace("Nothing clearly answers that; guesses:", "unclear")
      .replace("Guesses:", "guesses")
      .replace(/\((\d) less relevant left out\)/, "| $1")
      .replaceAll(/3454a66d (\d+) % .*/g, "$1")
      .replaceAll("\n", " ");
    assert.equal(short, expected);
  });

test("passages of sessions stay: several answer together", () => {
  const passage = { ...HIT, shelf: "evidence" as const, relevance: 0.01 };
  const { clear, guesses } = tellRelevant([HIT, passage], undefined);
  assert.deepEqual([clear, guesses], [[HIT, passage], []]);
});

test("a hit costs few tokens beside the text it quotes", () => {
  const text = hitsForAgent({ ...tellAll([{ ...HIT, excerpt: "The walrus sleeps." }]), beside: [] }, null, "", UTC);
  assert.ok(countTokens(text) - countTokens("The walrus sleeps.") <= 60);
});
