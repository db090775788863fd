/** The lines of an export, by properties: what goes out comes back, and nothing else gets in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EdgeStatus, Relation } from "../../src/graph/edge.ts";
import { EDGE_SHELVES, newEdge } from "../../src/graph/edges.ts";
import { JOURNALED_KINDS } from "../../src/journal/journal.ts";
import { SOURCES } from "../../src/memory/item-fields.ts";
import type { Item } from "../../src/memory/item.ts";
import { carriesPassages, MEMORY_TYPES, ROLES, SHELVES } from "../../src/memory/shelves.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { textFault } from "../../src/text/text.ts";
import { type Decoded, decodeHeader, decodeLine } from "../../src/transfer/export-line.ts";
import {
  accessLine,
  edgeLine,
  entryLine,
  headerLine,
  headLine,
  isUnaccessed,
  itemLine,
} from "../../src/transfer/export-text.ts";
import { runs } from "../lane.ts";
import { newItem, newPassages } from "../store/suite/trial.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.constantFrom("\u2028", 'a "quote" \\', "日本", "e\u0301", "[redacted:github-token]", " ", "\ufeff"),
);
const content = text.filter((one) => textFault(one) === null);
const oneLine = text.filter((one) => textFault(one) === null && !/[\n\r\u2028\u2029]/.test(one));
const id = fc.uuid({ version: 7 });
const time = fc.integer({ min: -8.64e15, max: 8.64e15 });
const count = fc.nat(1_000_000_000);
const maybe = <T>(some: fc.Arbitrary<T>) => fc.option(some);
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(model, { noNullPrototype: true });
const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), minLength: 64, maxLength: 64 });
const shelf = fc.constantFrom(...SHELVES);
const scope = fc.constantFrom("project" as const, "global" as const);
const details = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

const item: fc.Arbitrary<Item> = fc
  .record({
    id,
    type: fc.constantFrom(...MEMORY_TYPES),
    scope,
    status: fc.constantFrom("active", "archived", "superseded", "pruned"),
    title: maybe(oneLine),
    content,
    summary: text,
    background: maybe(content),
    tags: fc.array(oneLine, { maxLength: 3 }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    priority: fc.integer({ min: 1, max: 10 }),
    pinned: fc.boolean(),
    source: fc.constantFrom(...SOURCES),
    host: text,
    session: text,
    context: plain({
      branch: maybe(text),
      commits: fc.array(text, { maxLength: 2 }),
      files: fc.array(text, { maxLength: 2 }),
      symbols: fc.array(text, { maxLength: 2 }),
      language: maybe(text),
    }),
    label: maybe(text),
    path: maybe(text),
    version: fc.integer({ min: 1, max: 1_000_000_000 }),
    createdAt: time,
    updatedAt: time,
    accessedAt: time,
    accessCount: count,
    expiresAt: maybe(time),
    validFrom: maybe(time),
    validUntil: fc.constant(null),
    supersededBy: maybe(id),
    // A key that would be a prototype is refused, and -0 is written as 0.
    details: details.map((one) => JSON.parse(JSON.stringify(one).replaceAll("__proto__", "proto")) as Item["details"]),
  })
  .map((one) => ({ ...one, hash: contentHash(one.content), confidence: one.confidence + 0 }));

function lineOf<T>(decoded: Decoded<T>): T {
  assert.ok("line" in decoded, "fault" in decoded ? decoded.fault : "");
  return decoded.line;
}

const faultOf = <T>(decoded: Decoded<T>): string => ("fault" in decoded ? decoded.fault : assert.fail("no fault"));

test("an item comes back as it went out, and is spelt the same again", () => {
  const bare = { heading: maybe(text), startLine: maybe(count), endLine: maybe(count), text };
  const said = plain({ speaker: maybe(oneLine), role: maybe(fc.constantFrom(...ROLES)), at: maybe(time) });
  const turn = said.filter((one) => Object.values(one).some((part) => part !== null));
  const passage = fc.oneof(plain(bare), plain({ ...bare, turn }));
  fc.assert(
    fc.property(shelf, item, fc.array(passage, { maxLength: 3 }), fc.boolean(), (name, drawn, cut, embed) => {
      const one: Item = { ...drawn, status: name === "proposal" ? "pending" : drawn.status };
      const passages = cut.map((piece, ordinal) => ({ ...piece, ordinal, tokens: null }));
      const written = itemLine(name, { item: one, passages, embed });
      assert.ok(!written.includes("\n"));
      const line = lineOf(decodeLine(written));
      assert.ok(line.line === "item");
      const { accessedAt: _, accessCount: __, ...said } = one;
      const whole = carriesPassages(name) ? { embed, passages: cut } : {};
      assert.deepEqual({ ...line }, { line: "item", shelf: name, ...said, ...whole });
      const again = { item: { ...one, ...line, details: line.details } as Item, passages, embed };
      assert.equal(itemLine(name, again), written);
    }),
    { numRuns: runs(150) },
  );
});

test("access, entries and heads come back as they went out", () => {
  const payload = maybe(plain({ salt: hex.map((one) => one.slice(0, 32)), text }));
  const entry = plain({
    seq: count.filter((one) => one > 0),
    transaction: count.filter((one) => one > 0),
    at: time,
    verb: text,
    host: text,
    session: text,
    call: text,
    space: text,
    kind: fc.constantFrom(...JOURNALED_KINDS),
    shelf,
    itemId: id,
    payloadHash: maybe(hex),
    hash: hex,
    payload,
  });
  fc.assert(
    fc.property(shelf, item, scope, entry, hex, (name, one, store, link, hash) => {
      const { id: itemId, accessedAt, accessCount } = one;
      const access = { scope: store, id: itemId, accessedAt, accessCount };
      assert.deepEqual(lineOf(decodeLine(accessLine(name, access))), { line: "access", shelf: name, ...access });
      assert.deepEqual(lineOf(decodeLine(entryLine(store, link))), { line: "entry", store, ...link });
      const former = entryLine(store, link).replace('"transaction":', '"changeSet":');
      assert.deepEqual(lineOf(decodeLine(former)), { line: "entry", store, ...link }, "of a development version");
      const head = { length: link.seq, hash };
      assert.deepEqual(lineOf(decodeLine(headLine(store, head))), { line: "head", store, ...head });
    }),
  );
});

test("an edge comes back as it went out, but for its id, which follows from the rest", () => {
  const edge = plain({
    shelf: fc.constantFrom(...EDGE_SHELVES),
    source: id,
    target: id,
    relation: fc.constantFrom(...Relation.options),
    strength: fc.double({ min: 0, max: 1, noNaN: true }).map((one) => one + 0),
    bidirectional: fc.boolean(),
    status: fc.constantFrom(...EdgeStatus.options),
    createdAt: time,
  });
  fc.assert(
    fc.property(scope, edge, (store, one) => {
      const line = edgeLine(store, newEdge(one));
      if (one.source === one.target) assert.match(faultOf(decodeLine(line)), /target/);
      else assert.deepEqual(lineOf(decodeLine(line)), { line: "edge", store, ...one });
    }),
    { numRuns: runs(50) },
  );
});

test("the header tells the format and nothing of time or machine", () => {
  assert.equal(headerLine(), '{"stele":"export","format":1}');
  assert.equal(lineOf(decodeHeader(headerLine())), null);
  for (const [format, next] of [
    [2, /newer version of Stele here/],
    [0, /Export again/],
  ] as const) {
    const decoded = decodeHeader(`{"stele":"export","format":${format}}`);
    assert.match(faultOf(decoded), new RegExp(`format ${format}`));
    assert.match(("next" in decoded && decoded.next) || "", next);
  }
  for (const other of ["", "{}", "[]", '{"stele":"backup","format":1}', '{"stele":"export","format":1,"at":5}']) {
    assert.match(faultOf(decodeHeader(other)), /^is not the header/, other);
  }
});

test("who has not been looked at since the writing needs no line", () => {
  assert.ok(isUnaccessed(newItem({ updatedAt: 5, accessedAt: 5, accessCount: 0 })));
  assert.ok(!isUnaccessed(newItem({ updatedAt: 5, accessedAt: 6, accessCount: 0 })));
  assert.ok(!isUnaccessed(newItem({ updatedAt: 5, accessedAt: 5, accessCount: 1 })));
});

const SECRET = "S3CRET";
const good = JSON.parse(
  itemLine("memory", { item: newItem({ content: "a fact" }), passages: [], embed: true }),
) as object;
const whole = JSON.parse(
  itemLine("evidence", { item: newItem(), passages: newPassages(["one"]), embed: true }),
) as object;

const faults: [why: string, set: Record<string, unknown>, said: RegExp][] = [
  ["an unknown key", { [SECRET]: 1 }, /unknown key/],
  ["a key too few", { tags: undefined }, /^has no tags$/],
  ["a kind of line that is none", { line: SECRET }, /unknown kind/],
  ["a shelf that is none", { shelf: SECRET }, /unknown shelf/],
  ["passages where a rule cuts them", { passages: [] }, /unknown key/],
  ["a type that is none", { type: SECRET }, /wrong type/],
  ["a working memory", { scope: "working" }, /wrong scope/],
  ["a status that is none", { status: SECRET }, /wrong status: it must be one of active, archived, /],
  ["a memory that was ratified", { status: "ratified" }, /wrong status: it is one that a memory never has$/],
  ["a hash that is another's", { content: SECRET }, /hash/],
  ["a hash that is none", { hash: SECRET }, /wrong hash/],
  ["no content", { content: "  " }, /wrong content/],
  ["too much content", { content: SECRET.repeat(200_000) }, /wrong content/],
  ["binary content", { content: "\u0001\u0002\u0003" }, /wrong content/],
  ["a title of two lines", { title: `${SECRET}\nb` }, /wrong title/],
  ["a long title", { title: SECRET.repeat(50) }, /wrong title/],
  ["a long summary", { summary: "é".repeat(201) }, /wrong summary/],
  ["a tag of two lines", { tags: ["a\u2028b"] }, /wrong tags\.0/],
  ["too many tags", { tags: Array.from({ length: 51 }, (_, tag) => `t${tag}`) }, /wrong tags/],
  ["a confidence above 1", { confidence: 1.1 }, /wrong confidence: it must be at most 1$/],
  ["half a priority", { priority: 5.5 }, /wrong priority: it must be a whole number$/],
  ["version 0", { version: 0 }, /wrong version/],
  ["a version that cannot be counted on", { version: 2 ** 53 }, /wrong version/],
  ["an id with a space", { id: `${SECRET} x` }, /wrong id/],
  ["an id that moves the cursor", { id: "\u001b[2J" }, /wrong id/],
  ["a time that is a number", { createdAt: 5 }, /wrong createdAt: it must be text$/],
  ["a day that is none", { createdAt: "2026-02-31T00:00:00.000Z" }, /wrong createdAt/],
  ["a time spelt otherwise", { createdAt: "2026-02-01T00:00:00Z" }, /wrong createdAt/],
  [
    "a window that ends first",
    { validFrom: "2026-02-01T00:00:00.000Z", validUntil: "2026-01-01T00:00:00.000Z" },
    /wrong validUntil/,
  ],
  ["a stranger in the context", { context: { [SECRET]: 1 } }, /context/],
  ["a background that is none", { background: " " }, /wrong background/],
  ["a background of control characters", { background: "\u0001\u0002\u0003\u0004" }, /wrong background/],
  ["a list of details", { details: [SECRET] }, /wrong details/],
  ["a NUL", { title: `${SECRET}\0` }, /NUL/],
  ["a NUL far inside", { details: { a: [{ b: "\0" }] } }, /NUL/],
  ["a NUL in a name", { details: { "\0": 1 } }, /NUL/],
  ["half a character", { details: { a: "\ud800" } }, /surrogate/],
];
for (const [why, set, said] of faults) {
  test(`refused without repeating it: ${why}`, () => {
    const fault = faultOf(decodeLine(JSON.stringify({ ...good, ...set })));
    assert.match(fault, said);
    assert.ok(!fault.includes(SECRET), fault);
    assert.doesNotMatch(fault, /Invalid|Too (big|small)|expected|received/);
  });
}

test("what could hurt whoever handles it is refused before it is handled", () => {
  const written = JSON.stringify(good);
  const withDetails = (text: string) => written.replace('"details":{}', `"details":${text}`);
  for (const text of ['{"__proto__":{"x":1}}', '{"a":[{"__proto__":null}]}']) {
    assert.match(faultOf(decodeLine(withDetails(text))), /not allowed/);
  }
  const deep = 200_000;
  assert.match(faultOf(decodeLine(withDetails(`{"a":${"[".repeat(deep)}${"]".repeat(deep)}}`))), /nested/);
  assert.match(faultOf(decodeLine(withDetails('{"a":1e999}'))), /number/);
  for (const text of ["", "{", "null", "3", '"item"', "[]", `${written}x`]) faultOf(decodeLine(text));
});

test("passages of what was not cut by rule are demanded, and judged", () => {
  lineOf(decodeLine(JSON.stringify(whole)));
  for (const set of [{ passages: undefined }, { embed: undefined }, { embed: 1 }, { passages: [{ text: "x" }] }]) {
    assert.match(faultOf(decodeLine(JSON.stringify({ ...whole, ...set }))), /(has no|wrong) (embed|passages)/);
  }
});

const TURN = { speaker: "Ann", role: "user", at: "2026-02-01T00:00:00.000Z" };
const turns: [why: string, turn: unknown, said: RegExp | null][] = [
  ["somebody, in a part, at a time", TURN, null],
  ["somebody alone", { ...TURN, role: null, at: null }, null],
  ["a name that redaction has lengthened", { ...TURN, speaker: "[redacted:secret-value] ".repeat(20).trim() }, null],
  ["no name, part and time", { speaker: null, role: null, at: null }, /wrong passages\.0\.turn/],
  ["no turn, said aloud", null, /wrong passages\.0\.turn/],
  ["a list", [TURN], /wrong passages\.0\.turn/],
  ["an unknown key", { ...TURN, [SECRET]: 1 }, /unknown key in passages\.0\.turn/],
  ["a key too few", { speaker: "Ann", role: "user" }, /has no passages\.0\.turn\.at/],
  ["an empty name", { ...TURN, speaker: "" }, /wrong passages\.0\.turn\.speaker/],
  ["a name of two lines", { ...TURN, speaker: `${SECRET}\nuser: b` }, /wrong passages\.0\.turn\.speaker/],
  ["a long name", { ...TURN, speaker: SECRET.repeat(40) }, /wrong passages\.0\.turn\.speaker/],
  ["a name that is a number", { ...TURN, speaker: 5 }, /wrong passages\.0\.turn\.speaker/],
  ["a NUL", { ...TURN, speaker: `${SECRET}\0` }, /NUL/],
  ["half a character", { ...TURN, speaker: "\ud800" }, /surrogate/],
  ["a part that is none", { ...TURN, role: SECRET }, /wrong passages\.0\.turn\.role/],
  ["a time that is a number", { ...TURN, at: 5 }, /wrong passages\.0\.turn\.at/],
  ["a day that is none", { ...TURN, at: "2026-02-31T00:00:00.000Z" }, /wrong passages\.0\.turn\.at/],
];
for (const [why, turn, said] of turns) {
  test(`who said a passage: ${why} is ${said ? "refused" : "taken"}`, () => {
    const cut = { heading: null, startLine: null, endLine: null, text: "one", turn };
    const decoded = decodeLine(JSON.stringify({ ...whole, passages: [cut] }));
    if (said === null) return void lineOf(decoded);
    assert.match(faultOf(decoded), said);
    assert.ok(!faultOf(decoded).includes(SECRET));
  });
}

test("a passage that nobody in particular said is spelt as before there were turns", () => {
  const written = itemLine("evidence", { item: newItem(), passages: newPassages(["one"]), embed: true });
  assert.ok(written.endsWith('"passages":[{"heading":null,"startLine":null,"endLine":null,"text":"one"}]}'), written);
});

test("a file may be empty and hash otherwise; evidence may not", () => {
  const set = { content: "", title: "a\nb", hash: "0".repeat(64) };
  lineOf(decodeLine(JSON.stringify({ ...whole, ...set, shelf: "document" })));
  faultOf(decodeLine(JSON.stringify({ ...whole, ...set })));
});

test("what redaction has lengthened still fits", () => {
  const placeholders = "[redacted:secret-value] ".repeat(60_000).trim();
  const set = { content: placeholders, hash: contentHash(placeholders), title: placeholders.slice(0, 600) };
  lineOf(decodeLine(JSON.stringify({ ...good, ...set })));
});
