import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { zoneNamed } from "../../src/time/calendar.ts";
import { TimeAnchor, timeAnchor } from "../../src/time/time-anchor.ts";

const HOUR_MS = 3_600_000;
const anchorIn = (name: string, at: string): TimeAnchor => timeAnchor(Date.parse(at), zoneNamed(name)!);

test("an afternoon in New York", () => {
  assert.deepEqual(anchorIn("America/New_York", "2026-02-25T19:30:00Z"), {
    epochMs: 1_772_047_800_000,
    iso: "2026-02-25T14:30:00.000-05:00",
    timezone: "America/New_York",
    utcOffset: "-05:00",
    timeOfDay: "2:30 PM",
    date: "Wednesday, February 25, 2026",
    dateShort: "Feb 25",
    dayOfWeek: "Wednesday",
    isWeekend: false,
    weekNumber: 9,
    startOfDay: 1_771_995_600_000,
    endOfDay: 1_772_081_999_999,
    startOfNextDay: 1_772_082_000_000,
    startOfYesterday: 1_771_909_200_000,
    startOfWeek: Date.parse("2026-02-23T00:00:00-05:00"),
    endOfWeek: Date.parse("2026-03-02T00:00:00-05:00") - 1,
    startOfNextWeek: Date.parse("2026-03-02T00:00:00-05:00"),
  });
});

test("days on which clocks change", () => {
  const cases: [zone: string, noon: string, start: string, hours: number][] = [
    ["America/New_York", "2026-03-08T12:00:00-04:00", "2026-03-08T00:00:00-05:00", 23],
    ["America/New_York", "2026-11-01T12:00:00-05:00", "2026-11-01T00:00:00-04:00", 25],
    ["Europe/Berlin", "2026-03-29T12:00:00+02:00", "2026-03-29T00:00:00+01:00", 23],
    ["Europe/Berlin", "2026-10-25T12:00:00+01:00", "2026-10-25T00:00:00+02:00", 25],
    // Half an hour.
    ["Australia/Lord_Howe", "2026-10-04T12:00:00+11:00", "2026-10-04T00:00:00+10:30", 23.5],
    ["Australia/Lord_Howe", "2026-04-05T12:00:00+10:30", "2026-04-05T00:00:00+11:00", 24.5],
    // Midnight does not exist: the day begins at 1 AM.
    ["America/Sao_Paulo", "2018-11-04T12:00:00-02:00", "2018-11-04T01:00:00-02:00", 23],
    // The hour before midnight is repeated.
    ["America/Sao_Paulo", "2018-02-17T12:00:00-02:00", "2018-02-17T00:00:00-02:00", 25],
    // Clocks went from 23:30 to 0:30.
    ["America/Toronto", "1919-03-31T12:00:00-04:00", "1919-03-31T00:30:00-04:00", 23.5],
  ];
  assert.deepEqual(
    cases.map(([zone, noon]) => {
      const { startOfDay, startOfNextDay, endOfDay } = anchorIn(zone, noon);
      assert.equal(endOfDay, startOfNextDay - 1);
      return [zone, startOfDay, (startOfNextDay - startOfDay) / HOUR_MS];
    }),
    cases.map(([zone, , start, hours]) => [zone, Date.parse(start), hours]),
  );
});

test("both passes of a repeated hour differ by their offset", () => {
  const passes = ["2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z"].map((at) => anchorIn("America/New_York", at));
  assert.deepEqual(
    passes.map(({ timeOfDay, utcOffset }) => `${timeOfDay} ${utcOffset}`),
    ["1:30 AM -04:00", "1:30 AM -05:00"],
  );
});

test("a day that a zone skipped is not yesterday", () => {
  const { date, startOfDay, startOfYesterday } = anchorIn("Pacific/Apia", "2011-12-31T12:00:00+14:00");
  assert.equal(date, "Saturday, December 31, 2011");
  assert.equal(startOfDay, Date.parse("2011-12-31T00:00:00+14:00"));
  assert.equal(startOfYesterday, Date.parse("2011-12-29T00:00:00-10:00"));
});

test("weeks by ISO 8601", () => {
  const cases: [day: string, week: number][] = [
    ["2024-12-29", 52],
    ["2024-12-30", 1],
    ["2026-01-01", 1],
    ["2020-12-31", 53],
    ["2021-01-03", 53],
    ["2021-01-04", 1],
    ["2027-01-01", 53],
  ];
  assert.deepEqual(
    cases.map(([day]) => [day, anchorIn("UTC", `${day}T12:00:00Z`).weekNumber]),
    cases,
  );
});

test("midnight, noon and offsets are written as people do", () => {
  const shown = (zone: string, at: string) => {
    const { timeOfDay, utcOffset, dateShort, isWeekend } = anchorIn(zone, at);
    return [timeOfDay, utcOffset, dateShort, isWeekend];
  };
  assert.deepEqual(shown("UTC", "2026-02-28T00:05:00Z"), ["12:05 AM", "+00:00", "Feb 28", true]);
  assert.deepEqual(shown("Asia/Kolkata", "2026-02-25T06:30:00Z"), ["12:00 PM", "+05:30", "Feb 25", false]);
  assert.deepEqual(shown("America/New_York", "1880-01-01T12:00:00Z"), ["7:03 AM", "-04:56:02", "Jan 1", false]);
});

test("zones are found in any case, and unknown ones are not", () => {
  assert.equal(zoneNamed("america/new_york")?.name, "America/New_York");
  assert.equal(zoneNamed("utc")?.name, "UTC");
  assert.equal(zoneNamed("Asia/Kolkata")?.name, "Asia/Kolkata");
  for (const name of ["", "Mars/Olympus", "New York", "x".repeat(10_000)]) assert.equal(zoneNamed(name), null);
});

test("every instant is within its day and week, which begin at midnight or when clocks skip it", () => {
  const names = [
    ...["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Sao_Paulo", "Pacific/Apia"],
    // Clocks were put back one minute after midnight, so that the new day began twice.
    ...["America/St_Johns", "Africa/Casablanca", "Asia/Kathmandu", "America/Havana", "UTC"],
  ];
  const zones = names.map((name) => zoneNamed(name)!);
  const anyInstant = fc.integer({ min: Date.parse("1990-01-01"), max: Date.parse("2040-01-01") });
  // Near the changes of clocks of St. John's, Sao Paulo, Berlin and New York.
  const changes = ["2006-10-29T02:31:00Z", "2018-11-04T03:00:00Z", "2026-03-29T01:00:00Z", "2026-11-01T06:00:00Z"];
  const nearChange = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -26 * HOUR_MS, max: 26 * HOUR_MS }))
    .map(([change, off]) => Date.parse(change) + off);
  fc.assert(
    fc.property(fc.oneof(anyInstant, nearChange), fc.constantFrom(...zones), (at, zone) => {
      const anchor = timeAnchor(at, zone);
      assert.deepEqual(TimeAnchor.parse(anchor), anchor);
      assert.equal(Date.parse(anchor.iso), at);
      assert.ok(anchor.startOfDay <= at && at < anchor.startOfNextDay);
      assert.ok(anchor.startOfWeek <= anchor.startOfDay && anchor.startOfNextDay <= anchor.startOfNextWeek);
      assert.ok(anchor.startOfYesterday < anchor.startOfDay);
      assert.equal(timeAnchor(anchor.startOfWeek, zone).dayOfWeek, "Monday");
      const { startOfDay, startOfNextDay, startOfYesterday, startOfWeek, startOfNextWeek } = anchor;
      for (const boundary of [startOfDay, startOfNextDay, startOfYesterday, startOfWeek, startOfNextWeek]) {
        const own = timeAnchor(boundary, zone);
        const isMidnight = own.iso.includes("T00:00:00.000");
        assert.ok(isMidnight || timeAnchor(boundary - 1, zone).date !== own.date, own.iso);
      }
    }),
  );
});
