/** Entries by their keywords, against looking for each of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keywordFinder } from "../../src/redaction/rules/redaction.ts";

const letter = fc.constantFrom("a", "b", "-", "_", " ", "é", "中", "\u0261", "\0");
const text = fc.string({ unit: letter, maxLength: 12 });
/** A finder that has just been made, and one that has read enough to prepare for more. */
function finders<T extends { keywords: string[] }>(all: readonly T[]) {
  const experienced = keywordFinder(all);
  experienced("z".repeat(10_000));
  return [keywordFinder(all), experienced];
}

const entries = fc.array(fc.record({ keywords: fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 3 })) }));

test("exactly the entries with a keyword in the text, in their order", () => {
  fc.assert(
    fc.property(entries, fc.array(text, { maxLength: 3 }), (all, texts) => {
      for (const find of finders(all)) {
        for (const one of texts) {
          const expected = all.filter(({ keywords }) => keywords.some((keyword) => one.includes(keyword)));
          assert.deepEqual(find(one), expected, JSON.stringify(one));
        }
      }
    }),
  );
});

test("letters beyond ASCII that share a number with a keyword's are not it", () => {
  const [entry] = [{ keywords: ["ab"] }];
  for (const find of finders([entry])) {
    // 0x80 more than a, and than b.
    assert.deepEqual(find("\u00e1\u00e2"), []);
    assert.deepEqual(find("\u00e1\u00e2ab"), [entry]);
  }
});
