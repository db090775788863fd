import assert from "node:assert/strict";
import { test } from "node:test";
import { type SuggestionGrounds, suggestionsFor } from "../../src/briefing/context-parts.ts";
import type { Edge } from "../../src/graph/edges.ts";

const NOTHING: SuggestionGrounds = {
  proposals: [],
  stale: [],
  opposed: [],
  contradicting: [],
  near: [],
  alike: [],
  memories: new Map(),
  isIndexed: true,
};
const id = (digit: number) => `01890000-0000-7000-8000-${String(digit).repeat(12)}`;
const handle = (digit: number) => String(digit).repeat(8);
const edge = (set: Partial<Edge>): Edge => ({
  id: "e",
  shelf: "memory",
  source: id(1),
  target: id(2),
  relation: "relates_to",
  strength: 0.7,
  bidirectional: true,
  status: "active",
  createdAt: 0,
  made: true,
  ...set,
});
const commandsFor = (grounds: Partial<SuggestionGrounds>, limit = 5) =>
  suggestionsFor({ ...NOTHING, ...grounds }, limit).map(({ kind, command }) => `${kind}: ${command}`);

const saying = (newer: string, older: string) =>
  new Map([
    [id(1), { createdAt: 10, title: null, content: newer }],
    [id(2), { createdAt: 5, title: null, content: older }],
  ]);
const memories = saying("Deploys need the VPN and a badge", "Deploys need the VPN");
const proposal = (digit: number) => ({ id: id(digit), subject: "auth", decision: "tokens" });

const CASES: [string, Partial<SuggestionGrounds>, string[]][] = [
  ["a proposal waits", { proposals: [proposal(3)] }, [`ratify: stele ratify ${handle(3)}`]],
  ["a file changed", { stale: [{ id: id(4), reason: "a.ts has changed since" }] }, [`stale: stele get ${handle(4)}`]],
  [
    "a memory opposes a decision",
    { opposed: [{ id: id(5), decision: id(6), why: "cookies, not tokens" }] },
    [`contradiction: stele forget ${handle(5)}`],
  ],
  [
    "two contradict: the older one may go",
    { contradicting: [edge({ relation: "contradicts" })], memories },
    [`contradiction: stele settle ${handle(1)} ${handle(2)} --as replaces`],
  ],
  [
    "two are near: whether one replaces the other comes before merging",
    { alike: [edge({})], near: [{ newer: id(1), older: id(2), contradicts: false }], memories },
    [`repeat: stele settle ${handle(1)} ${handle(2)} --as replaces`],
  ],
  ["two repeat", { alike: [edge({})], memories }, [`repeat: stele merge ${handle(1)} ${handle(2)}`]],
  ["two are related, no more", { alike: [edge({ strength: 0.5 })], memories }, []],
  [
    "two are alike, and somebody said that they contradict",
    { alike: [edge({})], contradicting: [edge({ relation: "contradicts", source: id(2), target: id(1) })], memories },
    [`contradiction: stele settle ${handle(1)} ${handle(2)} --as replaces`],
  ],
  [
    "two are alike, and one denies the other",
    { alike: [edge({})], memories: saying("We must never push to main", "We must always push to main") },
    [],
  ],
  ["files are not indexed", { isIndexed: false }, ["index: stele index"]],
  ["nothing to do", {}, []],
];
for (const [what, grounds, expected] of CASES) test(what, () => assert.deepEqual(commandsFor(grounds), expected));

test("one of each kind in turn, within the limit", () => {
  const grounds = {
    proposals: [1, 2, 3, 4].map(proposal),
    stale: [{ id: id(5), reason: "a.ts is gone" }],
    alike: [edge({})],
    memories,
  };
  const kinds = suggestionsFor({ ...NOTHING, ...grounds }, 4).map(({ kind }) => kind);
  assert.deepEqual(kinds, ["ratify", "stale", "repeat", "ratify"]);
  assert.deepEqual(suggestionsFor({ ...NOTHING, ...grounds }, 0), []);
});
