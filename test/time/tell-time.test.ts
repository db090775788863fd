/** The verb `time`, by the numbers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import time from "../../src/briefing/verbs/time.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { UTC, zoneNamed } from "../../src/time/calendar.ts";
import { tellTime } from "../../src/time/read-time.ts";
import { testWorld } from "../test-world.ts";

const AT = "2026-02-25T19:30:00Z";
const world = { clock: { now: () => Date.parse("2026-06-01T10:00:00Z") }, zone: UTC };

test("a moment in another zone", async () => {
  const { answer } = await dispatch(time, { at: AT, zone: "America/New_York" }, await testWorld());
  assert.equal(answer.startOfDay, 1_771_995_600_000);
  assert.equal(
    time.render(answer),
    [
      "2:30 PM, Wednesday, February 25, 2026, week 9, America/New_York (-05:00)",
      "  2026-02-25T14:30:00.000-05:00, 1772047800000",
      "  day 1771995600000 to 1772081999999, week 1771822800000 to 1772427599999",
    ].join("\n"),
  );
});

test("an expression counts from the moment given, in the zone given", async () => {
  const { iso, resolved } = await tellTime({ expression: "next Monday", at: AT, zone: "America/New_York" }, world);
  assert.equal(iso, "2026-03-02T00:00:00.000-05:00");
  assert.deepEqual(resolved, { expression: "next Monday", start: iso, end: "2026-03-03T00:00:00.000-05:00" });
});

test("without either it is now, in the person's zone", async () => {
  assert.equal((await tellTime({}, world)).iso, "2026-06-01T10:00:00.000+00:00");
  const zone = zoneNamed("Europe/Berlin")!;
  assert.equal((await tellTime({}, { ...world, zone })).iso, "2026-06-01T12:00:00.000+02:00");
  assert.equal((await tellTime({ expression: "today" }, { ...world, zone })).iso, "2026-06-01T00:00:00.000+02:00");
  // The moment may be said in words too.
  assert.equal((await tellTime({ expression: "tomorrow", at: "March 3 2026" }, world)).dateShort, "Mar 4");
});

test("what is not understood is said, with what to write", async () => {
  const failures: [request: Parameters<typeof tellTime>[0], message: RegExp, hint: RegExp][] = [
    [{ expression: "soonish" }, /"soonish" is not understood/, /3 days ago/],
    [{ at: "2026-02-30" }, /"2026-02-30" is not understood/, /2026-01-31/],
    [{ zone: "New York" }, /"New York" is no known time zone/, /America\/New_York/],
    [{ zone: "Europe/Berln" }, /no known time zone/, /Europe\/Berlin/],
    [{ zone: "the far side of the moon, seen from here" }, /no known time zone/, /IANA/],
  ];
  for (const [request, message, hint] of failures)
    await assert.rejects(tellTime(request, world), { code: "invalid_input", message, hint });
});
