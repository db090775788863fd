import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { UTC, zoneNamed } from "../../src/time/calendar.ts";
import { type DateMention, dateNearness, datesIn } from "../../src/time/dates-in-text.ts";
import { runs } from "../lane.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 15, 9);
const on = (year: number | null, month: number, day: number | null = null, reachDays?: number): DateMention => ({
  year,
  month: month - 1,
  day,
  ...(reachDays !== undefined && { reachDays }),
});
const inYear = (year: number): DateMention => ({ year, month: null, day: null });

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
  ["last week", [on(2026, 1, 5, 6)], "from Monday to Sunday, which is four to ten days ago on a Thursday"],
  ["this week", [on(2026, 1, 12, 3)], "since Monday"],
  ["thirteen days ago", [on(2026, 1, 2)], "a number in words"],
  ["a week ago", [on(2026, 1, 8)], "the same in other words"],
  ["3 days ago", [on(2026, 1, 12)], "days counted"],
  ["2 weeks ago", [on(2026, 1, 1)], "weeks counted"],
  ["two weeks ago", [on(2026, 1, 1)], "in words"],
  ["twelve days ago, or one day ago", [on(2026, 1, 3), on(2026, 1, 14)], "from one to twelve"],
  ["a couple of days ago", [on(2026, 1, 13)], "two"],
  ["a few days ago", [on(2026, 1, 12)], "three, more or less"],
  ["a day ago", [on(2026, 1, 14)], "one"],
  ["zero days ago, thirty days ago, several weeks ago", [], "no number that we know"],
  ["last month", [on(2025, 12)], "the month before, also of another year"],
  ["this month", [on(2026, 1)], "the month that is"],
  ["a month ago", [on(2025, 12)], "that month"],
  ["3 months ago", [on(2025, 10)], "months counted"],
  ["fourteen or 14 months ago", [on(2024, 11)], "over more than a year"],
  ["last year", [inYear(2025)], "the whole year"],
  ["this year", [inYear(2026)], "the year that is"],
  ["two years ago", [inYear(2024)], "years counted"],
  ["an hour ago, a moment ago", [], "no unit of ours"],
  ["what was done in 2025?", [inYear(2025)], "a year alone"],
  ["during 2024, since 2023 and the summer of 2022", [inYear(2024), inYear(2023), inYear(2022)], "after each word"],
  ["mid-2024", [inYear(2024)], "a part of it"],
  ["2025 was good, error 2025, in 1234 files, in 2100", [], "no year alone without such a word, nor any number"],
  ["in 2025-11, in 2025.5 and of 2024-02-03", [on(2025, 11), on(2024, 2, 3)], "a longer number is no year"],
  ["March of 2025", [on(2025, 3)], "the month, and not the whole year too"],
  ["in Feb, 3 Apr and Jul 22nd, 2024", [on(null, 2), on(null, 4, 3), on(2024, 7, 22)], "short names"],
  ["Oct. 3, Sept. 2023 and 1 Nov.", [on(null, 10, 3), on(2023, 9), on(null, 11, 1)], "with a dot"],
  ["what happened Jun, Aug", [on(null, 6), on(null, 8)], "alone"],
  ["in Jan, late Dec, mid-Mar, since Sep", [on(null, 1), on(null, 12), on(null, 3), on(null, 9)], "after such a word"],
  ["Dec 24, 3 Mar, Sep 2024, Jan. 5th", [on(null, 12, 24), on(null, 3, 3), on(2024, 9), on(null, 1, 5)], "by a number"],
  ["Jan said that dec and sep are set, del mar", [], "other meanings"],
  ["decs, octet, novel, marc, septic, apr_1", [], "parts of words again"],
  ["last Friday", [on(2026, 1, 9)], "the latest one"],
  ["on Thursday", [on(2026, 1, 8)], "before today"],
  ["on wednesday's call", [on(2026, 1, 14)], "yesterday"],
  ["on Friday Mary left, last Monday decided", [on(2026, 1, 9), on(2026, 1, 12)], "whatever word follows"],
  ["on Fridays, every Friday, next Friday, on Friday mornings", [], "no day in particular"],
  ["on Friday, 3 June and on Monday the 8th of July 2024", [on(null, 6, 3), on(2024, 7, 8)], "the date is the day"],
  ["last Friday on 23 January, 2022", [on(2022, 1, 23)], "also in these words"],
  ["12 may be too many", [], "may as a verb after a number"],
  ["may 10 people join", [], "may as a verb before a number"],
  ["this may be it, the 3rd may fail", [], "and after other words"],
  ["12 may or may not do", [], "twice"],
  ["we march 10 miles and they march on", [], "march as a verb"],
  ["from February to March", [on(null, 2), on(null, 3)], "from one month to another"],
  ["March 10 release", [on(null, 3, 10)], "march as a month"],
  ["May 10, 11 May when it rained, on 12 May people came", [on(null, 5, 10), on(null, 5, 11), on(null, 5, 12)], "days"],
  ["the 9th of May we met, May 8th we parted", [on(null, 5, 9), on(null, 5, 8)], "ordinals are sure"],
  ["this May", [on(null, 5)], "a month at the end"],
  ["in May. 10 people came", [on(null, 5)], "a sentence ends"],
  ["in\n May\t 2024", [on(2024, 5)], "any space"],
  ["error 1234-12", [], "no year that one asks for"],
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
    const key = ({ year, month, day, reachDays }: DateMention) => `${year} ${month} ${day} ${reachDays}`;
    assert.deepEqual(datesIn(question, NOW, UTC).map(key).toSorted(), mentions.map(key).toSorted());
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
  [on(2026, 1, 5, 6), Date.UTC(2026, 0, 5), 1, "the first day of a stretch"],
  [on(2026, 1, 5, 6), Date.UTC(2026, 0, 11, 23), 1, "the last day of a stretch"],
  [on(2026, 1, 5, 6), Date.UTC(2026, 0, 12), 0.5, "outside of it"],
  [on(2026, 1, 5, 6), Date.UTC(2026, 0, 21), 0.5, "ten days after it"],
  [on(2026, 1, 5, 6), Date.UTC(2026, 0, 22), 0, "beyond"],
  [on(2026, 1, 5, 6), Date.UTC(2025, 11, 25), 0, "and before"],
  [inYear(2025), Date.UTC(2025, 0, 1), 1, "in the year"],
  [inYear(2025), Date.UTC(2025, 11, 31, 23), 1, "to its end"],
  [inYear(2025), Date.UTC(2026, 0, 31), 0.3, "told the month after"],
  [inYear(2025), Date.UTC(2026, 1, 1), 0, "later"],
  [inYear(2025), Date.UTC(2024, 11, 31), 0, "before"],
];
for (const [asked, at, expected, why] of nearnesses)
  test(`${new Date(at).toISOString()} is ${expected} near to ${JSON.stringify(asked)}: ${why}`, () => {
    assert.equal(dateNearness([asked], at, UTC), expected);
    assert.equal(dateNearness([on(1900, 1, 1), asked], at, UTC), expected, "the nearest one counts");
  });

test("last week is the week before this one, and about a week back, on every day of the week", () => {
  for (let today = 0; today < 7; today += 1) {
    const now = Date.UTC(2026, 0, 12 + today, 9);
    const full = Array.from({ length: 20 }, (_, days) => days).filter(
      (days) => dateNearness(datesIn("what did we do last week", now, UTC), now - days * DAY_MS, UTC) === 1,
    );
    const expected = Array.from({ length: 20 }, (_, days) => days).filter(
      (days) => (days > today && days <= today + 7) || (days >= 4 && days <= 10),
    );
    assert.deepEqual(full, expected, `day ${today}`);
  }
});

test("no date asked, no nearness; nor at a time that is none", () => {
  assert.equal(dateNearness([], NOW, UTC), 0);
  assert.equal(dateNearness([on(2023, 5, 8), on(null, 5)], NaN, UTC), 0);
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
        timeZone: "UTC",
        year: "numeric",
        month: "long",
        day: "numeric",
      });
      for (const text of [iso, written]) {
        assert.deepEqual(datesIn(`what happened on ${text}?`, NOW, UTC), [mention], text);
        assert.equal(dateNearness(datesIn(text, NOW, UTC), date.getTime(), UTC), 1, text);
      }
    }),
  );
});

test("whatever is asked, dates are possible and nearness is a share", () => {
  const piece = fc.constantFrom(
    ..."2026 02 30 -02 -30 13 may in march 3rd of , ago days 12 yesterday é ＿ 月 last week two months dec. on friday".split(
      " ",
    ),
  );
  const text = fc.oneof(
    fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
    fc.array(piece).map((pieces) => pieces.join(" ")),
    fc.array(piece).map((pieces) => pieces.join("")),
  );
  fc.assert(
    fc.property(text, fc.integer({ min: -8.64e15, max: 8.64e15 }), (question, at) => {
      const mentions = datesIn(question, NOW, UTC);
      for (const { year, month, day } of mentions) {
        const date = new Date(Date.UTC(year ?? 2024, month ?? 0, day ?? 1));
        assert.deepEqual([date.getUTCMonth(), date.getUTCDate()], [month ?? 0, day ?? 1]);
      }
      const nearness = dateNearness(mentions, at, UTC);
      assert.ok(nearness >= 0 && nearness <= 1);
    }),
    { numRuns: runs(300) },
  );
});

test("a hostile question comes back", () => {
  const [count, dates] = [
    8_000,
    Array.from({ length: 3_650 }, (_, index) => new Date(index * DAY_MS).toISOString().slice(0, 10)),
  ];
  const short = [
    "may ",
    "1 ",
    "12 of ",
    "in may ",
    "2026-01-01 ",
    "3 days ago ",
    "9".repeat(10),
    " \n",
    "on the 12th of ",
  ];
  const long = ["may 10 people ", "we march 10 ", "a couple of ", "last week ", "on friday, the ", "in 2025 ", "dec. "];
  for (const text of [...short, ...long]) {
    const mentions = datesIn(text.repeat(count), NOW, UTC);
    assert.ok(mentions.length <= 1 && dateNearness(mentions, NOW, UTC) >= 0, text);
  }
  assert.equal(datesIn(dates.join(" "), NOW, UTC).length, 64, "so many at most");
});

test("a day is the day in the zone, of the question and of what is judged", () => {
  const zone = zoneNamed("America/New_York")!;
  const evening = Date.parse("2026-01-15T22:30:00-05:00");
  assert.deepEqual(datesIn("today", evening, zone), [on(2026, 1, 15)]);
  assert.deepEqual(datesIn("today", evening, UTC), [on(2026, 1, 16)]);
  const twoDaysBefore = Date.parse("2026-01-13T23:00:00-05:00");
  assert.equal(dateNearness([on(2026, 1, 15)], twoDaysBefore, zone), 0.5);
  assert.equal(dateNearness([on(2026, 1, 15)], twoDaysBefore, UTC), 1);
});

test("a question without a date that counts from today asks for no zone", () => {
  const zone = {
    name: "none",
    offsetMs: () => assert.fail("asked"),
  };
  assert.deepEqual(datesIn("why did the build break", NOW, zone), []);
  assert.deepEqual(datesIn("on 3 May 2023", NOW, zone), [on(2023, 5, 3)]);
  assert.equal(dateNearness([], NOW, zone), 0);
});
