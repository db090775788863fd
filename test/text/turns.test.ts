import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { turnOf, turnsIn } from "../../src/text/turns.ts";

type Told = [speaker: string | null, role: string | null, text: string];
const told = (text: string): Told[] => turnsIn(text).map(({ speaker, role, text }) => [speaker, role, text]);
const plain = (text: string): Told[] => [[null, null, text]];

const cases: [text: string, turns: Told[] | null, why: string][] = [
  [
    "Ann: hello\nBo: hi\nAnn: how are you?\nBo: fine",
    [
      ["Ann", null, "Ann: hello"],
      ["Bo", null, "Bo: hi"],
      ["Ann", null, "Ann: how are you?"],
      ["Bo", null, "Bo: fine"],
    ],
    "a conversation",
  ],
  [
    "USER: a\nb\n\nASSISTANT: c\n\nuser: d\nAI: e",
    [
      [null, "user", "USER: a\nb"],
      [null, "assistant", "ASSISTANT: c"],
      [null, "user", "user: d"],
      [null, "assistant", "AI: e"],
    ],
    "roles, in any case, over several lines",
  ],
  [
    "Minutes of Monday\nAnn: a\nBo: b\nAnn: c",
    [
      [null, null, "Minutes of Monday"],
      ["Ann", null, "Ann: a"],
      ["Bo", null, "Bo: b"],
      ["Ann", null, "Ann: c"],
    ],
    "what stands before was said by nobody in particular",
  ],
  [
    "Ann: a\r\nBo: b\r\nAnn: c\r\nBo: d\r\n",
    [
      ["Ann", null, "Ann: a"],
      ["Bo", null, "Bo: b"],
      ["Ann", null, "Ann: c"],
      ["Bo", null, "Bo: d"],
    ],
    "line ends of another system",
  ],
  [
    "O'Brien: a\nJean-Luc: b\nO’Neill: c\nJo\u0308rg: d\nO'Brien: e\nJean-Luc: f\nO’Neill: g\nJo\u0308rg: h",
    [
      ["O'Brien", null, "O'Brien: a"],
      ["Jean-Luc", null, "Jean-Luc: b"],
      ["O’Neill", null, "O’Neill: c"],
      ["Jo\u0308rg", null, "Jo\u0308rg: d"],
      ["O'Brien", null, "O'Brien: e"],
      ["Jean-Luc", null, "Jean-Luc: f"],
      ["O’Neill", null, "O’Neill: g"],
      ["Jo\u0308rg", null, "Jo\u0308rg: h"],
    ],
    "signs and marks that names have",
  ],
  [
    "Ann : a\nuser : b\nAnn : c\nuser : d",
    [
      ["Ann", null, "Ann : a"],
      [null, "user", "user : b"],
      ["Ann", null, "Ann : c"],
      [null, "user", "user : d"],
    ],
    "a space before the colon is no part of a name",
  ],
  [
    "constructor: a\nvalueOf: b\nconstructor: c\nvalueOf: d",
    [
      ["constructor", null, "constructor: a"],
      ["valueOf", null, "valueOf: b"],
      ["constructor", null, "constructor: c"],
      ["valueOf", null, "valueOf: d"],
    ],
    "what every object has is no role",
  ],
  [
    "USER: it fails\nError: no such file\nNote: again\nASSISTANT: Try this\nNote: it is slow\nUSER: ok\nAI: good",
    [
      [null, "user", "USER: it fails\nError: no such file\nNote: again"],
      [null, "assistant", "ASSISTANT: Try this\nNote: it is slow"],
      [null, "user", "USER: ok"],
      [null, "assistant", "AI: good"],
    ],
    "where roles are told, other names are part of what was said",
  ],
  [
    "USER: a\nASSISTANT: \n\n\nASSISTANT: b\n\nASSISTANT: c\nUSER: d\nASSISTANT: ",
    [
      [null, "user", "USER: a"],
      [null, "assistant", "ASSISTANT: b\n\nASSISTANT: c"],
      [null, "user", "USER: d"],
    ],
    "what one says in a row is one turn, and who says nothing has none",
  ],
  [
    "USER: a\nPlan: \n\n1. b\nASSISTANT: c\nUSER: d\nASSISTANT: e",
    [
      [null, "user", "USER: a\nPlan: \n\n1. b"],
      [null, "assistant", "ASSISTANT: c"],
      [null, "user", "USER: d"],
      [null, "assistant", "ASSISTANT: e"],
    ],
    "a heading is no opening, so it stays",
  ],
  ["Ann: hello\nAnn: hello?\nAnn: nobody there", null, "one voice is no conversation"],
  ["Ann: a\nBo: b", null, "too few turns"],
  ["Note: a\nWarning: b\nError: c\nDate: d", null, "each name once is a list"],
  ["one: two", null, "one line"],
  ["see https://example.org\nat 10:30\nor 11:30", null, "colons of another kind"],
  ["", null, "nothing"],
];
for (const [text, turns, why] of cases)
  test(`turns in ${JSON.stringify(text.slice(0, 30))}: ${why}`, () =>
    assert.deepEqual(told(text), turns ?? plain(text)));

test("a conversation is told whole and in its order", () => {
  const line = fc.constantFrom("Ann: hi", "Bo: yes", "user: do it", "and more", "", "  ", "tool: 1: 2", "x".repeat(40));
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
      const text = lines.join("\n");
      const turns = turnsIn(text);
      const words = (some: string) => some.split(/\s+/).filter((word) => word !== "");
      assert.deepEqual(words(turns.map((turn) => turn.text).join("\n")), words(text));
      assert.ok(turns.length === 1 || turns.every((turn) => turn.text !== ""));
      for (const { speaker, role } of turns) assert.ok(speaker === null || role === null);
    }),
  );
});

test("any text comes back as turns with something in them", () => {
  const text = fc.array(fc.oneof(fc.nat(0xffff), fc.constantFrom(...[..."A: \n'"].map((sign) => sign.charCodeAt(0)))));
  fc.assert(fc.property(text, (units) => assert.ok(turnsIn(String.fromCharCode(...units)).length > 0)));
});

const known: [why: string, given: Parameters<typeof turnOf>[0], turn: ReturnType<typeof turnOf>][] = [
  ["all of it", { speaker: "Ann", role: "user", at: 5 }, { speaker: "Ann", role: "user", at: 5 }],
  ["a name alone", { speaker: "Ann" }, { speaker: "Ann", role: null, at: null }],
  ["nothing", {}, null],
  ["nothing, spelt out", { speaker: null, role: null, at: null }, null],
  ["an empty name", { speaker: " \n " }, null],
  ["a name of two lines", { speaker: "Ann\nuser:\u2028Lee" }, { speaker: "Ann user: Lee", role: null, at: null }],
  ["signs that move a cursor", { speaker: "A\u001b[2J\0n" }, { speaker: "A [2J n", role: null, at: null }],
  ["half a character", { speaker: "Ann\ud800" }, { speaker: "Ann\ufffd", role: null, at: null }],
  ["a long name", { speaker: "😀".repeat(101) }, { speaker: "😀".repeat(100), role: null, at: null }],
  ["half a millisecond", { at: 5.7 }, { speaker: null, role: null, at: 5 }],
  ["no number", { at: NaN }, null],
  ["beyond all calendars", { at: 8.64e15 + 1 }, null],
  ["an endless time", { role: "tool", at: Infinity }, { speaker: null, role: "tool", at: null }],
];
for (const [why, given, turn] of known)
  test(`what is known of a turn: ${why}`, () => assert.deepEqual(turnOf(given), turn));

test("a hostile text comes back", () => {
  const size = 300_000;
  const texts = ["a".repeat(size), "\n".repeat(size), "a: ".repeat(size / 3), `${" ".repeat(size)}\n`];
  for (const text of texts) assert.deepEqual(told(text), plain(text));
  assert.equal(turnsIn("Ann: a\nBo: b\n".repeat(20_000)).length, 40_000, "a whole session");
  assert.equal(turnOf({ speaker: " a".repeat(size) })?.speaker?.length, 99);
});
