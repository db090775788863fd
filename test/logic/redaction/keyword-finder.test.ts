/** Entries by their keywords, against looking for each of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keywordFinder } from "../../../src/logic/redaction/keyword-finder.ts";

const letter = fc.constantFrom("a", "b", "-", "_", " ", "é", "中", "\u0261", "\0");
const text = fc.string({ unit: letter, maxLength: 12 });
const entries = fc.array(fc.record({ keywords: fc.array(fc.string({ unit: letter, minLength: 1, maxLength: 3 })) }));

test("exactly the entries with a keyword in the text, in their order", () => {
  fc.assert(
    fc.property(entries, fc.array(text, { maxLength: 3 }), (all, texts) => {
      const find = keywordFinder(all);
      for (const one of texts) {
        const expected = all.filter(({ keywords }) => keywords.some((keyword) => one.includes(keyword)));
        assert.deepEqual(find(one), expected, JSON.stringify(one));
      }
    }),
  );
});

test("letters beyond ASCII that share a number with a keyword's are not it", () => {
  const [entry] = [{ keywords: ["ab"] }];
  const find = keywordFinder([entry]);
  // 0x80 more than a, and than b.
  assert.deepEqual(find("\u00e1\u00e2"), []);
  assert.deepEqual(find("\u00e1\u00e2ab"), [entry]);
});
