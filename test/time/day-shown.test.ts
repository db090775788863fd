import assert from "node:assert/strict";
import { test } from "node:test";
import { dayIn, dayShown, shortDay, timeIn, timeShown } from "../../src/time/shown.ts";

const HOUR_MS = 3_600_000;
const zoneOf = (hours: number) => ({ name: "test", offsetMs: () => hours * HOUR_MS });
const now = Date.parse("2026-03-10T12:00:00Z");

const days: [iso: string, hours: number, shown: string][] = [
  ["2026-03-10T00:00:00Z", 0, "today"],
  ["2026-03-09T23:59:59Z", 0, "yesterday"],
  ["2026-03-09T23:59:59Z", 2, "today"],
  ["2026-03-10T00:30:00Z", -2, "yesterday"],
  ["2026-03-08T10:00:00Z", 0, "2 days ago"],
  ["2026-03-04T10:00:00Z", 0, "6 days ago"],
  ["2026-03-03T10:00:00Z", 0, "3 March"],
  ["2025-12-31T10:00:00Z", 0, "31 December 2025"],
  ["2026-04-01T10:00:00Z", 0, "1 April"],
  ["some day", 0, "some day"],
];
for (const [iso, hours, shown] of days)
  test(`${iso} at +${hours} is ${shown}`, () => assert.equal(dayShown(iso, { now, zone: zoneOf(hours) }), shown));

test("a time is that of the person's clock", () => {
  assert.equal(timeShown("2026-03-09T23:05:00Z", { now, zone: zoneOf(2) }), "today, 01:05");
  assert.equal(timeShown("never", { now, zone: zoneOf(2) }), "never");
});

test("plain text has the same day and time, however long it is kept", () => {
  assert.equal(dayIn("2026-03-09T23:05:00Z", zoneOf(2)), "2026-03-10");
  assert.equal(timeIn(Date.parse("2026-03-10T01:05:00Z"), zoneOf(-2)), "2026-03-09 23:05");
  assert.equal(timeIn("never", zoneOf(2)), "never");
  assert.equal(dayIn(8.64e15, zoneOf(2)), "8640000000000000", "a Date goes no further");
});

const shortDays: [iso: string, hours: number, shown: string][] = [
  ["2026-01-02T10:00:00Z", 0, "2 Jan"],
  ["2025-12-31T23:30:00Z", 1, "1 Jan"],
  ["2025-12-31T23:30:00Z", 0, "Dec 2025"],
];
for (const [iso, hours, shown] of shortDays)
  test(`a line says ${shown} of ${iso} in zone ${hours}`, () =>
    assert.equal(shortDay(Date.parse(iso), { now, zone: zoneOf(hours) }), shown));
