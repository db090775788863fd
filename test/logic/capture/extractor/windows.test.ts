import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage, Place } from "../../../../src/logic/capture/extractor/passage.ts";
import { unitsOf } from "../../../../src/logic/capture/extractor/sentences/units.ts";
import { windowsOf } from "../../../../src/logic/capture/extractor/windows.ts";

const passage = ([place, text]: [Place, string], line: number): Passage => ({
  ...{ place, line, turn: 1, error: null, fixed: null, promise: 1 },
  units: unitsOf(text),
});
const texts = (...said: [Place, string][]): string[] => windowsOf(said.map(passage)).map(({ text }) => text);

const ABROAD = "`taxOf()` returns null for customers abroad, whose rate is unknown.";
const ROUNDS = "`roundLine()` rounds half up in every basket, as the tax office does.";

const OFFICE = "The office of each country publishes its rates in January, and the shop reads them once.";
const SHORT = Array.from({ length: 14 }, (_, index) => `basket ${index} of the customer failed`);

const item = (number: number) => `${number} baskets ${"are rounded half up in the shop ".repeat(3).trim()}`;
const listOf = (...numbers: number[]) => `Rates:\n${numbers.map((one) => `- ${item(one)}`).join("\n")}`;
const partOf = (...numbers: number[]) => `Rates: ${numbers.map(item).join("; ")}`;

const cases: [string, [Place, string][], string[]][] = [
  [
    "a list in the first of two announced sections is not the second",
    [["final", `Fixed two issues in \`total()\`:\n\n## Logs\n\nEach basket that fails:\n- ${ABROAD}\n- ${ROUNDS}`]],
    [`Each basket that fails: ${ABROAD} ${ROUNDS}`],
  ],
  [
    "parts of the first of two announced things are not the second",
    [["final", `Fixed two issues in \`total()\`:\n1. It logs each basket that it cannot read:\n   - ${ABROAD}`]],
    [],
  ],
  ["somebody else's words do not pass for the agent's", [["final", `> ${ABROAD}\n\n${ROUNDS}`]], [ROUNDS]],
  ["nor without the sentence that announces them", [["final", `Shall I?\n\n> ${ABROAD}\n\n${ROUNDS}`]], [ROUNDS]],
  ["neighbours stand together", [["final", `${ABROAD} ${ROUNDS}`]], [ABROAD, `${ABROAD} ${ROUNDS}`, ROUNDS]],
  ["but not around one that was left out", [["final", `${ABROAD} Shall I change that? ${ROUNDS}`]], [ABROAD, ROUNDS]],
  [
    "a list does without an item that says nothing",
    [["final", `Rates:\n- ${ABROAD}\n- Already fixed, replied.\n- ${ROUNDS}`]],
    [`Rates: ${ABROAD} ${ROUNDS}`],
  ],
  [
    "but one with a larger hole was mostly about the moment",
    [["final", `Rates:\n- ${ABROAD}\n- Already fixed, replied.\n- All tests pass.\n- ${ROUNDS}`]],
    [],
  ],
  ["nor between two calls", [["middle", `${ABROAD} Shall I change that? ${ROUNDS}`]], [ABROAD, ROUNDS]],
  [
    "remarks of two messages stand together",
    [
      ["middle", ABROAD],
      ["middle", ROUNDS],
    ],
    [ABROAD, `${ABROAD} ${ROUNDS}`, ROUNDS],
  ],
  [
    "but not a remark and the report",
    [
      ["middle", ABROAD],
      ["final", ROUNDS],
    ],
    [ABROAD, ROUNDS],
  ],
  [
    "unless they have no word in common",
    [
      ["middle", ABROAD],
      ["middle", "The nightly backup locks the orders while it copies every invoice."],
    ],
    [ABROAD, "The nightly backup locks the orders while it copies every invoice."],
  ],
  [
    "but not their lists",
    [
      ["middle", `Rates:\n- ${ABROAD}`],
      ["middle", `Baskets:\n- ${ROUNDS}`],
    ],
    [`Rates: ${ABROAD}`, `Baskets: ${ROUNDS}`],
  ],
  [
    "a list that lacks some of what it announces is left out",
    [["final", `The importer does two things:\n- ${ABROAD}\n- Already fixed, replied.\n\n## Rounding\n\n${ROUNDS}`]],
    [`Rounding: ${ROUNDS}`],
  ],
  [
    "and one that has them all is kept",
    [["final", `The importer does two things:\n- ${ABROAD}\n- ${ROUNDS}`]],
    [`The importer does two things: ${ABROAD} ${ROUNDS}`],
  ],
  ["a commit of tests tells nothing", [["commit", `test(basket): cover totals\n\n${ABROAD}`]], []],
  [
    "unless it gives a reason",
    [["commit", "test(basket): freeze the clock because rates change at night"]],
    ["test(basket): freeze the clock because rates change at night"],
  ],
  [
    "a heading stands before the first sentence under it",
    [["final", `## Cause\n${ABROAD}\n## Fix\n${ROUNDS}`]],
    [`Cause: ${ABROAD}`, `Cause: ${ABROAD} Fix: ${ROUNDS}`, `Fix: ${ROUNDS}`],
  ],
  [
    "a window holds at most two sections",
    [["final", `## Cause\n${ABROAD}\n## Fix\n${ROUNDS}\n## Tax\n${OFFICE}`]],
    [
      `Cause: ${ABROAD}`,
      `Cause: ${ABROAD} Fix: ${ROUNDS}`,
      `Fix: ${ROUNDS}`,
      `Fix: ${ROUNDS} Tax: ${OFFICE}`,
      `Tax: ${OFFICE}`,
    ],
  ],
  ["and of a plan one", [["plan", `## Cause\n${ABROAD}\n## Tax\n${OFFICE}`]], [`Cause: ${ABROAD}`, `Tax: ${OFFICE}`]],
  [
    "it does not end within the list of its second section",
    [["final", `## Cause\n${ABROAD}\n\n${listOf(1, 2, 3)}`]],
    [`Cause: ${ABROAD}`, partOf(1, 2, 3)],
  ],
  [
    "short items need the whole of their list",
    [["final", `Logged when the basket of a customer fails:\n${SHORT.map((one) => `- ${one}`).join("\n")}`]],
    [],
  ],
  ["somebody else's words alone are left out", [["final", `> ${ABROAD}`]], []],
  [
    "but stay with the sentence that announces them",
    [["final", `The rules of the shop say about taxes:\n\n> ${ABROAD}`]],
    [`The rules of the shop say about taxes: ${ABROAD}`],
  ],
  [
    "the code that a colon announces is left out, and its sentence stays",
    [
      [
        "final",
        `The old \`taxOf()\` returned null for customers abroad:\n\`\`\`\nreturn null;\n\`\`\`\nThis lost \`tax\` in every basket.`,
      ],
    ],
    ["The old `taxOf()` returned null for customers abroad. This lost `tax` in every basket."],
  ],
  [
    "praise that explains is kept",
    [
      [
        "final",
        `What's good:\n- The importer writes all rows anew, which prevents stale totals; every basket of the shop reads them again when it is opened.`,
      ],
    ],
    [
      "The importer writes all rows anew, which prevents stale totals; every basket of the shop reads them again when it is opened.",
    ],
  ],
  [
    "other praise is not",
    [["final", `What's good:\n- The importer and its tests are readable, and named after the baskets of the shop.`]],
    [],
  ],
  [
    "what the person will see is no outcome",
    [["final", `What you should see in the shop:\n- ${ABROAD}\n- ${ROUNDS}`]],
    [],
  ],
  ["nor what tests check", [["final", `\`testTaxAbroad\` verifies:\n- ${ABROAD}\n- ${ROUNDS}`]], []],
  ["nor what was done to tests", [["final", `Test updates:\n- ${ABROAD}\n- ${ROUNDS}`]], []],
  [
    "the name of a point stays, its number does not",
    [["final", `- Thread 2 (high - customers abroad pay no tax): Fixed in 4be1d07c. ${ABROAD}\n- ${ROUNDS}`]],
    [`Customers abroad pay no tax: ${ABROAD} ${ROUNDS}`],
  ],
  ["nor how they were repaired", [["final", `Test fixes:\n- ${ABROAD}\n- ${ROUNDS}`]], []],
  [
    "a heading that announces a list goes without it",
    [["final", `**Two different rates:**\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n${ABROAD}`]],
    [ABROAD],
  ],
  [
    "and stays with it",
    [["final", `Two different rates:\n- ${ABROAD}\n- ${ROUNDS}`]],
    [`Two different rates: ${ABROAD} ${ROUNDS}`],
  ],
  [
    "a sentence that announces code which is left out goes too",
    [["final", `There are three different places:\n\`\`\`\nbasket.ts\n\`\`\`\n${ABROAD}`]],
    [ABROAD],
  ],
  [
    "a sentence that only counts something announces nothing",
    [["final", "The uploader retries in three cases because `putObject()` drops idle connections"]],
    ["The uploader retries in three cases because `putObject()` drops idle connections"],
  ],
  [
    "nor does a version count",
    [["final", "From 1.2 changes to the schema need `migrate()` before the uploader starts"]],
    ["From 1.2 changes to the schema need `migrate()` before the uploader starts"],
  ],
  [
    "a title may count what follows",
    [["final", `## Two bugs in the basket\n${ABROAD}\n\n${ROUNDS}`]],
    [`Two bugs in the basket: ${ABROAD} ${ROUNDS}`],
  ],
  [
    "another bug begins another memory",
    [["final", `## Rounding\n${ROUNDS}\n## The bug\n${ABROAD}`]],
    [`Rounding: ${ROUNDS}`, `The bug: ${ABROAD}`],
  ],
  [
    "a cause that was announced is called so",
    [["middle", `I've found the root cause. ${ABROAD}`]],
    [`Root cause: ${ABROAD}`],
  ],
  [
    "also above a list",
    [["middle", `Found the root cause. The shop asks no office for:\n- ${ABROAD}\n- ${ROUNDS}`]],
    [`Root cause: The shop asks no office for: ${ABROAD} ${ROUNDS}`],
  ],
  [
    "in which commit a fix was made is left out",
    [["final", `${ABROAD} Fixed by asking the office of the country (\`4be1d07c\`).`]],
    [ABROAD, `${ABROAD} Fixed by asking the office of the country.`],
  ],
  ["a fact after a polite word stays", [["middle", `Good - ${ABROAD}`]], [ABROAD]],
  ["a heading that says nothing is left out", [["final", `## Summary\n${ABROAD}`]], [ABROAD]],
  ["what was merely weighed is left out", [["final", `A few options:\n- ${ABROAD}\n- ${ROUNDS}`]], []],
  ["polite words and loose ends at the beginning are dropped", [["final", `Good catch! But ${ABROAD}`]], [ABROAD]],
  ["a correction states the fact", [["prompt", `No, that's wrong: ${ABROAD}`]], [ABROAD]],
  ["the message of a commit stays as it is", [["commit", `Yes: ${ABROAD}`]], [`Yes: ${ABROAD}`]],
  [
    "whose branch it was does not matter",
    [["final", "Kept your `roundLine()` fix and the rates of the release branch."]],
    ["Kept the `roundLine()` fix and the rates of the release branch."],
  ],
  [
    "an announcement at the end of a finding goes",
    [["middle", `${ABROAD.slice(0, -1)}, so let me look at the rates.`]],
    [ABROAD],
  ],
  [
    "a sentence without its subject needs the one before",
    [["final", `${ABROAD} It is null as long as nobody asks the office of that country.`]],
    [ABROAD, `${ABROAD} It is null as long as nobody asks the office of that country.`],
  ],
  [
    "nor does an item begin with what stands before it",
    [["final", `Rates:\n- It is null for customers of the shop who live abroad, as their rate is unknown.`]],
    [],
  ],
  ["the number of a point is left out", [["final", `Problem 2: ${ABROAD}`]], [ABROAD]],
  [
    "a bold number begins an item",
    [["final", `Two options:\n\n**1. Later** - ${ABROAD}\n\n**2. Now** - ${ROUNDS}`]],
    [],
  ],
  ["an item alone is a fragment", [["final", `- ${ABROAD}`]], []],
  ["how things stand is left out", [["final", `All 12 tests of the basket pass. ${ABROAD}`]], [ABROAD]],
  [
    "also if nothing else is said",
    [["final", "All 12 tests of the basket pass in the nightly build of the release branch."]],
    [],
  ],
  ["a list stays together", [["final", `Rates:\n- ${ABROAD}\n- ${ROUNDS}`]], [`Rates: ${ABROAD} ${ROUNDS}`]],
  [
    "a list that is too long gives parts that are full, and the rest",
    [["final", listOf(1, 2, 3, 4, 5)]],
    [partOf(1, 2, 3), partOf(2, 3, 4), partOf(3, 4, 5), partOf(4, 5)],
  ],
  [
    "a sentence that says the same again is not added",
    [["final", `${ROUNDS} In every basket \`roundLine()\` rounds half up, as the tax office does.`]],
    [ROUNDS, "In every basket `roundLine()` rounds half up, as the tax office does."],
  ],
  [
    "what a fix has to do is no outcome yet",
    [["middle", "`roundLine()` needs to round half up in every basket of the shop."]],
    [],
  ],
  [
    "how a merge came out is an outcome",
    [["final", "Merged origin/main, kept `roundLine()` and took the `rate` parameter of every basket."]],
    ["Merged origin/main, kept `roundLine()` and took the `rate` parameter of every basket."],
  ],
  [
    "its heading stays too",
    [["final", `Conflicts resolved:\n- ${ABROAD}\n- ${ROUNDS}`]],
    [`Conflicts resolved: ${ABROAD} ${ROUNDS}`],
  ],
  [
    "but not on the way",
    [["middle", "Merged origin/main, kept `roundLine()` and took the `rate` parameter of every basket."]],
    [],
  ],
  [
    "nor by what git calls the sides",
    [["final", "Conflict 1: kept the `rate` parameter of HEAD and dropped the incoming `roundLine()` of the basket."]],
    [],
  ],
  [
    "a short item belongs to its list",
    [
      [
        "final",
        "Logged for every basket that fails:\n- Rate missing\n- No customer\n- The office did not answer in time",
      ],
    ],
    ["Logged for every basket that fails: Rate missing; No customer; The office did not answer in time"],
  ],
  ["but says nothing without a heading", [["final", `${ABROAD}\n\n- Rate missing\n\n${ROUNDS}`]], [ABROAD, ROUNDS]],
  [
    "what would happen to anybody is kept",
    [["final", "If you're on a branch without rates, you'd have to import them before `taxOf()` answers."]],
    ["If you're on a branch without rates, you'd have to import them before `taxOf()` answers."],
  ],
  [
    "what the person did is not",
    [["final", "You've imported the rates of every country into the basket of the shop."]],
    [],
  ],
  [
    "the steps of a plan are left out once its work is reported",
    [
      ["plan", `- Add \`roundLine()\` to every basket of the shop and its importer (line 12).\n\n${ABROAD}`],
      ["final", "Added `roundLine()` to every basket of the shop and to its importer."],
    ],
    [ABROAD, "Added `roundLine()` to every basket of the shop and to its importer."],
  ],
  [
    "a summary of unfinished work leaves out what is under way",
    [["compaction", `${ABROAD}\n\nPending tasks:\n- ${ROUNDS}`]],
    [ABROAD],
  ],
];
for (const [what, said, expected] of cases) test(what, () => assert.deepEqual(texts(...said), expected));
