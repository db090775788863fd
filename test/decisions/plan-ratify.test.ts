/** What settling proposals writes, compared change by change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Conflict } from "../../src/decisions/contradiction.ts";
import type { DecisionEdits } from "../../src/decisions/decision.ts";
import { planRatify, planReject, type RatifyRefusal, type RatifySituation } from "../../src/decisions/ratify-rules.ts";
import { newEdge } from "../../src/graph/edges.ts";
import type { Change } from "../../src/journal/change.ts";
import type { Item, Revision } from "../../src/memory/item.ts";
import type { Passage, Shelf } from "../../src/memory/shelves.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { byId, decisionItem, proposalItem } from "./decision-items.ts";

const NOW = 1_000;
const settlement = { by: "terminal user", how: "terminal", at: NOW };
const author = { host: "cli", session: "s2", source: "user_explicit" } as const;
const passages: Passage[] = [{ ordinal: 0, heading: null, startLine: 1, endLine: 1, text: "JWT", tokens: null }];
const reasons = { rationale: "stateless", rejected: ["cookies"], evidence: ["e1"] };

const proposal = proposalItem("new", {
  version: 3,
  accessCount: 7,
  tags: ["security"],
  priority: 8,
  details: { space: "space", ...reasons, supersedes: [] },
});

const situation = (more: Partial<RatifySituation>): RatifySituation => ({
  proposal,
  decisions: new Map(),
  proposals: new Map(),
  memories: new Map(),
  edits: {},
  settlement,
  author,
  passages,
  ...more,
});

const revision = (shelf: Shelf, { id, version, updatedAt }: Item, set: Revision): Change => ({
  kind: "revise_item",
  shelf,
  id,
  expectedVersion: version,
  expectedUpdatedAt: updatedAt,
  set: { ...set, updatedAt: NOW },
  passages: null,
  embed: false,
});

const settled = (from: Item = proposal): Change =>
  revision("proposal", from, { status: "ratified", details: { ...from.details, settled: settlement } });

const insertion = (item: Partial<Item>, details: Record<string, unknown> = {}, from: Item = proposal): Change => ({
  kind: "insert_item",
  shelf: "decision",
  item: {
    ...from,
    ...author,
    status: "active",
    version: 1,
    createdAt: NOW,
    updatedAt: NOW,
    accessedAt: NOW,
    accessCount: 0,
    validFrom: NOW,
    ...item,
    details: { ...from.details, ...reasons, supersedes: [], relates: [], ratified: settlement, edits: {}, ...details },
  },
  passages,
  embed: true,
});

const tie = (target: string, relation: "relates_to" | "contradicts", strength: number): Change => ({
  kind: "insert_edge",
  edge: newEdge({
    shelf: "decision",
    source: "new",
    target,
    relation,
    strength,
    bidirectional: true,
    status: "active",
    createdAt: NOW,
  }),
});

const relating = (relates: string[], more: Partial<Item> = {}) =>
  proposalItem("new", { ...proposal, ...more, details: { ...proposal.details, relates } });

const proposing = (supersedes: string[], more: Partial<Item> = {}) =>
  proposalItem("new", { ...proposal, ...more, details: { ...proposal.details, supersedes } });

const closed = (item: Item, validUntil: number, status: "superseded" | "active" = "superseded"): Change =>
  revision("decision", item, { status, supersededBy: "new", validFrom: item.validFrom, validUntil });

const first = decisionItem("first", 100, null, { version: 2, updatedAt: 120 });
const second = decisionItem("second", 200, 5_000);
const ended = decisionItem("ended", 100, 300);

const other = decisionItem("other", 100, null, { title: "keys", content: "Rotate keys monthly" });
const opposed = decisionItem("opposed", 100, null, { content: "Cookies, never tokens" });

interface Case {
  superseded?: string[];
  related?: string[];
  conflicts?: Conflict[];
  situation: Partial<RatifySituation>;
  changes: Change[];
}

const accepted: Record<string, Case> = {
  "as it was proposed, it holds from now on": { situation: {}, changes: [insertion({}), settled()] },
  "one decision is superseded and closes where the new one starts": {
    situation: { proposal: proposing(["first"]), decisions: byId(first, second) },
    superseded: ["first"],
    changes: [closed(first, NOW), insertion({}, { supersedes: ["first"] }), settled(proposing(["first"]))],
  },
  "several are superseded, each once": {
    situation: { proposal: proposing(["first", "second", "first"]), decisions: byId(first, second) },
    superseded: ["first", "second"],
    changes: [
      closed(first, NOW),
      closed(second, NOW),
      insertion({}, { supersedes: ["first", "second"] }),
      settled(proposing(["first", "second", "first"])),
    ],
  },
  "what had ended before keeps its end": {
    situation: { proposal: proposing(["ended"]), decisions: byId(ended) },
    superseded: ["ended"],
    changes: [closed(ended, 300), insertion({}, { supersedes: ["ended"] }), settled(proposing(["ended"]))],
  },
  "a window that lies in the past": {
    situation: { proposal: proposalItem("new", { ...proposal, validFrom: 400, validUntil: 500 }) },
    changes: [insertion({ validFrom: 400, validUntil: 500 }), settled()],
  },
  "what begins later leaves the old one active until then": {
    situation: { proposal: proposing(["first"], { validFrom: 4_000 }), decisions: byId(first) },
    superseded: ["first"],
    changes: [
      closed(first, 4_000, "active"),
      insertion({ validFrom: 4_000 }, { supersedes: ["first"] }),
      settled(proposing(["first"])),
    ],
  },
  "a successor that starts with it leaves it no time": {
    situation: { proposal: proposing(["first"], { validFrom: 100 }), decisions: byId(first) },
    superseded: ["first"],
    changes: [
      closed(first, 100),
      insertion({ validFrom: 100 }, { supersedes: ["first"] }),
      settled(proposing(["first"])),
    ],
  },
  "a memory in whose place it was staged closes now": {
    situation: { proposal: proposing(["memory"]), memories: byId(decisionItem("memory", 50, null, { type: "fact" })) },
    superseded: ["memory"],
    changes: [
      revision("memory", decisionItem("memory", 50), {
        status: "superseded",
        supersededBy: "new",
        validFrom: 50,
        validUntil: NOW,
      }),
      insertion({}, { supersedes: ["memory"] }),
      settled(proposing(["memory"])),
    ],
  },
  "a memory that somebody closed since is left alone": {
    situation: {
      proposal: proposing(["memory"]),
      memories: byId(decisionItem("memory", 50, null, { status: "archived" })),
    },
    changes: [insertion({}, { supersedes: ["memory"] }), settled(proposing(["memory"]))],
  },
  "it is tied to what it relates to, each once": {
    situation: { proposal: relating(["other", "other"]), decisions: byId(other) },
    related: ["other"],
    changes: [
      insertion({}, { relates: ["other"] }),
      settled(relating(["other", "other"])),
      tie("other", "relates_to", 1),
    ],
  },
  "what it relates to may have ended, but not have been forgotten or taken back": {
    situation: {
      proposal: relating(["ended", "forgotten", "gone", "new"]),
      decisions: byId(ended, { ...other, id: "forgotten", status: "archived" }),
    },
    related: ["ended"],
    changes: [
      insertion({}, { relates: ["ended", "forgotten", "gone", "new"] }),
      settled(relating(["ended", "forgotten", "gone", "new"])),
      tie("ended", "relates_to", 1),
    ],
  },
  "what waited for it is tied to it": {
    situation: { decisions: byId({ ...other, details: { relates: ["elsewhere", "new"] } }) },
    related: ["other"],
    changes: [insertion({}), settled(), tie("other", "relates_to", 1)],
  },
  "what it supersedes is neither related nor contradicted": {
    situation: {
      proposal: proposalItem("new", {
        ...proposal,
        details: { ...proposal.details, relates: ["opposed"], supersedes: ["opposed"] },
      }),
      decisions: byId(opposed),
    },
    superseded: ["opposed"],
    changes: [
      closed(opposed, NOW),
      insertion({}, { supersedes: ["opposed"], relates: ["opposed"] }),
      settled(
        proposalItem("new", {
          details: { ...proposal.details, relates: ["opposed"], supersedes: ["opposed"] },
          version: 3,
          accessCount: 7,
          tags: ["security"],
          priority: 8,
        }),
      ),
    ],
  },
  "a contradiction that stands is kept, as strong as it is": {
    situation: { decisions: byId(opposed, other) },
    conflicts: [{ id: "opposed", decision: "Cookies, never tokens", energy: 0, level: "warn" }],
    changes: [insertion({}), settled(), tie("opposed", "contradicts", 0)],
  },
  "what it relates to after an edit": {
    situation: { edits: { relates: ["other"] }, decisions: byId(other) },
    related: ["other"],
    changes: [
      insertion({}, { relates: ["other"], edits: { relates: { proposed: [], ratified: ["other"] } } }),
      settled(),
      tie("other", "relates_to", 1),
    ],
  },
  "details that are not as they should be read as absent": {
    situation: { proposal: proposalItem("new", { details: { space: "space", rejected: "no list", supersedes: 4 } }) },
    changes: [
      insertion({}, { rationale: null, rejected: [], evidence: [] }, proposalItem("new")),
      settled(proposalItem("new", { details: { space: "space", rejected: "no list", supersedes: 4 } })),
    ],
  },
};
for (const [name, { situation: given, changes, ...rest }] of Object.entries(accepted))
  test(`ratified: ${name}`, () => {
    const { superseded = [], related = [], conflicts = [] } = rest;
    const answer = { status: "ratified", id: "new", superseded, related, conflicts };
    assert.deepEqual(planRatify(situation(given)), { changes, answer });
  });

test("edits go into the decision and on record; the proposal stays as it was proposed", () => {
  const edits: DecisionEdits = {
    subject: " tokens ",
    decision: "JWT, fifteen minutes",
    rationale: null,
    rejected: ["cookies"],
    evidence: undefined,
    supersedes: ["first"],
    validFrom: 900,
    validUntil: 2_000,
  };
  const item = {
    title: "tokens",
    content: "JWT, fifteen minutes",
    summary: "JWT, fifteen minutes",
    hash: contentHash("JWT, fifteen minutes"),
    validFrom: 900,
    validUntil: 2_000,
  };
  const record = {
    subject: { proposed: "auth", ratified: "tokens" },
    decision: { proposed: "JWT with refresh rotation", ratified: "JWT, fifteen minutes" },
    rationale: { proposed: "stateless", ratified: null },
    supersedes: { proposed: [], ratified: ["first"] },
    validFrom: { proposed: null, ratified: 900 },
    validUntil: { proposed: null, ratified: 2_000 },
  };
  const { changes } = planRatify(situation({ edits, decisions: byId(first) })) as { changes: Change[] };
  assert.deepEqual(changes, [
    closed(first, 900),
    insertion(item, { rationale: null, supersedes: ["first"], edits: record }),
    settled(),
  ]);
});

const waiting = (id: string, supersedes: string[], status: Item["status"] = "pending") =>
  proposalItem(id, { status, details: { supersedes } });

const refused: [string, Partial<RatifySituation>, RatifyRefusal][] = [
  ["an unknown proposal", { proposal: null }, { why: "unknown proposal" }],
  [
    "one that was ratified",
    { proposal: { ...proposal, status: "ratified" } },
    { why: "settled", id: "new", status: "ratified" },
  ],
  [
    "one that was rejected",
    { proposal: { ...proposal, status: "rejected" } },
    { why: "settled", id: "new", status: "rejected" },
  ],
  [
    "one whose decision came from elsewhere",
    { decisions: byId(decisionItem("new", 1)) },
    { why: "settled", id: "new", status: "pending" },
  ],
  ["no subject", { proposal: { ...proposal, title: null } }, { why: "no subject" }],
  ["a subject edited away", { edits: { subject: " " } }, { why: "no subject" }],
  ["a decision edited away", { edits: { decision: "\n" } }, { why: "no decision" }],
  [
    "a window that ends before it begins",
    { edits: { validFrom: 500, validUntil: 499 } },
    { why: "empty window", window: { from: 500, until: 499 } },
  ],
  [
    "a window without a moment",
    { edits: { validUntil: NOW } },
    { why: "empty window", window: { from: NOW, until: NOW } },
  ],
  ["an unknown predecessor", { proposal: proposing(["gone"]) }, { why: "unknown decision", id: "gone" }],
  [
    "one unknown among others",
    { proposal: proposing(["first", "gone"]), decisions: byId(first) },
    { why: "unknown decision", id: "gone" },
  ],
  [
    "a predecessor that waits itself",
    { proposal: proposing(["other"]), proposals: byId(waiting("other", [])) },
    { why: "not ratified", id: "other", status: "pending" },
  ],
  [
    "a predecessor that was turned down",
    { proposal: proposing(["other"]), proposals: byId(waiting("other", ["new"], "rejected")) },
    { why: "not ratified", id: "other", status: "rejected" },
  ],
  ["an edit that relates to nothing", { edits: { relates: ["gone"] } }, { why: "nothing to relate to", id: "gone" }],
  ["itself", { proposal: proposing(["new"]) }, { why: "cycle", ids: ["new", "new"] }],
  [
    "proposals that wait for each other",
    {
      proposal: proposing(["one"]),
      proposals: byId(waiting("one", ["side", "two"]), waiting("two", ["new"]), waiting("side", ["one"])),
    },
    { why: "cycle", ids: ["new", "one", "two", "new"] },
  ],
  [
    "a predecessor that has a successor",
    { proposal: proposing(["first"]), decisions: byId({ ...first, supersededBy: "second" }, second) },
    { why: "already superseded", id: "first", by: "second" },
  ],
  [
    "a predecessor that was forgotten",
    { proposal: proposing(["first"]), decisions: byId({ ...first, status: "archived" }) },
    { why: "forgotten", id: "first" },
  ],
  [
    "a predecessor that begins later",
    { proposal: proposing(["first"], { validFrom: 99 }), decisions: byId(first) },
    { why: "overlap", id: "first", window: { from: 100, until: null } },
  ],
  [
    "a predecessor from elsewhere that still holds",
    { decisions: byId({ ...first, supersededBy: "new" }) },
    { why: "overlap", id: "first", window: { from: 100, until: null } },
  ],
];
for (const [name, given, refusal] of refused)
  test(`not ratified: ${name}`, () => assert.deepEqual(planRatify(situation(given)), { refusal }));

test("a rejected proposal is kept with the reason", () => {
  const details = { ...proposal.details, reason: "too early", settled: settlement };
  assert.deepEqual(planReject(proposal, " too early\n", settlement), {
    changes: [revision("proposal", proposal, { status: "rejected", details })],
    answer: { status: "rejected", id: "new" },
  });
});

const notRejected: [string, Item | null, string, RatifyRefusal][] = [
  ["an unknown proposal", null, "too early", { why: "unknown proposal" }],
  [
    "a settled one",
    { ...proposal, status: "ratified" },
    "too early",
    { why: "settled", id: "new", status: "ratified" },
  ],
  ["without a reason", proposal, " ", { why: "no reason" }],
];
for (const [name, given, reason, refusal] of notRejected)
  test(`not rejected: ${name}`, () => assert.deepEqual(planReject(given, reason, settlement), { refusal }));
