/** What an update writes, compared change by change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../src/journal/change.ts";
import type { Item, Revision } from "../../src/memory/item.ts";
import type { Passage } from "../../src/memory/shelves.ts";
import { type Edit, planUpdate } from "../../src/memory/update.ts";
import { contentHash } from "../../src/text/content-hash.ts";

const NOW = 9_000;

const item: Item = {
  id: "old",
  type: "fact",
  scope: "project",
  status: "active",
  title: "Port",
  content: "The server listens on port 8080.",
  summary: "The server listens on port 8080.",
  background: null,
  tags: ["net", "server"],
  confidence: 0.8,
  priority: 5,
  pinned: false,
  source: "extraction",
  host: "mcp",
  session: "s1",
  context: { branch: "main", commits: ["c"], files: ["f"], symbols: [], language: "ts" },
  label: null,
  path: null,
  hash: contentHash("The server listens on port 8080."),
  version: 4,
  createdAt: 100,
  updatedAt: 200,
  accessedAt: 300,
  accessCount: 12,
  expiresAt: null,
  validFrom: null,
  validUntil: null,
  supersededBy: null,
  details: { space: "space", routedBy: "type" },
};

const passages: Passage[] = [{ ordinal: 0, heading: null, startLine: 1, endLine: 1, text: "new text", tokens: null }];
const author = { host: "cli", session: "s2", source: "user_explicit" } as const;
const plan = (edit: Edit, from: Item = item, clearing: readonly Change[] = []) =>
  planUpdate(edit, { id: "new", now: NOW, item: from, passages, clearing, author });

const revision = (set: Revision, rest: { passages: Passage[] | null; embed?: boolean }): Change => ({
  kind: "revise_item",
  shelf: "memory",
  id: "old",
  expectedVersion: 4,
  expectedUpdatedAt: item.updatedAt,
  set: { ...set, updatedAt: NOW },
  passages: rest.passages,
  embed: rest.embed ?? true,
});

const wordingOf = (content: string) => ({ content, summary: content, hash: contentHash(content) });
/** What was extracted and is worded by a person is the person's. */
const theirs = { source: author.source, host: author.host, details: item.details };
const REWORDED = "The server always listens on port 8080.";
const CHANGED = "The server listens on port 9090.";

const revised: [string, Edit, Change][] = [
  ["a better wording", { content: REWORDED }, revision({ ...wordingOf(REWORDED), ...theirs }, { passages })],
  [
    "other words, if the caller says so",
    { content: CHANGED, as: "revision" },
    revision({ ...wordingOf(CHANGED), ...theirs }, { passages }),
  ],
  ["a title is indexed", { title: "Address" }, revision({ title: "Address" }, { passages })],
  ["tags are indexed, each once", { tags: ["a", "b", "a"] }, revision({ tags: ["a", "b"] }, { passages })],
  ["no tags at all", { tags: [] }, revision({ tags: [] }, { passages })],
  ["a type may change what is embedded", { type: "code" }, revision({ type: "code" }, { passages, embed: false })],
  ["priority leaves the index alone", { priority: 9 }, revision({ priority: 9 }, { passages: null })],
  ["confidence may fall to nothing", { confidence: 0 }, revision({ confidence: 0 }, { passages: null })],
  ["pinning leaves the index alone", { pinned: true }, revision({ pinned: true }, { passages: null })],
  [
    "only what differs is written",
    { title: "Port", type: "fact", priority: 7, pinned: false },
    revision({ priority: 7 }, { passages: null }),
  ],
  [
    "a replacement needs new content",
    { title: "Address", as: "replacement" },
    revision({ title: "Address" }, { passages }),
  ],
];
for (const [name, edit, change] of revised)
  test(`revised: ${name}`, () => {
    assert.deepEqual(plan(edit), { changes: [change], answer: { status: "revised", id: "old", supersedes: null } });
  });

test("revised: a person's text in an agent's words is the agent's, and marked", () => {
  const own: Item = { ...item, source: "manual", host: "cli" };
  const by = { ...author, source: "ai_inferred" } as const;
  const situation = { id: "new", now: NOW, item: own, passages, clearing: [], author: by, byAgent: true };
  const { changes } = planUpdate({ content: REWORDED }, situation);
  const details = { ...item.details, byAgent: true, reworded: true };
  const set = { ...wordingOf(REWORDED), source: "ai_inferred", host: "cli", details } as const;
  assert.deepEqual(changes, [revision(set, { passages })]);
});

test("revised: an agent's wording leaves the author alone", () => {
  const situation = { id: "new", now: NOW, item, passages, clearing: [], author };
  const { changes } = planUpdate({ content: REWORDED }, { ...situation, byAgent: true });
  assert.deepEqual(changes, [revision(wordingOf(REWORDED), { passages })]);
});

const TOUCH: Change = {
  kind: "touch_items",
  shelf: "memory",
  query: null,
  at: NOW,
  touches: [{ id: "old", how: "shown", relevance: null }],
};
/** Whoever brings it back makes it theirs. */
const THEIRS = { status: "active", source: "user_explicit", host: "cli", details: item.details } as const;
const statuses: [Item["status"], "active" | "archived", Change[], string][] = [
  ["active", "archived", [revision({ status: "archived" }, { passages: null })], "archived"],
  ["archived", "active", [revision(THEIRS, { passages: null }), TOUCH], "restored"],
  ["pruned", "active", [revision(THEIRS, { passages: null }), TOUCH], "restored"],
  ["pruned", "archived", [revision({ status: "archived" }, { passages: null })], "archived"],
  ["active", "active", [], "unchanged"],
  ["archived", "archived", [], "unchanged"],
];
for (const [from, to, changes, status] of statuses)
  test(`${from} → ${to}: ${status}`, () => {
    const answer = { status, id: "old", supersedes: null };
    assert.deepEqual(plan({ status: to }, { ...item, status: from }), { changes, answer });
  });

const unchanged: [string, Edit][] = [
  ["an empty edit", {}],
  [
    "the same values",
    { content: item.content, title: "Port", type: "fact", priority: 5, confidence: 0.8, pinned: false },
  ],
  ["the same tags", { tags: ["net", "server"] }],
  ["the same tags, some twice", { tags: ["net", "server", "net"] }],
  ["only a way to do it", { as: "replacement" }],
];
for (const [name, edit] of unchanged)
  test(`unchanged: ${name}`, () => {
    assert.deepEqual(plan(edit), { changes: [], answer: { status: "unchanged", id: "old", supersedes: null } });
  });

function replacement(set: Revision, from: Item = item): Change[] {
  const since = from.validFrom ?? from.createdAt;
  return [
    {
      kind: "revise_item",
      shelf: "memory",
      id: "old",
      expectedVersion: 4,
      expectedUpdatedAt: item.updatedAt,
      expectsSuccessor: true,
      set: { status: "superseded", supersededBy: "new", validFrom: since, validUntil: NOW, updatedAt: NOW },
      passages: null,
      embed: false,
    },
    {
      kind: "insert_item",
      shelf: "memory",
      item: {
        ...from,
        ...set,
        ...author,
        id: "new",
        version: 1,
        createdAt: NOW,
        updatedAt: NOW,
        accessedAt: NOW,
        accessCount: 0,
        validFrom: NOW,
        validUntil: null,
      },
      passages,
      embed: true,
    },
  ];
}

const replaced: [string, Edit, Change[], Item?][] = [
  ["another meaning", { content: CHANGED }, replacement(wordingOf(CHANGED))],
  [
    "a better wording, if the caller says so",
    { content: REWORDED, as: "replacement" },
    replacement(wordingOf(REWORDED)),
  ],
  [
    "the rest of the edit goes to the successor",
    { content: CHANGED, priority: 9, tags: ["x"] },
    replacement({ ...wordingOf(CHANGED), priority: 9, tags: ["x"] }),
  ],
  [
    "a window that had begun is kept",
    { content: CHANGED },
    replacement(wordingOf(CHANGED), { ...item, validFrom: 150 }),
    { ...item, validFrom: 150 },
  ],
];
for (const [name, edit, changes, from] of replaced)
  test(`replaced: ${name}`, () => {
    assert.deepEqual(plan(edit, from), { changes, answer: { status: "replaced", id: "new", supersedes: "old" } });
  });

test("what has to go goes first, whichever way it is done, and not for nothing", () => {
  const clearing: Change[] = [{ kind: "remove_item", shelf: "memory", id: "twin", expectedVersion: 2 }];
  for (const as of ["revision", "replacement"] as const) {
    const without = plan({ content: CHANGED, as }).changes;
    assert.deepEqual(plan({ content: CHANGED, as }, item, clearing).changes, [...clearing, ...without], as);
  }
  assert.deepEqual(plan({}, item, clearing).changes, []);
});
