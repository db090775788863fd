import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { areEqual, comparability, quantitiesIn } from "../../../src/logic/text/quantities.ts";

const equal: [string, string][] = [
  ["8 GB", "8GB"],
  ["15 minutes", "900 seconds"],
  ["twenty rows", "20 rows"],
  ["1,000,000 rows", "1000000 rows"],
  ["10k rows", "10,000 rows"],
  ["1.2 million rows", "1,200,000 rows"],
  ["at 2 am", "at 02:00"],
  ["at 2 pm", "at 14:00"],
  ["at 12 am", "at 00:00"],
  ["at 12:30 am", "at 0:30"],
  ["at 12 pm", "at 12:00"],
  ["12 November", "November 12"],
  ["9 Sept", "September 9"],
  ["due 9 May", "May 9"],
  ["15 min", "15 minutes"],
  ["four weeks", "28 days"],
  ["one month", "30 days"],
  ["2 GB", "2000 MB"],
  ["version v3", "version 3.0"],
  ["30 天", "30 days"],
  ["zwei Stunden", "120 min"],
  ["48 kHz", "48000 Hz"],
  ["retried twice", "2 retries"],
  ["reduced to two.", "reduced to 2."],
];
for (const [one, two] of equal) {
  test(`${one} equals ${two}`, () => {
    const [left, right] = [quantitiesIn(one), quantitiesIn(two)];
    assert.deepEqual([left.length, right.length], [1, 1]);
    assert.ok(areEqual(left[0]!, right[0]!), JSON.stringify([left, right]));
  });
}

const unequal: [string, string][] = [
  ["at 12 am", "at 12 pm"],
  ["15 min", "16 minutes"],
  ["30 sec", "32 seconds"],
  ["9 GB", "9.5 gigabytes"],
];
for (const [one, two] of unequal) {
  test(`${one} does not equal ${two}`, () => {
    assert.ok(!areEqual(quantitiesIn(one)[0]!, quantitiesIn(two)[0]!));
  });
}

for (const text of [
  "3 decimals",
  "5 marketing mails",
  "up to 9 may run at once",
  "2 separate pools",
  "4 junior people",
]) {
  test(`${text}: no date`, () => assert.equal(quantitiesIn(text)[0]!.measure, "count"));
}

const compared: [string, string, ReturnType<typeof comparability>][] = [
  ["port 80", "port 81", "sure"],
  ["3 retries", "5 retries", "sure"],
  ["the delay is 5 seconds", "the delay is 500 ms", "sure"],
  ["starts at 9:00", "starts at 10:00", "sure"],
  ["waits 5 seconds", "sleeps 30 seconds", "possible"],
  ["3 nodes", "3 GB", null],
  ["3 nodes", "4 workers", null],
  ["60 requests per minute", "1 request per second", null],
  ["60 requests per minute", "90 requests per min", "sure"],
];
for (const [one, two, found] of compared) {
  test(`${one} and ${two}: ${found}`, () => {
    assert.equal(comparability(quantitiesIn(one)[0]!, quantitiesIn(two)[0]!), found);
  });
}

test("a word is a number only before what it counts", () => {
  assert.deepEqual(quantitiesIn("the one that was first, and the second"), []);
  assert.deepEqual(
    quantitiesIn("S3, UTF8 and getUser2 are names").map(({ value }) => value),
    [],
  );
});

test("any text has quantities, each equal to itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
      for (const one of quantitiesIn(text)) assert.ok(areEqual(one, one));
    }),
  );
});
