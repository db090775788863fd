/** Dates, amounts and relevance as people say them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { counted, spokenBytes, spokenCost } from "../../src/page/rules/amounts.ts";
import { barsOf } from "../../src/page/rules/growth.ts";
import { folderName } from "../../src/page/rules/labels.ts";
import { projectOf } from "../../src/page/rules/place.ts";
import { relevanceWord, whyWords } from "../../src/page/rules/relevance-words.ts";
import { exactDate, spokenDate, spokenDay, spokenLanguage } from "../../src/page/rules/spoken-date.ts";

const NOW = Date.parse("2026-03-12T15:30:00Z");
const sayer = { now: NOW, zone: "UTC", language: "en-GB" };

const dates: [moment: string, said: string][] = [
  ["2026-03-12T15:29:40Z", "just now"],
  ["2026-03-12T15:30:30Z", "just now"],
  ["2026-03-12T15:29:00Z", "1 minute ago"],
  ["2026-03-12T14:31:00Z", "59 minutes ago"],
  ["2026-03-12T13:30:00Z", "2 hours ago"],
  ["2026-03-12T06:05:00Z", "today at 6:05"],
  ["2026-03-12T23:00:00Z", "today at 23:00"],
  ["2026-03-11T23:59:00Z", "yesterday at 23:59"],
  ["2026-03-13T09:00:00Z", "tomorrow at 9:00"],
  ["2026-03-07T10:00:00Z", "Saturday at 10:00"],
  ["2026-03-05T10:00:00Z", "5 March"],
  ["2025-12-31T10:00:00Z", "31 December 2025"],
  ["not a date", "not a date"],
];
for (const [moment, said] of dates)
  test(`${moment} is said as ${said}`, () => assert.equal(spokenDate(moment, sayer).replace(/\b0(\d:)/, "$1"), said));

test("a day is that of the person's zone, also where an hour is missing", () => {
  const berlin = { now: Date.parse("2026-03-29T22:30:00Z"), zone: "Europe/Berlin", language: "en-GB" };
  assert.match(spokenDate("2026-03-28T22:30:00Z", berlin), /^Saturday at 23:30$/, "it is the 30th there already");
  assert.equal(spokenDay("2026-03-29T22:10:00Z", berlin), "Today");
  assert.equal(spokenDay("2026-03-29T20:10:00Z", berlin), "Yesterday");
  assert.match(spokenDay("2025-03-29T20:10:00Z", berlin), /2025/);
  assert.match(exactDate("2026-03-28T22:30:00Z", berlin), /23:30:00/);
  assert.equal(exactDate("never", berlin), "never");
});

test("the page speaks one language", () => {
  assert.equal(spokenLanguage(["de-DE", "en-US", "en"]), "en-US");
  assert.equal(spokenLanguage(["de-DE", "enm"]), "en-GB");
  assert.equal(spokenLanguage([]), "en-GB");
});

test("amounts have the unit that fits", () => {
  const bytes = [0, 999, 1_000, 1_500_000, 250_000_000, 3_200_000_000].map(spokenBytes);
  assert.deepEqual(bytes, ["0 bytes", "999 bytes", "1.0 KB", "1.5 MB", "250 MB", "3.2 GB"]);
  assert.deepEqual([counted(1, "memory", "memories"), counted(1_200, "hit")], ["1 memory", "1,200 hits"]);
  assert.deepEqual([null, 0, 0.004, 1.239].map(spokenCost), ["no price set", "0.00", "less than 0.01", "1.24"]);
});

test("relevance is a word, and the reasons come with the largest first", () => {
  assert.deepEqual([0.9, 0.5, 0.35, 0.34].map(relevanceWord), ["very likely", "likely", "possibly", "a guess"]);
  assert.deepEqual(whyWords({ keyword: 0.2, vector: 0.75, confidence: -0.05, temporal: 0.001, new_ranker: 0.1 }), [
    ...["the same meaning 75 %", "the same words 20 %", "new ranker 10 %", "how sure it is −5 %"],
  ]);
});

test("a chart has a bar for every day, between the least and the most", () => {
  const bars = barsOf(
    [
      { day: "2026-03-10", count: 4 },
      { day: "2026-03-12", count: 2 },
    ],
    NOW,
    { least: 2, most: 90 },
  );
  assert.deepEqual(
    bars.map(({ day, count, share }) => [day.slice(8), count, share]),
    [
      ["10", 4, 1],
      ["11", 0, 0],
      ["12", 2, 0.5],
    ],
  );
  assert.equal(barsOf([], NOW, { least: 30, most: 90 }).length, 30);
  assert.equal(barsOf([{ day: "2020-01-01", count: 1 }], NOW, { least: 30, most: 90 }).length, 90);
});

test("a folder belongs to the innermost project around it", () => {
  const roots = ["/home/me/shop", "/home/me/shop/api", "/home/me/sh"];
  assert.equal(projectOf("/home/me/shop/api/src", roots), "/home/me/shop/api");
  assert.equal(projectOf("/home/me/shop", roots), "/home/me/shop");
  assert.equal(projectOf("/home/me/shopping", roots), "/home/me/shopping", "a longer name is another folder");
  assert.equal(projectOf("C:\\work\\shop\\src", ["C:\\work\\shop"]), "C:\\work\\shop");
  assert.deepEqual(["/home/me/shop", "C:\\work\\shop\\", "/"].map(folderName), ["shop", "shop", "/"]);
});
