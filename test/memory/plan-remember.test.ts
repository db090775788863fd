/** What remembering writes, compared change by change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Change } from "../../src/journal/change.ts";
import { closing, isEmbedded, isExpired, shelfFor } from "../../src/memory/item-changes.ts";
import type { Item, MemoryType } from "../../src/memory/item.ts";
import { type Draft, planRemember, type Remembered, type Situation } from "../../src/memory/remember-rules.ts";
import { MEMORY_TYPES, type Passage } from "../../src/memory/shelves.ts";
import { contentHash } from "../../src/text/content-hash.ts";

const NOW = 1_000_000;
const context = { branch: "main", commits: [], files: ["a.ts"], symbols: [], language: null };

const draft: Draft = {
  content: "Tests run with pnpm.",
  hash: contentHash("Tests run with pnpm."),
  type: "fact",
  title: null,
  tags: ["tools", "tools", "test"],
  priority: 5,
  pinned: false,
  source: "user_explicit",
  context,
};

const passage: Passage = { ordinal: 0, heading: null, startLine: 1, endLine: 1, text: draft.content, tokens: null };

const situation: Situation = {
  id: "new",
  now: NOW,
  origin: { verb: "remember", host: "cli", session: "s1", call: "c1", space: "space" },
  spaceId: "space",
  route: { scope: "project", reason: "default scope", confidence: 0.6, by: "type" },
  workingTtlSeconds: 60,
  duplicate: null,
  predecessor: null,
  leaving: [],
  passages: [passage],
};

/** What the plain draft becomes. */
const stored: Item = {
  id: "new",
  type: "fact",
  scope: "project",
  status: "active",
  title: null,
  content: "Tests run with pnpm.",
  summary: "Tests run with pnpm.",
  background: null,
  tags: ["tools", "test"],
  confidence: 1,
  priority: 5,
  pinned: false,
  source: "user_explicit",
  host: "cli",
  session: "s1",
  context,
  label: null,
  path: null,
  hash: contentHash("Tests run with pnpm."),
  version: 1,
  createdAt: NOW,
  updatedAt: NOW,
  accessedAt: NOW,
  accessCount: 0,
  expiresAt: null,
  validFrom: null,
  validUntil: null,
  supersededBy: null,
  details: { space: "space", routedBy: "type" },
};

const older: Item = {
  ...stored,
  id: "old",
  content: "Tests run with npm.",
  version: 3,
  createdAt: 500,
  updatedAt: 600,
};
const given = { scope: "global", reason: "scope given", confidence: 1, by: "caller" } as const;
const byType = { scope: "global", reason: "the type", confidence: 0.8, by: "type" } as const;
const working = { scope: "working", reason: "tagged temp", confidence: 0.95, by: "tag" } as const;

const insert = (item: Partial<Item> = {}, embed = true): Change => ({
  kind: "insert_item",
  shelf: "memory",
  item: { ...stored, ...item },
  passages: [passage],
  embed,
});
const touch = (shelf: "memory" | "proposal", id: string): Change => ({
  kind: "touch_items",
  shelf,
  touches: [{ id, how: "shown", relevance: null }],
  query: null,
  at: NOW,
});
const updatedAt = (id: string): number => (id === "old" ? older : stored).updatedAt;
const close = (id: string, expectedVersion: number, supersededBy: string, validFrom: number): Change => ({
  kind: "revise_item",
  shelf: "memory",
  id,
  expectedVersion,
  expectedUpdatedAt: updatedAt(id),
  expectsSuccessor: true,
  set: { status: "superseded", supersededBy, validFrom, validUntil: NOW, updatedAt: NOW },
  passages: null,
  embed: false,
});
const remove = (id: string, expectedVersion: number): Change => ({
  kind: "remove_item",
  shelf: "memory",
  id,
  expectedVersion,
  expectedUpdatedAt: updatedAt(id),
});

const evict = (...ids: string[]): Change => ({ kind: "evict_items", shelf: "memory", ids });
const renew = (id: string, expectedVersion: number, expiresAt: number | null): Change => ({
  kind: "revise_item",
  shelf: "memory",
  id,
  expectedVersion,
  expectedUpdatedAt: updatedAt(id),
  set: { expiresAt, updatedAt: NOW },
  passages: null,
  embed: false,
});

/** Makes a memory that only its type made global visible in every project. */
const show = (id: string, routedBy: string): Change =>
  ({
    ...renew(id, 4, null),
    set: { details: { space: "space", routedBy }, updatedAt: NOW },
  }) as Change;

interface Case {
  name: string;
  draft?: Partial<Draft>;
  situation?: Partial<Situation>;
  changes: Change[];
  answer: Omit<Remembered, "type">;
  /** The type that is answered; the draft's own unless told otherwise. */
  type?: MemoryType;
}

const STORED = { status: "stored", id: "new" } as const;

const cases: Case[] = [
  { name: "something new is stored", changes: [insert()], answer: STORED },
  {
    name: "what the caller says stands in the item",
    draft: { title: "Tools", summary: "pnpm", priority: 8, confidence: 0.4, pinned: true, ttlSeconds: 5 },
    changes: [
      insert({ title: "Tools", summary: "pnpm", priority: 8, confidence: 0.4, pinned: true, expiresAt: NOW + 5_000 }),
    ],
    answer: STORED,
  },
  {
    name: "what was extracted is less sure",
    draft: { source: "extraction" },
    changes: [insert({ source: "extraction", confidence: 0.7 })],
    answer: STORED,
  },
  {
    name: "unless its confidence is given",
    draft: { source: "extraction", confidence: 0.9 },
    changes: [insert({ source: "extraction", confidence: 0.9 })],
    answer: STORED,
  },
  {
    name: "raw code is not embedded",
    draft: { type: "code" },
    changes: [insert({ type: "code" }, false)],
    answer: STORED,
  },
  {
    name: "equal content is touched, not stored",
    situation: { duplicate: { ...stored, id: "same" } },
    changes: [touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "equal content that would expire is made to last",
    situation: { duplicate: { ...stored, id: "same", version: 4, expiresAt: NOW + 1 } },
    changes: [renew("same", 4, null), touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "equal content gets the longer life of the two",
    draft: { ttlSeconds: 60 },
    situation: { duplicate: { ...stored, id: "same", version: 4, expiresAt: NOW + 59_999 } },
    changes: [renew("same", 4, NOW + 60_000), touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "as long a life is no reason to write one",
    draft: { ttlSeconds: 60 },
    situation: { duplicate: { ...stored, id: "same", version: 4, expiresAt: NOW + 60_000 } },
    changes: [touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "what is known keeps its type",
    draft: { type: "gotcha" },
    situation: { duplicate: { ...stored, id: "same" } },
    changes: [touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
    type: "fact",
  },
  {
    name: "what lasts is not made to expire",
    draft: { ttlSeconds: 60 },
    situation: { duplicate: { ...stored, id: "same" } },
    changes: [touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "a working memory said again gets the time that a new one would have",
    situation: { route: working, duplicate: { ...stored, id: "same", version: 4, expiresAt: NOW + 1 } },
    changes: [renew("same", 4, NOW + 60_000), touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "a duplicate that lives longer now can be the successor",
    situation: { duplicate: { ...stored, id: "same", version: 4, expiresAt: NOW + 1 }, predecessor: older },
    changes: [renew("same", 4, null), touch("memory", "same"), close("old", 3, "same", 500)],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "what only its type made global is meant for all once somebody says so",
    situation: { route: given, duplicate: { ...stored, id: "same", version: 4, scope: "global" } },
    changes: [show("same", "caller"), touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "or once it is a preference",
    draft: { type: "preference" },
    situation: { route: byType, duplicate: { ...stored, id: "same", version: 4, scope: "global" } },
    changes: [show("same", "caller"), touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
    type: stored.type as MemoryType,
  },
  {
    name: "but not because of its type again",
    situation: { route: byType, duplicate: { ...stored, id: "same", version: 4, scope: "global" } },
    changes: [touch("memory", "same")],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "equal content that has expired makes room",
    situation: { duplicate: { ...stored, id: "same", version: 4, expiresAt: NOW } },
    changes: [remove("same", 4), insert()],
    answer: STORED,
  },
  {
    name: "a successor closes its predecessor and holds from now",
    situation: { predecessor: older },
    changes: [close("old", 3, "new", 500), insert({ validFrom: NOW })],
    answer: STORED,
  },
  {
    name: "a successor belongs to the project of a predecessor that only its type made global",
    situation: {
      route: { ...situation.route, scope: "global" },
      predecessor: { ...older, scope: "global", details: { space: "elsewhere", routedBy: "type" } },
    },
    changes: [
      close("old", 3, "new", 500),
      insert({ scope: "global", validFrom: NOW, details: { space: "elsewhere", routedBy: "type" } }),
    ],
    answer: STORED,
  },
  {
    name: "a predecessor that held since a given time still did",
    situation: { predecessor: { ...older, validFrom: 700 } },
    changes: [close("old", 3, "new", 700), insert({ validFrom: NOW })],
    answer: STORED,
  },
  {
    name: "a duplicate can be the successor",
    situation: { duplicate: { ...stored, id: "same" }, predecessor: older },
    changes: [touch("memory", "same"), close("old", 3, "same", 500)],
    answer: { status: "duplicate", id: "same" },
  },
  {
    name: "but nothing supersedes itself",
    situation: { duplicate: older, predecessor: older },
    changes: [touch("memory", "old")],
    answer: { status: "duplicate", id: "old" },
  },
  {
    name: "an expired duplicate that is superseded closes once and does not leave",
    situation: { duplicate: { ...older, expiresAt: NOW - 1 }, predecessor: { ...older, expiresAt: NOW - 1 } },
    changes: [close("old", 3, "new", 500), insert({ validFrom: NOW })],
    answer: STORED,
  },
  {
    name: "a working memory gets its lifetime, and others make room first",
    situation: {
      route: working,
      leaving: ["a", "b"],
    },
    changes: [
      evict("a", "b"),
      insert({ scope: "working", expiresAt: NOW + 60_000, details: { space: "space", routedBy: "tag" } }),
    ],
    answer: STORED,
  },
  {
    name: "an expired duplicate leaves once",
    situation: {
      route: working,
      duplicate: { ...stored, id: "a", version: 1, expiresAt: NOW - 1 },
      leaving: ["a"],
    },
    changes: [
      remove("a", 1),
      insert({ scope: "working", expiresAt: NOW + 60_000, details: { space: "space", routedBy: "tag" } }),
    ],
    answer: STORED,
  },
  {
    name: "a predecessor closes even when it was about to leave",
    situation: {
      route: working,
      predecessor: { ...older, scope: "working" },
      leaving: ["old", "b"],
    },
    changes: [
      evict("b"),
      close("old", 3, "new", 500),
      insert({
        scope: "working",
        expiresAt: NOW + 60_000,
        validFrom: NOW,
        details: { space: "space", routedBy: "tag" },
      }),
    ],
    answer: STORED,
  },
  {
    name: "a decision waits on its own shelf",
    draft: { type: "decision" },
    changes: [
      {
        kind: "insert_item",
        shelf: "proposal",
        item: { ...stored, type: "decision", status: "pending" },
        passages: [passage],
        embed: true,
      },
    ],
    answer: { status: "proposed", id: "new" },
  },
  {
    name: "a decision names what it would supersede, and closes nothing",
    draft: { type: "decision" },
    situation: { predecessor: older },
    changes: [
      {
        kind: "insert_item",
        shelf: "proposal",
        item: {
          ...stored,
          type: "decision",
          status: "pending",
          details: { space: "space", routedBy: "type", supersedes: ["old"] },
        },
        passages: [passage],
        embed: true,
      },
    ],
    answer: { status: "proposed", id: "new" },
  },
  {
    name: "a proposal keeps its window and what was said for it",
    draft: {
      type: "decision",
      proposal: {
        rationale: "why",
        rejected: ["b"],
        evidence: ["e"],
        supersedes: ["d"],
        relates: ["r"],
        validFrom: 5,
        validUntil: 9,
      },
    },
    changes: [
      {
        kind: "insert_item",
        shelf: "proposal",
        item: {
          ...stored,
          type: "decision",
          status: "pending",
          validFrom: 5,
          validUntil: 9,
          details: {
            space: "space",
            routedBy: "type",
            rationale: "why",
            rejected: ["b"],
            evidence: ["e"],
            supersedes: ["d"],
            relates: ["r"],
          },
        },
        passages: [passage],
        embed: true,
      },
    ],
    answer: { status: "proposed", id: "new" },
  },
  {
    name: "a decision that already waits is a duplicate there",
    draft: { type: "decision" },
    situation: { duplicate: { ...stored, id: "same", type: "decision", status: "pending" }, predecessor: older },
    changes: [touch("proposal", "same")],
    answer: { status: "duplicate", id: "same" },
  },
];
for (const { name, changes, answer, type, ...given } of cases)
  test(name, () => {
    const plan = planRemember({ ...draft, ...given.draft }, { ...situation, ...given.situation });
    assert.deepEqual(plan, { changes, answer: { ...answer, type: type ?? given.draft?.type ?? draft.type } });
  });

test("a window never ends before it begins", () => {
  assert.deepEqual(closing({ ...older, validFrom: NOW + 50 }, "new", NOW), {
    ...close("old", 3, "new", NOW + 50),
    set: { status: "superseded", supersededBy: "new", validFrom: NOW + 50, validUntil: NOW + 50, updatedAt: NOW },
  });
});

test("only decisions wait, only raw code is not embedded", () => {
  for (const type of MEMORY_TYPES) {
    assert.equal(shelfFor(type), type === "decision" ? "proposal" : "memory", type);
    assert.equal(isEmbedded(type), type !== "code", type);
  }
});

const expiries: [number | null, boolean][] = [
  [null, false],
  [NOW + 1, false],
  [NOW, true],
  [NOW - 1, true],
];
for (const [expiresAt, expected] of expiries)
  test(`an item that expires at ${expiresAt} has ${expected ? "" : "not "}expired at ${NOW}`, () => {
    assert.equal(isExpired({ ...stored, expiresAt }, NOW), expected);
  });
