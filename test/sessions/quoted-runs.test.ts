import assert from "node:assert/strict";
import { test } from "node:test";
import { isQuotedFrom, runsOf } from "../../src/sessions/notes.ts";

const runs = runsOf([
  "usage: the port must be a number between one and the largest port of the system",
  "other output",
]);
const cases: [string, boolean][] = [
  ["The port must be a number between one and the largest port of the system.", true],
  ["It says the PORT must be a number, which the config file did not respect.", false],
  ["It says the port must be a number between one and the largest.", true],
  ["The server refuses the config, so it never reaches the point of binding.", false],
  ["the port must be", false],
  ["", false],
];
for (const [sentence, isQuoted] of cases)
  test(sentence || "nothing", () => assert.equal(isQuotedFrom(runs, sentence), isQuoted));

test("runs do not reach from one text into the next", () =>
  assert.equal(isQuotedFrom(runsOf(["one two three", "four five six"]), "two three four five six"), false));
