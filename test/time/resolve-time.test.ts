import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { zoneNamed } from "../../src/time/calendar.ts";
import { resolveTime } from "../../src/time/phrases.ts";
import { isoTimeIn } from "../../src/time/time-anchor.ts";

const zone = zoneNamed("America/New_York")!;
/** Wednesday, 2:30 PM; clocks are put forward on 8 March at 2 AM. */
const nowMs = Date.parse("2026-02-25T19:30:00Z");

/** The instant and, unless it is the whole meaning, the span: local, without seconds that are 0. */
function shown(words: string, tense: "past" | "any" = "any"): string {
  const found = resolveTime(words, { nowMs, zone, tense });
  if (!found) return "nothing";
  const [at, start, end] = [found.atMs, found.startMs, found.endMs].map((one) =>
    isoTimeIn(one, zone)
      .slice(0, 23)
      .replace(/:00\.000$/, "")
      .replace(/T00:00$/, ""),
  );
  const from = start === at ? at : `${at} in ${start}`;
  return found.startMs === found.endMs ? from! : `${from} to ${end}`;
}

const EXPRESSIONS: readonly [words: string, expected: string][] = [
  ["now", "2026-02-25T14:30"],
  ["right now", "2026-02-25T14:30"],
  ["today", "2026-02-25 to 2026-02-26"],
  ["Today", "2026-02-25 to 2026-02-26"],
  ["tomorrow", "2026-02-26 to 2026-02-27"],
  ["yesterday", "2026-02-24 to 2026-02-25"],
  ["the day before yesterday", "2026-02-23 to 2026-02-24"],
  ["day after tomorrow", "2026-02-27 to 2026-02-28"],
  ["next Monday", "2026-03-02 to 2026-03-03"],
  ["next wednesday", "2026-03-04 to 2026-03-05"],
  ["next thursday", "2026-02-26 to 2026-02-27"],
  ["last wednesday", "2026-02-18 to 2026-02-19"],
  ["last tuesday", "2026-02-24 to 2026-02-25"],
  ["last Thursday", "2026-02-19 to 2026-02-20"],
  ["this friday", "2026-02-27 to 2026-02-28"],
  ["this monday", "2026-02-23 to 2026-02-24"],
  ["on fri", "2026-02-27 to 2026-02-28"],
  ["sunday", "2026-03-01 to 2026-03-02"],
  ["monday next week", "2026-03-02 to 2026-03-03"],
  ["friday last week", "2026-02-20 to 2026-02-21"],
  ["this morning", "2026-02-25T06:00 to 2026-02-25T12:00"],
  ["yesterday afternoon", "2026-02-24T12:00 to 2026-02-24T18:00"],
  ["tomorrow evening", "2026-02-26T18:00 to 2026-02-27"],
  ["tonight", "2026-02-25T18:00 to 2026-02-26T06:00"],
  ["last night", "2026-02-24T18:00 to 2026-02-25T06:00"],
  ["monday morning", "2026-03-02T06:00 to 2026-03-02T12:00"],
  ["this week", "2026-02-23 to 2026-03-02"],
  ["last week", "2026-02-16 to 2026-02-23"],
  ["next week", "2026-03-02 to 2026-03-09"],
  ["last weekend", "2026-02-21 to 2026-02-23"],
  ["this month", "2026-02-01 to 2026-03-01"],
  ["last month", "2026-01-01 to 2026-02-01"],
  ["next month", "2026-03-01 to 2026-04-01"],
  ["last quarter", "2025-10-01 to 2026-01-01"],
  ["this year", "2026-01-01 to 2027-01-01"],
  ["last year", "2025-01-01 to 2026-01-01"],
  ["next year", "2027-01-01 to 2028-01-01"],
  ["3 days ago", "2026-02-22T14:30 in 2026-02-22 to 2026-02-23"],
  ["in two weeks", "2026-03-11T14:30 in 2026-03-11 to 2026-03-12"],
  ["a week ago", "2026-02-18T14:30 in 2026-02-18 to 2026-02-19"],
  ["a few days ago", "2026-02-22T14:30 in 2026-02-22 to 2026-02-23"],
  ["a couple of months ago", "2025-12-25T14:30 in 2025-12-25 to 2025-12-26"],
  ["in a month", "2026-03-25T14:30 in 2026-03-25 to 2026-03-26"],
  ["fifteen days from now", "2026-03-12T14:30 in 2026-03-12 to 2026-03-13"],
  ["1 year and 2 months ago", "2024-12-25T14:30 in 2024-12-25 to 2024-12-26"],
  ["an hour ago", "2026-02-25T13:30"],
  ["half an hour ago", "2026-02-25T14:00"],
  ["2 hours and 30 minutes ago", "2026-02-25T12:00"],
  ["in 90 seconds", "2026-02-25T14:31:30.000"],
  ["30m ago", "2026-02-25T14:00"],
  ["last 3 days", "2026-02-22T14:30 to 2026-02-25T14:30"],
  ["in the past 24 hours", "2026-02-24T14:30 to 2026-02-25T14:30"],
  ["past week", "2026-02-18T14:30 to 2026-02-25T14:30"],
  ["next two days", "2026-02-25T14:30 to 2026-02-27T14:30"],
  ["5pm", "2026-02-25T17:00"],
  ["at 5pm", "2026-02-25T17:00"],
  ["at 17:30", "2026-02-25T17:30"],
  ["12:05 am", "2026-02-25T00:05"],
  ["noon", "2026-02-25T12:00"],
  ["tomorrow at 5pm", "2026-02-26T17:00"],
  ["5 p.m. on friday", "2026-02-27T17:00"],
  ["noon tomorrow", "2026-02-26T12:00"],
  ["next monday at 9:15 AM", "2026-03-02T09:15"],
  ["2026-03-03 at 8am", "2026-03-03T08:00"],
  ["March 3", "2026-03-03 to 2026-03-04"],
  ["3 March 2026", "2026-03-03 to 2026-03-04"],
  ["march 3rd, 2025", "2025-03-03 to 2025-03-04"],
  ["the 3rd of march", "2026-03-03 to 2026-03-04"],
  ["March 2025", "2025-03-01 to 2025-04-01"],
  ["december", "2025-12-01 to 2026-01-01"],
  ["last february", "2025-02-01 to 2025-03-01"],
  ["next May", "2026-05-01 to 2026-06-01"],
  ["feb 29", "2024-02-29 to 2024-03-01"],
  ["10 mar 10:30", "2026-03-10T10:30"],
  ["start of the week", "2026-02-23"],
  ["beginning of next month", "2026-03-01"],
  ["end of last week", "2026-02-22T23:59:59.999 to 2026-02-23"],
  ["end of day", "2026-02-25T23:59:59.999 to 2026-02-26"],
  ["2026", "2026-01-01 to 2027-01-01"],
  ["2026-02", "2026-02-01 to 2026-03-01"],
  ["2026-02-10", "2026-02-10 to 2026-02-11"],
  ["2026-W09", "2026-02-23 to 2026-03-02"],
  ["2026-W09-3", "2026-02-25 to 2026-02-26"],
  ["2026-02-25T19:30:00Z", "2026-02-25T14:30"],
  ["2026-02-25T19:30:15.25+01:00", "2026-02-25T13:30:15.250"],
  ["2026-02-25 09:00", "2026-02-25T09:00"],
  ["1771995600000", "2026-02-25"],
];

test("expressions name an instant and a span", () => {
  assert.ok(EXPRESSIONS.length >= 60);
  assert.deepEqual(
    EXPRESSIONS.map(([words]) => [words, shown(words)]),
    EXPRESSIONS.map((pair) => [...pair]),
  );
});

test("a filter looks back where an expression has no direction", () => {
  const cases: [words: string, expected: string][] = [
    ["monday", "2026-02-23 to 2026-02-24"],
    ["wednesday", "2026-02-18 to 2026-02-19"],
    ["on friday at noon", "2026-02-20T12:00"],
    ["March 3", "2025-03-03 to 2025-03-04"],
    ["february", "2026-02-01 to 2026-03-01"],
    ["5pm", "2026-02-24T17:00"],
    ["1pm", "2026-02-25T13:00"],
    ["next monday", "2026-03-02 to 2026-03-03"],
  ];
  assert.deepEqual(
    cases.map(([words]) => [words, shown(words, "past")]),
    cases,
  );
});

test("what is no expression is not guessed at", () => {
  const words = [
    ...["", "soon", "foo 1", "monday tuesday", "2026-02-30", "2026-13-01", "2025-W53", "24:00", "13pm", "0am", "5"],
    ...["february 30", "next", "ago", "days ago", "constructor", "toString", "last constructor", "__proto__ morning"],
    ...["in 9999 years", "9999 years ago", "0000-01-01", "next march 2026", "last month at noon", "a".repeat(5_000)],
    ...["2026-02-25T25:00", "2026-02-25T10:60:00Z", "tomorrow at", "yesterday yesterday"],
  ];
  assert.deepEqual(
    words.filter((one) => resolveTime(one, { nowMs, zone }) !== null),
    [],
  );
});

test("a local time that clocks skip or repeat", () => {
  assert.equal(shown("2026-03-08T02:30"), "2026-03-08T03:30");
  const repeated = resolveTime("2026-11-01T01:30", { nowMs, zone });
  assert.equal(repeated?.atMs, Date.parse("2026-11-01T01:30:00-04:00"));
  const day = resolveTime("2026-03-08", { nowMs, zone })!;
  assert.equal(day.endMs - day.startMs, 23 * 3_600_000);
});

test("days keep the time of day, hours do not", () => {
  const before = Date.parse("2026-03-07T12:00:00-05:00");
  assert.equal(resolveTime("in 1 day", { nowMs: before, zone })?.atMs, Date.parse("2026-03-08T12:00:00-04:00"));
  assert.equal(resolveTime("in 24 hours", { nowMs: before, zone })?.atMs, Date.parse("2026-03-08T13:00:00-04:00"));
  const endOfMay = Date.parse("2026-05-31T12:00:00-04:00");
  assert.equal(resolveTime("3 months ago", { nowMs: endOfMay, zone })?.atMs, Date.parse("2026-02-28T12:00:00-05:00"));
});

test("an instant written in any zone is read as the same instant", () => {
  const zones = ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"].map(
    (name) => zoneNamed(name)!,
  );
  const anyInstant = fc.integer({ min: Date.parse("1850-01-01"), max: Date.parse("2100-01-01") });
  fc.assert(
    fc.property(anyInstant, fc.constantFrom(...zones), fc.constantFrom(...zones), (at, written, read) => {
      assert.equal(resolveTime(isoTimeIn(at, written), { nowMs, zone: read })?.atMs, at);
      assert.equal(resolveTime(new Date(at).toISOString(), { nowMs, zone: read })?.atMs, at);
    }),
  );
});

test("no text makes it throw, and every span contains its instant", () => {
  const word = fc.constantFrom(
    ..."last next this in ago a two 3 9999 days week month monday march may at 5pm 17:00 of end start the and 2026-02-03".split(
      " ",
    ),
  );
  const text = fc.oneof(
    fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
    fc.string({ maxLength: 40 }),
  );
  fc.assert(
    fc.property(text, fc.constantFrom("past" as const, "any" as const), (words, tense) => {
      const found = resolveTime(words, { nowMs, zone, tense });
      if (found) assert.ok(found.startMs <= found.atMs && found.atMs <= found.endMs, words);
    }),
  );
});
