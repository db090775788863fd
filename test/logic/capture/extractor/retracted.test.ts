import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage, Place } from "../../../../src/logic/capture/extractor/passage.ts";
import { retractedUnits } from "../../../../src/logic/capture/extractor/retracted.ts";
import { unitsOf } from "../../../../src/logic/capture/extractor/sentences/units.ts";

const passage = ([place, text]: [Place, string], line: number): Passage => ({
  ...{ place, line, turn: line, error: null, fixed: null, promise: 1 },
  units: unitsOf(text),
});
const retracted = (said: [Place, string][]): string[] => [...retractedUnits(said.map(passage))].map(({ text }) => text);

const WISH = "please always show prices in euros from now on";
const RULE = "Always use pnpm in this project, never npm.";
const CAUSE = "The clock is not set back after `basket.test.ts`.";
const FIX = "Fixed by calling `setBack()` in `basket.test.ts`.";
const ORDER = "Fix it in the set-up file instead";
const cases: [string, [Place, string][], string[]][] = [
  [
    "a wish that the person gives up, with the words that do",
    [
      ["prompt", WISH],
      ["final", "Prices are in euros now."],
      ["prompt", "actually forget that, dollars are fine"],
    ],
    ["actually forget that, dollars are fine", WISH],
  ],
  [
    "only the last one",
    [
      ["prompt", "show prices in euros"],
      ["prompt", "round each price up"],
      ["prompt", "never mind"],
    ],
    ["never mind", "round each price up"],
  ],
  [
    "in one message the sentence before",
    [
      ["prompt", "show prices in euros"],
      ["prompt", "Round each price up. No wait, scratch that."],
    ],
    ["No wait, scratch that.", "Round each price up."],
  ],
  [
    "in one sentence only that sentence",
    [
      ["prompt", "show prices in euros"],
      ["prompt", "Round each price up, no wait, scratch that."],
    ],
    ["Round each price up, no wait, scratch that."],
  ],
  [
    "a thing of the code that is dropped",
    [
      ["prompt", RULE],
      ["prompt", "The total column is unused now, please drop it from the schema."],
    ],
    [],
  ],
  [
    "what was wished beside a rule, but not the rule",
    [
      ["prompt", `${RULE} Add a total column.`],
      ["prompt", "actually, never mind, the total is there"],
    ],
    ["actually, never mind, the total is there", "Add a total column."],
  ],
  [
    "nor a rule by words that may answer the agent",
    [
      ["prompt", RULE],
      ["final", "Shall I delete the old lock file?"],
      ["prompt", "never mind"],
    ],
    ["never mind"],
  ],
  [
    "a rule that is lifted",
    [
      ["prompt", `${RULE} Add a total column.`],
      ["prompt", "forget that rule, npm is fine"],
    ],
    ["forget that rule, npm is fine", RULE],
  ],
  [
    "what is named, and nothing else",
    [
      ["prompt", `${RULE} Show prices in euros.`],
      ["prompt", "I've changed my mind about the euros."],
    ],
    ["I've changed my mind about the euros.", "Show prices in euros."],
  ],
  ["a reminder gives nothing up", [["prompt", WISH], ["prompt", "don't forget that rates change"]], []], // prettier-ignore
  [
    "work that is done otherwise, and the order to do so",
    [
      ["final", `${CAUSE} ${FIX}`],
      ["prompt", ORDER],
      ["final", "`setBack()` now runs in `set-up.ts`."],
    ],
    [ORDER, FIX],
  ],
  [
    "but not what always holds",
    [
      ["final", `${CAUSE} ${FIX}`],
      ["prompt", `never touch a test. ${ORDER}`],
    ],
    [ORDER],
  ],
  [
    "nor what else the person says",
    [
      ["final", `${CAUSE} ${FIX}`],
      ["prompt", `Remember that staging is read-only. ${ORDER}`],
    ],
    [ORDER],
  ],
  [
    "nor other work of the same reply",
    [
      ["final", `${FIX} Added \`rates.csv\` for customers abroad.`],
      ["prompt", ORDER],
      ["final", "`setBack()` now runs in `set-up.ts`."],
    ],
    [ORDER, FIX],
  ],
  ["what an agent says gives nothing up", [["prompt", WISH], ["final", "Never mind the rates."]], []], // prettier-ignore
];
for (const [name, said, expected] of cases) test(name, () => assert.deepEqual(retracted(said), expected));
