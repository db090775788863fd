import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage, Place } from "../../../../src/logic/capture/extractor/passage.ts";
import { unitsOf } from "../../../../src/logic/capture/extractor/sentences/units.ts";
import { withdrawnUnits } from "../../../../src/logic/capture/extractor/withdrawn.ts";

const passage = ([place, text]: [Place, string], line: number): Passage => ({
  ...{ place, line, turn: 1, error: null, fixed: null, promise: 1 },
  units: unitsOf(text),
});
const withdrawn = (said: [Place, string][]): string[] => [...withdrawnUnits(said.map(passage))].map(({ text }) => text);

const LOCK = "The nightly importer keeps the lock of the orders table.";
const cases: [string, [Place, string][], string[]][] = [
  [
    "a claim that the agent takes back",
    [
      ["middle", LOCK],
      ["final", "I was wrong that the importer keeps the lock of the orders table."],
    ],
    [LOCK],
  ],
  [
    "a cause that was none",
    [
      ["middle", LOCK],
      ["final", "The importer's lock on the orders table isn't the cause."],
    ],
    [LOCK],
  ],
  [
    "a claim that the person doubted, with success",
    [
      ["final", LOCK],
      ["prompt", "does the importer really keep that lock?"],
      ["final", "You're right to doubt that. A backup keeps it."],
    ],
    [LOCK],
  ],
  [
    "a guess that was checked later",
    [
      ["middle", "The importer probably keeps the lock of the orders table."],
      ["final", "A backup keeps the lock of the orders table, and the importer waits for it."],
    ],
    ["The importer probably keeps the lock of the orders table."],
  ],
  ["a guess that nobody came back to stays", [["final", "The importer probably keeps the lock."]], []],
  [
    "a correction of something else withdraws nothing",
    [
      ["middle", LOCK],
      ["final", "I was wrong about the rounding of foreign invoices."],
    ],
    [],
  ],
  [
    "what a person said is not withdrawn by an agent",
    [
      ["prompt", LOCK],
      ["final", "I was wrong that the importer keeps the lock of the orders table."],
    ],
    [],
  ],
];
for (const [what, said, expected] of cases) test(what, () => assert.deepEqual(withdrawn(said), expected));
