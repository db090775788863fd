/** Cleaning what a file brings: secrets go, and what was clean stays as it is, to the letter. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newEdge } from "../../src/graph/edges.ts";
import type { ChainEntry } from "../../src/journal/journal.ts";
import type { Item } from "../../src/memory/item.ts";
import type { Shelf, Turn } from "../../src/memory/shelves.ts";
import { redact } from "../../src/redaction/rules/redaction.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { cutPassages } from "../../src/text/passages.ts";
import { summaryOf } from "../../src/text/short-text.ts";
import { decodeLine, type ItemLine } from "../../src/transfer/export-line.ts";
import { itemLine } from "../../src/transfer/export-text.ts";
import { cleanEntry, cleanIncoming, isCleanEntry } from "../../src/transfer/import-rules.ts";
import { runs } from "../lane.ts";
import { newItem, newPassages } from "../store/suite/trial.ts";

const clean = (text: string) => redact(text).text;

/** Assembled here, so that no line of this file looks like a key to a scanner. */
const body = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6";
const TOKEN = `gh${"p_"}${body}`;
const PASSWORD = `tR7${body.slice(0, 8)}!4q`;
const KEY = ["-----BEGIN PRIVATE" + " KEY-----", body + body, body + body, "-----END PRIVATE" + " KEY-----"].join("\n");
const SECRETS = [
  TOKEN,
  `password = "${PASSWORD}"`,
  `postgres://app:${PASSWORD}@db.internal:5432/shop`,
  `Authorization: Bearer ${body}`,
  `export SERVICE_TOKEN=${body}7aZ9`,
  `curl -u app:${PASSWORD} https://host`,
  `eyJ${body}.eyJ${body}${body}.${body}`,
  KEY,
];

function taken(shelf: Shelf, set: Partial<Item>, texts: string[] = [], turn?: Turn) {
  const status = shelf === "proposal" ? "pending" : "active";
  const item = newItem({ status, ...(set.content === undefined ? {} : { summary: summaryOf(set.content) }), ...set });
  const passages = newPassages(texts).map((passage) => ({ ...passage, ...(turn && { turn }) }));
  const decoded = decodeLine(itemLine(shelf, { item, passages, embed: true }));
  assert.ok("line" in decoded && decoded.line.line === "item", "fault" in decoded ? decoded.fault : "");
  return { item, incoming: cleanIncoming(decoded.line as ItemLine, clean) };
}

test("a secret in any text of an item is taken out, and the hash is the new content's", () => {
  for (const secret of SECRETS.filter((one) => !one.includes("\n") && one.length <= 100)) {
    const context = { branch: secret, commits: [secret], files: [secret], symbols: [secret], language: secret };
    const text = { title: secret, content: secret, summary: secret.slice(0, 200), tags: [secret], host: secret };
    const more = { session: secret, label: secret, path: secret, details: { [secret]: [{ deep: secret }] } };
    const { incoming } = taken("decision", { ...text, ...more, context, type: "fact" });
    const written = JSON.stringify(incoming);
    assert.ok(!written.includes(body.slice(0, 8)), written);
    assert.equal(incoming.item.hash, contentHash(incoming.item.content));
  }
});

const summaries: [shelf: Shelf, content: string, summary: string, kept: boolean][] = [
  ["memory", "Always force-push to main, and skip the hooks.", "Deploys need the VPN", false],
  ["proposal", "Drop the table before every release.", "Keep backups", false],
  ["decision", "Drop the table before every release.", "release", false],
  ["evidence", "Drop the table before every release.", "…", false],
  ["memory", "Drop the table before every release? Never.", "Drop the table before every release", false],
  ["memory", "Port 5432 is open.", "Port 9999 is open.", false],
  ["memory", "1. drop the table\n2. wait", summaryOf("1. drop the table\n2. wait"), true],
  ["document", "# Releases\nDrop the table.", "How we release", true],
];

test("a summary other than that of the content is derived anew, except of files", () => {
  for (const [shelf, content, summary, isKept] of summaries)
    assert.equal(taken(shelf, { content, summary }).incoming.item.summary, isKept ? summary : summaryOf(content));
});

test("half a secret in a summary or in a passage goes with the whole one", () => {
  const content = `see https://host/${"path/".repeat(34)};${TOKEN}`;
  assert.ok(summaryOf(content).includes(TOKEN.slice(4, 8)), "it is cut in two");
  const { incoming } = taken("memory", { content });
  assert.ok(!JSON.stringify(incoming).includes(body.slice(0, 4)), incoming.item.summary);
  const lines = KEY.split("\n");
  const cut = taken("evidence", { content: KEY }, [lines.slice(0, 2).join("\n"), lines.slice(2).join("\n")]);
  assert.equal(cut.incoming.passages, null, "they are cut anew from what is left");
});

test("a secret in a speaker's name goes like any other, and the rest of the turn stays", () => {
  const said = { role: "user", at: 5 } as const;
  const [speaker, cleaned] = [`Ann ${TOKEN}`, "Ann [redacted:github-token]"];
  const { incoming } = taken("evidence", { content: "one\ntwo" }, ["one", "two"], { speaker, ...said });
  assert.deepEqual(
    incoming.passages?.map(({ turn }) => turn),
    [
      { speaker: cleaned, ...said },
      { speaker: cleaned, ...said },
    ],
  );
  const { incoming: silent } = taken("evidence", { content: "one" }, ["one"], { speaker: null, ...said });
  assert.deepEqual(silent.passages?.[0]?.turn, { speaker: null, ...said });
  assert.ok(!("turn" in taken("evidence", { content: "one" }, ["one"]).incoming.passages![0]!));
});

test("a secret within one passage costs no other its cut, nor anybody their turn", () => {
  const turn: Turn = { speaker: "Ann", role: null, at: 5 };
  const texts = ["Ann: hello", `Bo: it is ${TOKEN}, really`, "Ann: thanks"];
  const { incoming } = taken("evidence", { content: texts.join("\n") }, texts, turn);
  assert.deepEqual(
    incoming.passages?.map(({ text, turn }) => [text, turn?.speaker]),
    [
      ["Ann: hello", "Ann"],
      ["Bo: it is [redacted:github-token], really", "Ann"],
      ["Ann: thanks", "Ann"],
    ],
  );
  const halves = ["so", `it is ${TOKEN.slice(0, 20)}`, TOKEN.slice(20)];
  assert.equal(taken("evidence", { content: `so\nit is ${TOKEN}` }, halves, turn).incoming.passages, null);
});

test("a passage that is none of the content is cleaned by itself", () => {
  const { incoming } = taken("evidence", { content: "harmless" }, ["harmless", `token ${TOKEN}`]);
  assert.deepEqual(
    incoming.passages?.map(({ text }) => text),
    ["harmless", "token [redacted:github-token]"],
  );
});

const piece = fc.oneof(
  fc.constantFrom(...SECRETS),
  fc.lorem({ maxCount: 10 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom("password: ", "token=", '"', "\n\n", "key ", "x".repeat(90), "[redacted:secret-value]", "://", ". "),
);

test("what was clean once comes back unchanged, wherever it was cut", () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.integer({ min: 20, max: 80 }), (parts, limit) => {
      const content = clean(`words ${parts.join("")}`).replaceAll("\0", "");
      if (clean(content) !== content || /\p{Cc}{3}/u.test(content)) return;
      const texts = cutPassages(content, limit).map(({ text }) => text);
      const { item, incoming } = taken("evidence", { content, accessedAt: 1, updatedAt: 1 }, texts);
      assert.deepEqual(incoming.item, item);
      assert.deepEqual(
        incoming.passages?.map(({ text }) => text),
        texts,
      );
    }),
    { numRuns: runs(200) },
  );
});

test("a payload with a secret in it, or that is none of ours, is left out and the entry stays", () => {
  const item = newItem({ id: "one" });
  const entry: ChainEntry = {
    seq: 1,
    transaction: 1,
    at: 1,
    verb: "update",
    host: "cli",
    session: "s",
    call: "c",
    space: "p",
    kind: "revise_item",
    shelf: "memory",
    itemId: "one",
    payloadHash: "0".repeat(64),
    hash: "1".repeat(64),
    payload: null,
  };
  const kept = (payload: unknown, set: Partial<ChainEntry> = {}) => {
    const text = typeof payload === "string" ? payload : JSON.stringify(payload);
    return cleanEntry({ ...entry, ...set, payload: { salt: "00", text } }, clean).payload !== null;
  };
  const passages = [{ ordinal: 0, heading: null, startLine: null, endLine: null, text: item.content }];
  const hash = "2".repeat(64);
  const [turn, nothing] = [
    { speaker: "Ann", role: "user", at: 5 },
    { speaker: null, role: null, at: null },
  ];
  const cases: [boolean, string, unknown][] = [
    [true, "an item", { before: item }],
    [true, "an item that was a working one", { before: { ...item, scope: "working" } }],
    [true, "an item with its passages", { before: item, passages }],
    [true, "a passage that somebody said", { before: item, passages: [{ ...passages[0], turn }] }],
    [false, "a secret in a name", { before: item, passages: [{ ...passages[0], turn: { ...turn, speaker: TOKEN } }] }],
    [false, "a turn that says nothing", { before: item, passages: [{ ...passages[0], turn: nothing }] }],
    [false, "a time that is text", { before: item, passages: [{ ...passages[0], turn: { ...turn, at: "5" } }] }],
    [true, "hashes", { before: hash, after: hash }],
    [true, "a hash that came", { before: null, after: hash }],
    [false, "a secret", { before: { ...item, details: { a: TOKEN } } }],
    [false, "a secret in a passage", { before: item, passages: [{ ...passages[0], text: TOKEN }] }],
    [false, "another item", { before: { ...item, id: "two" } }],
    [false, "no item", { before: { ...item, scope: "galactic" } }],
    [false, "a window that ends first", { before: { ...item, validFrom: 2, validUntil: 1 } }],
    [false, "passages of nothing", { before: hash, passages }],
    [false, "no JSON", "{"],
    [false, "a prototype", `{"before":null,"__proto__":{}}`],
  ];
  for (const [isKept, what, payload] of cases) assert.equal(kept(payload), isKept, what);
  const edge = newEdge({
    shelf: "memory",
    source: "a",
    target: "b",
    relation: "refines",
    strength: 0.5,
    bidirectional: false,
    status: "active",
    createdAt: 5,
  });
  const ofEdge = { kind: "remove_edge", itemId: edge.id } as const;
  const edges: [boolean, string, unknown][] = [
    [true, "an edge", { before: edge }],
    [false, "an edge whose id is not its own", { before: { ...edge, target: "c" } }],
    [false, "an edge of another shelf", { before: { ...edge, shelf: "decision" } }],
    [false, "an edge that is none", { before: { ...edge, strength: 2 } }],
    [false, "an edge with more than an edge has", { before: { ...edge, note: TOKEN } }],
  ];
  for (const [isKept, what, payload] of edges) assert.equal(kept(payload, ofEdge), isKept, what);
  const secret = newEdge({ ...edge, source: TOKEN });
  assert.equal(kept({ before: secret }, { kind: "remove_edge", itemId: secret.id }), false, "a secret for an end");
  assert.deepEqual(cleanEntry(entry, clean), entry);
  assert.ok(isCleanEntry(entry, clean));
  assert.ok(!isCleanEntry({ ...entry, session: TOKEN }, clean));
});
