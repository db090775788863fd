/** Keeping evidence, on real stores: word for word, once, cut where the speakers change, without secrets. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type EvidenceRequest, keepEvidence } from "../../src/decisions/evidence.ts";
import { contextOf, provenanceIn } from "../../src/memory/authorship.ts";
import { newItem } from "../../src/memory/item-changes.ts";
import { passagesOf as cut } from "../../src/memory/passages.ts";
import { redactor } from "../../src/redaction/redact.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { PASSAGE_LIMIT_CHARACTERS } from "../../src/text/passages.ts";
import { oneLine } from "../../src/text/short-text.ts";
import { turnsIn } from "../../src/text/turns.ts";
import { exportItems } from "../../src/transfer/export.ts";
import { importItems } from "../../src/transfer/import.ts";
import { ask, itemIn, temporaryFolder, type TestWorld, testWorld } from "../test-world.ts";
import { EVERYTHING } from "../transfer/export-rounds.ts";

const AT = Date.UTC(2023, 4, 8, 13, 56);
const TALK: EvidenceRequest["turns"] = [
  { speaker: "Caroline", text: "Caroline: I went to a pottery class yesterday.", at: AT },
  { speaker: "Melanie", text: "Melanie: How did the bowl turn out?", at: AT + 60_000 },
  { role: "assistant", text: "assistant: Noted." },
  { text: "They left." },
];

/** For what needs no empty home; each test keeps words of its own. */
const settled = testWorld();

/** The passages of an item: text, turn and whether their wordpieces are there. */
async function passagesOf(world: TestWorld, id: string) {
  const all = await world.project.walk("evidence", { after: null, limit: 1_000 });
  const { passages, embed } = all.find(({ item }) => item.id === id)!;
  return { passages, embed, turns: passages.map(({ turn }) => turn) };
}

test("what was said is kept word for word, each turn with its speaker, part and time", async () => {
  const world = await settled;
  const kept = await keepEvidence({ turns: TALK, title: "Pottery", session: "monday", at: AT }, world);
  assert.deepEqual([kept.status, kept.redactions], ["stored", []]);
  const item = (await itemIn(world, kept.id, { shelf: "evidence" }))!;
  const content = TALK.map(({ text }) => text).join("\n");
  assert.deepEqual(
    [item.content, item.hash, item.title, item.session],
    [content, contentHash(content), "Pottery", "monday"],
  );
  assert.deepEqual(
    [item.type, item.status, item.createdAt, item.updatedAt],
    ["evidence", "active", AT, world.clock.now()],
  );
  const { passages, embed, turns } = await passagesOf(world, kept.id);
  assert.deepEqual(
    passages.map(({ ordinal, text }) => [ordinal, text]),
    TALK.map(({ text }, ordinal) => [ordinal, text]),
  );
  assert.deepEqual(turns, [
    { speaker: "Caroline", role: null, at: AT },
    { speaker: "Melanie", role: null, at: AT + 60_000 },
    { speaker: null, role: "assistant", at: null },
    undefined,
  ]);
  assert.ok(embed && passages.every(({ tokens }) => tokens !== null && tokens.length > 0));
  assert.deepEqual(await world.project.speakers("evidence", ["melanie"]), ["Melanie"]);
});

test("a long turn becomes several passages, each said by the same", async () => {
  const world = await settled;
  const long = "Gina: a sentence about dancing. ".repeat(100);
  const { id } = await keepEvidence(
    {
      turns: [
        { speaker: "Gina", text: long },
        { speaker: "Jon", text: "Jon: yes" },
      ],
    },
    world,
  );
  const { passages, turns } = await passagesOf(world, id);
  assert.ok(passages.length > 3 && passages.every(({ text }) => text.length <= PASSAGE_LIMIT_CHARACTERS));
  assert.deepEqual(
    passages.map(({ ordinal }) => ordinal),
    [...passages.keys()],
  );
  assert.deepEqual(new Set(turns.slice(0, -1).map((turn) => turn?.speaker)), new Set(["Gina"]));
  assert.equal(turns.at(-1)?.speaker, "Jon");
});

test("lines are counted through all turns, and a missing vocabulary is told once", async () => {
  const world = await testWorld();
  const tokenizer = { encode: () => Promise.reject(new Error("no vocabulary")) };
  const turns = [{ text: "a\nb" }, { text: "\nc" }, { text: "d\n" }, { text: "e" }];
  const { id } = await keepEvidence({ turns }, { ...world, tokenizer });
  const { content } = (await itemIn(world, id, { shelf: "evidence" }))!;
  const { passages } = await passagesOf(world, id);
  assert.deepEqual(
    passages.map(({ text, startLine, endLine }) => [text, startLine, endLine]),
    [
      ["a\nb", 1, 2],
      ["c", 4, 4],
      ["d", 5, 5],
      ["e", 7, 7],
    ],
  );
  const lines = content.split("\n");
  for (const { text, startLine, endLine } of passages) {
    assert.equal(lines.slice(startLine! - 1, endLine!).join("\n"), text);
  }
  assert.deepEqual([passages.every(({ tokens }) => tokens === null), world.warnings.length], [true, 1]);
});

test("equal text is kept once, whoever is said to have said it, also by two at once", async () => {
  const world = await settled;
  const turns = [{ text: "The heron was here" }, { text: "and has gone" }];
  const request = { turns };
  const [one, two] = await Promise.all([keepEvidence(request, world), keepEvidence(request, world)]);
  assert.deepEqual([one.status, two.status].toSorted(), ["duplicate", "stored"]);
  assert.equal(one.id, two.id);
  const again = await keepEvidence({ turns: turns.map((turn) => ({ ...turn, speaker: "Ann" })), title: "x" }, world);
  assert.deepEqual([again.status, again.id], ["duplicate", one.id]);
  assert.deepEqual((await passagesOf(world, one.id)).turns, [undefined, undefined]);
});

const TOKEN = `gh${"p_"}aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6`;

test("secrets are taken out of text, name and title, and no byte of them reaches the disk", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const turns = [
    { speaker: `Ann ${TOKEN}`, text: `Ann: it is ${TOKEN}` },
    { speaker: "Bo", text: "Bo: thanks" },
  ];
  const { id, redactions } = await keepEvidence({ turns, title: `about ${TOKEN}` }, world);
  assert.deepEqual(redactions, [{ rule: "github-token", count: 3 }]);
  const { passages, turns: said } = await passagesOf(world, id);
  assert.deepEqual(
    passages.map(({ text }) => text),
    ["Ann: it is [redacted:github-token]", "Bo: thanks"],
  );
  assert.equal(said[0]?.speaker, "Ann [redacted:github-token]");
  await Promise.all([world.project.close(), world.global.close()]);
  assert.ok(!readFileSync(join(folder, "project.db"), "latin1").toLowerCase().includes(TOKEN.slice(4).toLowerCase()));
});

test("a secret that begins in one turn and ends in the next is taken out of both", async () => {
  const world = await settled;
  const [begin, end] = ["-----BEGIN PRIVATE" + " KEY-----", "-----END PRIVATE" + " KEY-----"];
  const body = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6".repeat(2);
  const turns = [
    { speaker: "Ann", text: `Ann: here you are\n${begin}\n${body}` },
    { speaker: "Ann", text: `${body}\n${end}\nand that is all` },
  ];
  const { id } = await keepEvidence({ turns }, world);
  const item = (await itemIn(world, id, { shelf: "evidence" }))!;
  const { passages, turns: said } = await passagesOf(world, id);
  for (const text of [item.content, item.summary, ...passages.map(({ text }) => text)]) {
    assert.ok(!text.includes(body.slice(0, 12)), text);
  }
  assert.match(item.content, /^Ann: here you are\n\[redacted:.*\]\nand that is all$/s);
  assert.deepEqual(said, [undefined], "nobody can say any more who said what");
});

test("names are made one line, and times that no clock tells are left out", async () => {
  const world = await settled;
  const odd = [
    { speaker: "Ann\nsystem:\0 Lee ", at: NaN, text: "odd one" },
    { speaker: "  ", at: Infinity, text: "odd two" },
    { speaker: "x".repeat(5_000), at: 5.5, text: "odd three" },
  ];
  const { id } = await keepEvidence({ turns: odd, at: NaN, title: "" }, world);
  assert.deepEqual((await passagesOf(world, id)).turns, [
    { speaker: "Ann system: Lee", role: null, at: null },
    undefined,
    { speaker: "x".repeat(100), role: null, at: 5 },
  ]);
  const item = (await itemIn(world, id, { shelf: "evidence" }))!;
  assert.deepEqual([item.title, item.createdAt], [null, world.clock.now()]);
});

test("what is no text is refused, and nothing of it is kept", async () => {
  const world = await testWorld();
  const cases = [[], [""], [" ", "\n"], ["a\0b"], ["\ud800"], ["x".repeat(600_000), "y".repeat(600_000)]];
  for (const texts of cases) {
    const turns = texts.map((text) => ({ text }));
    await assert.rejects(keepEvidence({ turns }, world), { code: "invalid_input" }, JSON.stringify(texts).slice(0, 40));
  }
  assert.deepEqual(await world.project.walk("evidence", { after: null, limit: 9 }), []);
});

test("whatever was kept comes home from an export, turns and all", async () => {
  const [here, there] = [await testWorld(), await testWorld()];
  const written = "USER: why?\nO'Brien: because\nof that\nUSER: ah\nO'Brien: hm\n";
  await keepEvidence({ turns: TALK, title: "Pottery", at: AT }, here);
  await keepEvidence({ turns: turnsIn(written).map((turn) => ({ ...turn, at: AT })) }, here);
  await keepEvidence({ turns: [{ speaker: "Ann\nLee", text: "said\u2028so", at: 1e20 }] }, here);
  const out = async (world: TestWorld) => (await exportItems({ ...EVERYTHING, path: "out.jsonl" }, world)).path;
  const answer = await importItems({ path: await out(here) }, there);
  assert.deepEqual([answer.inserted, answer.conflictCount], [3, 0]);
  const text = readFileSync(await out(here), "utf8");
  assert.equal(readFileSync(await out(there), "utf8"), text);
  for (const part of ['"speaker":"Melanie"', '"role":"assistant"', '"at":"2023-05-08T13:56:00.000Z"', `"O'Brien"`]) {
    assert.ok(text.includes(part), part);
  }
  assert.deepEqual((await there.project.speakers("evidence", ["o'brien", "ANN LEE"])).toSorted(), [
    "Ann Lee",
    "O'Brien",
  ]);
});

test("title and session become one clean line of 200 characters at most", async () => {
  const world = await settled;
  const lines: [given: string, kept: string | null, why: string][] = [
    ["Minutes\r\nof\u2028Monday\t ", "Minutes of Monday", "line breaks"],
    ["\u001b[31mred\u0000 \u009bend\u007f", "[31mred end", "control characters"],
    ["\ud800\ud800 a \udc00\ufffd", "a", "halves of characters, and what could not be decoded"],
    [" \n\u0085\ud800", null, "nothing left"],
    ["x".repeat(5_000), "x".repeat(200), "too long"],
    ["x" + "😀".repeat(300), "x" + "😀".repeat(99), "no character is halved"],
    [`about ${TOKEN}`, "about [redacted:github-token]", "a secret"],
    [`${"x".repeat(190)} ${TOKEN}`, `${"x".repeat(190)} [redacted`, "the end of a placeholder"],
  ];
  for (const [index, [given, kept, why]] of lines.entries()) {
    const turns = [{ text: `line ${index}` }];
    const { id } = await keepEvidence({ turns, title: given, session: given }, world);
    const { title, session } = (await itemIn(world, id, { shelf: "evidence" }))!;
    assert.deepEqual([title, session], [kept, kept ?? world.origin.session], why);
  }
});

test("an unknown role is refused, and nothing is kept", async () => {
  const world = await testWorld();
  for (const role of ["", "User", "narrator", 7]) {
    const turns = [
      { text: "one", role: "user" },
      { text: "two", role },
    ] as EvidenceRequest["turns"];
    await assert.rejects(keepEvidence({ turns }, world), { code: "invalid_input", message: "Unknown role." });
  }
  assert.deepEqual(await world.project.walk("evidence", { after: null, limit: 9 }), []);
  const turns = [{ text: "one", role: null }, { text: "two" }];
  assert.equal((await keepEvidence({ turns }, world)).status, "stored");
});

const HEX = "0123456789abcdef";
const HOSTILE = [
  "\ud800\ud800\ud800",
  "\ufffd".repeat(50),
  "a\u2028b\u2029c\r\nd\u0085e",
  "\u0000\u0001\u001b]0;title\u0007",
  "😀".repeat(500),
  `x${"😀".repeat(500)}`,
  `${TOKEN} ${TOKEN} ${TOKEN}`.repeat(40),
  `password=${TOKEN}`.repeat(30),
  ...[160, 170, 180, 190, 199].map((length) => `${"y".repeat(length)} ${TOKEN} ${TOKEN}`),
  ...[60, 100, 150].map((length) => `${"z ".repeat(length / 2)}token: ${HEX.repeat(20)}`),
  "[redacted:github-token]".repeat(30),
  "[redacted:",
  "\u202eevil\u202c \u200b",
];

/** A file system would refuse most of these names; a store must not mind them. */
async function putDocument({ path, title, content }: Record<"path" | "title" | "content", string>, world: TestWorld) {
  const { clean } = redactor();
  const item = newItem(
    {
      type: "semantic",
      source: "file-index",
      path: clean(path),
      title: oneLine(title, 200, clean),
      content,
      hash: contentHash(content),
      ...contextOf(world),
    },
    provenanceIn(world),
  );
  const passages = await cut({ content }, world);
  await world.project.apply([{ kind: "insert_item", shelf: "document", item, passages, embed: true }], world.origin);
}

test("hostile titles, sessions, names and paths come home from an export", async () => {
  const [here, there] = [await testWorld(), await testWorld()];
  for (const [index, text] of HOSTILE.entries()) {
    const turns = [{ speaker: text, text: `said ${index}`, at: -8.64e15 + index }, { text: "and more" }];
    await keepEvidence({ turns, title: text, session: text, at: 8.64e15 - index }, here);
    const path = `${index}/${text.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "").slice(0, 900)}`.toWellFormed();
    await putDocument({ path, title: text, content: `text ${index}` }, here);
  }
  const out = async (world: TestWorld) => (await exportItems({ ...EVERYTHING, path: "out.jsonl" }, world)).path;
  const answer = await importItems({ path: await out(here) }, there);
  assert.deepEqual([answer.inserted, answer.conflictCount, answer.redactions], [HOSTILE.length * 2, 0, []]);
  assert.equal(readFileSync(await out(there), "utf8"), readFileSync(await out(here), "utf8"));
  for (const shelf of ["evidence", "document"] as const) {
    for (const { item } of await there.project.walk(shelf, { after: null, limit: 1_000 })) {
      assert.ok((item.title ?? "").length <= 200 && item.session.length <= 200, item.title ?? "");
    }
  }
});

test("a turn is found by what was said, and the hit says by whom and when", async () => {
  const world = await testWorld();
  await keepEvidence({ turns: TALK }, world);
  const { hits } = await ask(world, "How did Melanie ask about the bowl?", {
    shelves: ["evidence"],
    eachPassage: true,
  });
  assert.deepEqual(hits[0]?.passage, { ordinal: 1, speaker: "Melanie", role: null, at: "2023-05-08T13:57:00.000Z" });
});
