/** The longest piece at a place, against trying every length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { packPieceTable, readPieceTable } from "../../src/text/wordpieces.ts";

/** Packed and read again, behind another one, as tables lie in a file. */
function pieceTable(pieces: readonly (readonly [string, number])[]) {
  const [first, second] = [packPieceTable([["first", 1]]), packPieceTable(pieces)];
  const buffer = new Uint8Array([...first, ...second]).buffer;
  const { table, end } = readPieceTable(buffer, first.length);
  assert.equal(end, buffer.byteLength);
  return table;
}

const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "é", "中", "\ud83d"), maxLength: 8 });

test("the longest piece at every place of every word", () => {
  const pieces = fc.uniqueArray(
    word.filter((text) => text !== ""),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(pieces, fc.array(word), (texts, words) => {
      const table = pieceTable(texts.map((text, index) => [text, index * 7]));
      for (const one of words) {
        for (let start = 0; start <= one.length; start += 1) {
          const fitting = texts.filter((text) => one.startsWith(text, start));
          const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
          const found = table.longest(one, start);
          assert.equal(found === -1, longest === undefined);
          if (longest === undefined) continue;
          assert.deepEqual([table.idAt(found), table.lengthAt(found)], [texts.indexOf(longest) * 7, longest.length]);
        }
      }
    }),
  );
});

test("more pieces than a slot can name are refused", () => {
  const many = Array.from({ length: 65_535 }, (_, index) => [`${index}`, index] as const);
  assert.throws(() => pieceTable(many), RangeError);
  const table = pieceTable(many.slice(1));
  assert.equal(table.idAt(table.longest("65534", 0)), 65_534);
});
