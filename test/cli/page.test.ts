import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { charactersIn, displayWidth, fitted, layOut, layOutText, type Sheet, wrap } from "../../src/cli/layout.ts";
import { sheetOf } from "../../src/cli/run.ts";
import type { Paragraph } from "../../src/text/paragraph.ts";
import { streams } from "../hosts/fixtures/streams.ts";

const widths: [text: string, columns: number, why: string][] = [
  ["", 0, "nothing"],
  ["abc", 3, "letters"],
  ["é", 1, "a letter with its mark"],
  ["e\u0301", 1, "a letter and a combining mark"],
  ["日本", 4, "wide characters"],
  ["한글", 4, "Korean"],
  ["ｆｕｌｌ", 8, "full-width letters"],
  ["🚀", 2, "an emoji"],
  ["👩‍👩‍👧", 2, "emoji joined into one"],
  ["🇫🇷", 2, "a flag"],
  ["❤️", 2, "a sign shown as an emoji"],
  ["→…", 2, "arrows and ellipses are narrow"],
  ["\u200b", 0, "a space without width"],
];
for (const [text, columns, why] of widths)
  test(`${JSON.stringify(text)} takes ${columns} columns: ${why}`, () => assert.equal(displayWidth(text), columns));

const cuts: [text: string, columns: number, shown: string][] = [
  ["short", 5, "short"],
  ["longer", 5, "long…"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["a b c", 3, "a…"],
  ["x", 0, ""],
];
for (const [text, columns, shown] of cuts)
  test(`${text} in ${columns} columns is ${shown}`, () => assert.equal(fitted(text, columns), shown));

const rowsOf = (text: string, first: number, rest = first) =>
  wrap(text, first, rest).map(({ from, to }) => text.slice(from, to));
const wrapped: [text: string, first: number, rest: number, rows: string[]][] = [
  ["", 5, 5, []],
  ["one two", 7, 7, ["one two"]],
  ["one two", 6, 6, ["one", "two"]],
  ["one  two three", 8, 9, ["one  two", "three"]],
  ["abcdefgh", 3, 3, ["abc", "def", "gh"]],
  ["ab cdefgh", 4, 3, ["ab", "cde", "fgh"]],
  ["日本語の文", 5, 4, ["日本", "語の", "文"]],
  ["🚀 🚀 🚀", 5, 5, ["🚀 🚀", "🚀"]],
  ["abcdefghij", 5, 3, ["abcde", "fgh", "ij"]],
  ["ab 日本語の文", 7, 4, ["ab 日本", "語の", "文"]],
  ["ab 日本", 6, 4, ["ab", "日本"]],
  ["abcd 日本語", 6, 4, ["abcd", "日本", "語"]],
];
for (const [text, first, rest, rows] of wrapped)
  test(`${JSON.stringify(text)} in rows of ${first} and ${rest}`, () =>
    assert.deepEqual(rowsOf(text, first, rest), rows));

test("no row is wider than it may be, and nothing but spaces is lost", () => {
  const words = fc.array(fc.constantFrom("a", "word", "日本語", "🚀", "https://example.org/a/long/path", "\t", "é"));
  fc.assert(
    fc.property(words, fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 30 }), (list, first, rest) => {
      const text = list.join(" ");
      const rows = rowsOf(text, first, rest);
      for (const [index, row] of rows.entries())
        assert.ok(displayWidth(row) <= (index === 0 ? first : rest) || charactersIn(row).length === 1, row);
      assert.equal(rows.join("").replaceAll(/\s/g, ""), text.replaceAll(/\s/g, ""));
    }),
  );
});

const HIT: Paragraph[] = [
  {
    spans: [
      { text: "7fd436b5", style: "handle" },
      { text: "  The user prefers " },
      { text: "dark", style: "match" },
      { text: " mode in every editor, 日本語 and 🚀 too, except in slides shown on a projector in a bright room." },
    ],
    hang: 10,
  },
  { spans: [{ text: "preference, global, yesterday, 93 %", style: "fact" }], indent: 10 },
];

const screens: [name: string, sheet: Sheet, shown: string][] = [
  [
    "80 columns",
    { columns: 80, colours: false },
    `7fd436b5  The user prefers dark mode in every editor, 日本語 and 🚀 too, except
          in slides shown on a projector in a bright room.
          preference, global, yesterday, 93 %`,
  ],
  [
    "120 columns",
    { columns: 120, colours: false },
    `7fd436b5  The user prefers dark mode in every editor, 日本語 and 🚀 too, except in slides shown on a projector in a
          bright room.
          preference, global, yesterday, 93 %`,
  ],
  [
    "no width",
    { columns: null, colours: false },
    `7fd436b5  The user prefers dark mode in every editor, 日本語 and 🚀 too, except in slides shown on a projector in a bright room.
          preference, global, yesterday, 93 %`,
  ],
  [
    "20 columns at least",
    { columns: 3, colours: false },
    [
      ...["7fd436b5  The user", "prefers", "dark mode", "in every", "editor,", "日本語 and", "🚀 too,", "except in"],
      ...["slides", "shown on a", "projector", "in a", "bright", "room."],
      ...["preference", ", global,", "yesterday,", "93 %"],
    ].join("\n          "),
  ],
  [
    "colours",
    { columns: 60, colours: true },
    `\u001b[33m7fd436b5\u001b[39m  The user prefers \u001b[1mdark\u001b[22m mode in every editor, 日本語
          and 🚀 too, except in slides shown on a projector
          in a bright room.
          \u001b[2mpreference, global, yesterday, 93 %\u001b[22m`,
  ],
];
for (const [name, sheet, shown] of screens) test(`a hit: ${name}`, () => assert.equal(layOut(HIT, sheet), shown));

test("codes in text of others never reach the screen, and cannot make it wider than it is", () => {
  const hostile = "\u001b[2J\u001b[31mred\u0007 \u202egnp";
  const [row] = layOut([{ spans: [{ text: hostile, style: "match" }] }], { columns: 80, colours: false }).split("\n");
  assert.equal(row, "[2J[31mred gnp");
  assert.equal(layOutText(`a\u001b[1mb`, { columns: 80, colours: true }), "a[1mb");
});

test("lines of plain text hang below where their text begins", () => {
  const text = "title         a long name for this one\n- a point that needs more\n  indented and wrapped too\n\nend";
  assert.equal(
    layOutText(text, { columns: 26, colours: false }),
    `title         a long name
              for this one
- a point that needs more
  indented and wrapped too

end`,
  );
  assert.equal(
    layOutText("- a point that needs more", { columns: 20, colours: false }),
    "- a point that needs\n  more",
  );
});

const KIND = { isDumb: false, isColourForced: false };
const sheets: [name: string, Parameters<typeof streams>[0], Partial<typeof KIND>, Sheet | null][] = [
  ["a pipe", { tty: false, colours: true }, {}, null],
  ["a pipe with forced colours", { tty: false }, { isColourForced: true }, { columns: null, colours: true }],
  ["a terminal", { tty: true, colours: true, columns: 100 }, {}, { columns: 100, colours: true }],
  ["a terminal without colours", { tty: true, columns: 100 }, {}, { columns: 100, colours: false }],
  ["a dumb terminal", { tty: true, colours: true }, { isDumb: true }, null],
  ["a dumb terminal with forced colours", { tty: true }, { isDumb: true, isColourForced: true }, null],
  ["a terminal that does not know its width", { tty: true, columns: 0 }, {}, { columns: null, colours: false }],
];
for (const [name, stream, kind, sheet] of sheets)
  test(`${name} is ${JSON.stringify(sheet)}`, () =>
    assert.deepEqual(sheetOf(streams(stream).io, { ...KIND, ...kind }), sheet));
