import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type DateMention, dateNearness, datesIn } from "../../src/logic/dates.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 15, 9);
const on = (year: number | null, month: number, day: number | null = null): DateMention => ({
  year,
  month: month - 1,
  day,
});

const cases: [question: string, mentions: DateMention[], why: string][] = [
  ["What broke on 2026-02-28?", [on(2026, 2, 28)], "a day in numbers"],
  ["What was decided in 2025-11", [on(2025, 11)], "a month in numbers"],
  ["2025-11-03, 2025-11-03 and 2025-12-01", [on(2025, 11, 3), on(2025, 12, 1)], "several, each once"],
  ["the talk of 8 May, 2023", [on(2023, 5, 8)], "the day first"],
  ["the talk of May 8 2023", [on(2023, 5, 8)], "the month first"],
  ["on the 3rd of June", [on(null, 6, 3)], "an ordinal and no year"],
  ["on JULY 22nd, 2024", [on(2024, 7, 22)], "an ordinal behind the month"],
  ["back in August 2023", [on(2023, 8)], "a month and a year"],
  ["what did she do in October", [on(null, 10)], "a month of any year"],
  ["on 29 February", [on(null, 2, 29)], "a day that some years have"],
  ["on 2024-02-29", [on(2024, 2, 29)], "a leap day"],
  ["You may ask", [], "a word that is also a month"],
  ["the meeting in May", [on(null, 5)], "a month where it must be one"],
  ["it may rain in may", [on(null, 5)], "both in one sentence"],
  ["since May 3", [on(null, 5, 3)], "with a day it is a month"],
  ["marching on, octobers, junebug", [], "parts of words"],
  ["am Prémay und märz", [], "letters of other scripts are letters"],
  ["mayé and émarch", [], "on both sides"],
  ["yesterday", [on(2026, 1, 14)], "counted from now"],
  ["Today!", [on(2026, 1, 15)], "now"],
  ["last week", [on(2026, 1, 8)], "seven days back"],
  ["a week ago", [on(2026, 1, 8)], "the same in other words"],
  ["3 days ago", [on(2026, 1, 12)], "days counted"],
  ["2 weeks ago", [on(2026, 1, 1)], "weeks counted"],
  ["todays and yesterdayish", [], "no words of time"],
  ["2026-02-30", [], "no calendar has it"],
  ["2025-02-29", [], "not this year"],
  ["2026-13-01 and 2026-00", [], "no month"],
  ["2026-01-00", [], "no day"],
  ["31 April 2026", [], "one day too many"],
  ["February 30", [], "in no year"],
  ["the other 45 may differ", [], "a number that is no day"],
  ["99 december", [], "nor in any month"],
  ["0050-01-01", [], "no year that we know"],
  ["call 555-12-3456 or 12026-01-01", [], "longer numbers"],
  ["", [], "nothing"],
];
for (const [question, mentions, why] of cases)
  test(`dates in ${JSON.stringify(question)}: ${why}`, () => {
    const key = ({ year, month, day }: DateMention) => `${year} ${month} ${day}`;
    assert.deepEqual(datesIn(question, NOW).map(key).toSorted(), mentions.map(key).toSorted());
  });

const nearnesses: [asked: DateMention, at: number, nearness: number, why: string][] = [
  [on(2023, 5, 8), Date.UTC(2023, 4, 8, 13, 56), 1, "on the day"],
  [on(2023, 5, 8), Date.UTC(2023, 4, 7, 0), 1, "a day before"],
  [on(2023, 5, 8), Date.UTC(2023, 4, 18), 0.5, "within ten days"],
  [on(2023, 5, 8), Date.UTC(2023, 4, 9, 23), 1, "late on the day after"],
  [on(2023, 5, 8), Date.UTC(2023, 4, 19), 0, "beyond"],
  [on(2023, 5, 8), Date.UTC(2024, 4, 8), 0, "another year"],
  [on(null, 5, 8), Date.UTC(2024, 4, 8), 1, "any year"],
  [on(null, 12, 31), Date.UTC(2024, 0, 1), 1, "over New Year"],
  [on(null, 1, 2), Date.UTC(2023, 11, 28), 0.5, "and back"],
  [on(2023, 8), Date.UTC(2023, 7, 1), 1, "in the month"],
  [on(2023, 8), Date.UTC(2023, 8, 30), 0.3, "told the month after"],
  [on(2023, 8), Date.UTC(2023, 6, 31), 0, "not the month before"],
  [on(2023, 8), Date.UTC(2024, 7, 1), 0, "the month of another year"],
  [on(2023, 12), Date.UTC(2024, 0, 5), 0.3, "also when the year is told"],
  [on(2024, 12), Date.UTC(2024, 0, 5), 0, "not in the January before"],
  [on(null, 12), Date.UTC(2024, 0, 5), 0.3, "December goes on in January"],
];
for (const [asked, at, expected, why] of nearnesses)
  test(`${new Date(at).toISOString()} is ${expected} near to ${JSON.stringify(asked)}: ${why}`, () => {
    assert.equal(dateNearness([asked], at), expected);
    assert.equal(dateNearness([on(1900, 1, 1), asked], at), expected, "the nearest one counts");
  });

test("no date asked, no nearness; nor at a time that is none", () => {
  assert.equal(dateNearness([], NOW), 0);
  assert.equal(dateNearness([on(2023, 5, 8), on(null, 5)], NaN), 0);
});

const day = fc
  .date({ min: new Date(Date.UTC(1000, 0, 1)), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true })
  .map((date) => new Date(Math.floor(date.getTime() / DAY_MS) * DAY_MS));

test("every day that there is can be asked for, in numbers and in words", () => {
  fc.assert(
    fc.property(day, (date) => {
      const mention = on(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
      const iso = date.toISOString().slice(0, 10);
      const written = date.toLocaleDateString("en-US", {
        ...{ timeZone: "UTC", year: "numeric", month: "long", day: "numeric" },
      });
      for (const text of [iso, written]) {
        assert.deepEqual(datesIn(`what happened on ${text}?`, NOW), [mention], text);
        assert.equal(dateNearness(datesIn(text, NOW), date.getTime()), 1, text);
      }
    }),
  );
});

test("whatever is asked, dates are possible and nearness is a share", () => {
  const piece = fc.constantFrom(
    ..."2026 02 30 -02 -30 13 may in march 3rd of , ago days 12 yesterday é ＿ 月".split(" "),
  );
  const text = fc.oneof(
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.array(piece).map((pieces) => pieces.join(" ")),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: -8.64e15, max: 8.64e15 }), (question, at) => {
      const mentions = datesIn(question, NOW);
      for (const { year, month, day } of mentions) {
        const date = new Date(Date.UTC(year ?? 2024, month, day ?? 1));
        assert.deepEqual([date.getUTCMonth(), date.getUTCDate()], [month, day ?? 1]);
      }
      const nearness = dateNearness(mentions, at);
      assert.ok(nearness >= 0 && nearness <= 1);
    }),
    { numRuns: 300 },
  );
});

test("a hostile question comes back", () => {
  const [count, dates] = [
    30_000,
    Array.from({ length: 3_650 }, (_, index) => new Date(index * DAY_MS).toISOString().slice(0, 10)),
  ];
  for (const text of ["may ", "1 ", "12 of ", "in may ", "2026-01-01 ", "3 days ago ", "9".repeat(10)]) {
    const mentions = datesIn(text.repeat(count), NOW);
    assert.ok(mentions.length <= 1 && dateNearness(mentions, NOW) >= 0, text);
  }
  assert.equal(datesIn(dates.join(" "), NOW).length, 64, "so many at most");
});
