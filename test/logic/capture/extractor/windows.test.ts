import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage, Place } from "../../../../src/logic/capture/extractor/passage.ts";
import { unitsOf } from "../../../../src/logic/capture/extractor/units.ts";
import { windowsOf } from "../../../../src/logic/capture/extractor/windows.ts";

const passage = ([place, text]: [Place, string], line: number): Passage => ({
  ...{ place, line, turn: 1, error: null, fixed: null, promise: 1 },
  units: unitsOf(text),
});
const texts = (...said: [Place, string][]): string[] => windowsOf(said.map(passage)).map(({ text }) => text);

const ABROAD = "`taxOf()` returns null for customers abroad, whose rate is unknown.";
const ROUNDS = "`roundLine()` rounds half up in every basket, as the tax office does.";

const cases: [string, [Place, string][], string[]][] = [
  ["neighbours stand together", [["final", `${ABROAD} ${ROUNDS}`]], [ABROAD, `${ABROAD} ${ROUNDS}`, ROUNDS]],
  ["but not around one that was left out", [["final", `${ABROAD} Shall I change that? ${ROUNDS}`]], [ABROAD, ROUNDS]],
  [
    "remarks of two messages may",
    [
      ["middle", ABROAD],
      ["final", ROUNDS],
    ],
    [ABROAD, `${ABROAD} ${ROUNDS}`, ROUNDS],
  ],
  [
    "unless they have no word in common",
    [
      ["middle", ABROAD],
      ["final", "The nightly backup locks the orders while it copies every invoice."],
    ],
    [ABROAD, "The nightly backup locks the orders while it copies every invoice."],
  ],
  [
    "but not their lists",
    [
      ["middle", `Rates:\n- ${ABROAD}`],
      ["final", `Baskets:\n- ${ROUNDS}`],
    ],
    [`Rates: ${ABROAD}`, `Baskets: ${ROUNDS}`],
  ],
  [
    "a heading stands before the first sentence under it",
    [["final", `## Cause\n${ABROAD}\n## Fix\n${ROUNDS}`]],
    [`Cause: ${ABROAD}`, `Cause: ${ABROAD} Fix: ${ROUNDS}`, `Fix: ${ROUNDS}`],
  ],
  ["a heading that says nothing is left out", [["final", `## Summary\n${ABROAD}`]], [ABROAD]],
  ["what was merely weighed is left out", [["final", `A few options:\n- ${ABROAD}\n- ${ROUNDS}`]], []],
  ["polite words and loose ends at the beginning are dropped", [["final", `Good catch! But ${ABROAD}`]], [ABROAD]],
  ["a person's own words stay as they are", [["prompt", `But ${ABROAD}`]], [`But ${ABROAD}`]],
  [
    "a sentence without its subject needs the one before",
    [["final", `${ABROAD} It is null as long as nobody asks the office of that country.`]],
    [ABROAD, `${ABROAD} It is null as long as nobody asks the office of that country.`],
  ],
  ["an item alone is a fragment", [["final", `- ${ABROAD}`]], []],
  [
    "how things stand accompanies what was found",
    [["final", `All 12 tests of the basket pass. ${ABROAD} ${ROUNDS}`]],
    [`All 12 tests of the basket pass. ${ABROAD} ${ROUNDS}`, ABROAD, `${ABROAD} ${ROUNDS}`, ROUNDS],
  ],
  [
    "but is nothing alone",
    [["final", "All 12 tests of the basket pass in the nightly build of the release branch."]],
    [],
  ],
  [
    "a summary of unfinished work leaves out what is under way",
    [["compaction", `${ABROAD}\n\nPending tasks:\n- ${ROUNDS}`]],
    [ABROAD],
  ],
];
for (const [what, said, expected] of cases) test(what, () => assert.deepEqual(texts(...said), expected));
