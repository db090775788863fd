/** The parts of a text that could stand for it on one line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lineParts } from "../../../../src/logic/context/lines/line-parts.ts";
import { anyCharacter } from "../../../any-character.ts";

const FIRST = "I looked at the parser and at everything around it for more than an hour before I saw it.";
const CAUSE = "The tokenizer drops a comma at the end of a list because it looks one character too far.";
const HANDLED = "Unstaged changes are handled as: ";
const INCLUDED = "Included in the shadow branch, because the snapshot takes whatever the working tree has; ";
const EXCLUDED = "Excluded from HEAD (the commit) if not staged";
const COUNTED = "Counted as work of the person, not of the agent.";
const CASES: [name: string, line: string, characters: number, expected: string[]][] = [
  ["a short text is one part", "The parser drops commas.", 240, ["The parser drops commas."]],
  ["nothing", "", 240, [""]],
  ["each run of sentences that fits and says enough", `${FIRST} ${CAUSE}`, 120, [FIRST, CAUSE]],
  ["a run never begins with a word that refers back", `${CAUSE} It was there before. ${FIRST}`, 120, [CAUSE, `${CAUSE} It was there before.`, FIRST]], // prettier-ignore
  ["items of a list are parts, and end like sentences", `${CAUSE.slice(0, -1)}; ${FIRST.slice(0, -1)}; and so on and on`, 100, [CAUSE, FIRST]], // prettier-ignore
  ["an item of a list is never without its subject", `${HANDLED}${INCLUDED}${EXCLUDED}; ${COUNTED}`, 160, [`${HANDLED}${INCLUDED.slice(0, -2)}.`, `${HANDLED}…; ${EXCLUDED}.`, `${HANDLED}…; ${EXCLUDED}; ${COUNTED}`, `${HANDLED}…; ${COUNTED}`]], // prettier-ignore
  ["nor if a sentence follows it", `${HANDLED}${INCLUDED}Base tree unavailable. ${FIRST}`, 160, [`${HANDLED}${INCLUDED.slice(0, -2)}.`, `${HANDLED}${INCLUDED}Base tree unavailable.`, `${HANDLED}…; Base tree unavailable. ${FIRST}`, FIRST]], // prettier-ignore
  ["an item that names its own subject needs no other", `${HANDLED}${INCLUDED}Parser: ${CAUSE}`, 130, [`${HANDLED}${INCLUDED.slice(0, -2)}.`, `Parser: ${CAUSE}`]], // prettier-ignore
  ["a sentence that is too long is cut at a word", `${"word ".repeat(60)}end.`, 40, [`${"word ".repeat(7)}word…`]],
  ["numbers and names with dots are no ends", `Version 1.2 of parser.ts breaks. ${FIRST}`, 100, [FIRST]],
];
for (const [name, line, characters, expected] of CASES)
  test(name, () => assert.deepEqual(lineParts(line, characters), expected));

test("there is always a part, and none is longer than asked for", () => {
  const text = fc.string({ unit: fc.oneof(anyCharacter, fc.constantFrom(..."aA. ;\n")), maxLength: 600 });
  fc.assert(
    fc.property(text, fc.integer({ min: 40, max: 400 }), (line, characters) => {
      const parts = lineParts(line.trim(), characters);
      assert.ok(parts.length > 0);
      assert.ok(parts.every((part) => part.length <= characters));
    }),
  );
});
