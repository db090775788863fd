import assert from "node:assert/strict";
import { test } from "node:test";
import { haveOtherCircumstances } from "../../../../src/logic/memory/statements/circumstances.ts";

const cases: [one: string, two: string, expected: boolean][] = [
  ["Members in Norway pay 25 %", "Members in Spain pay 21 %", true],
  ["Tracing is off in the EU", "Tracing is on in the US", true],
  ["The quota is 40 a day", "The quota for partners is 90 a day", true],
  ["It answers 404 when the cart was deleted", "It answers 403 when the cart is locked", true],
  ["A name has at least 3 letters", "A name has at most 40 letters", true],
  ["Build 12 failed after 3 minutes", "Build 31 failed after 9 minutes", true],
  ["The proxy listens on port 81", "The proxy listens on port 82", false],
  ["Seats are held for 15 minutes", "Seats are held for 10 minutes", false],
  ["The level is debug in staging", "The level is info in staging", false],
  ["Use black with 100 columns for Python code", "Format Python code with black and 88 columns", false],
];
for (const [one, two, expected] of cases)
  test(`${one} | ${two}: ${expected ? "other circumstances" : "the same"}`, () => {
    assert.equal(haveOtherCircumstances(one, two), expected);
    assert.equal(haveOtherCircumstances(two, one), expected);
  });
