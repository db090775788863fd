/** The person's zone: what the settings name, else the system's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createZone } from "../../src/machine/clock.ts";
import { zoneNamed } from "../../src/time/calendar.ts";

test("the system's zone shows what the system's clock shows", () => {
  const system = createZone(undefined);
  const named = zoneNamed(system.name)!;
  const anyInstant = fc.integer({ min: Date.parse("1850-01-01"), max: Date.parse("2100-01-01") });
  fc.assert(
    fc.property(anyInstant, (at) => {
      assert.equal(system.offsetMs(at), named.offsetMs(at));
      assert.equal(new Date(at + system.offsetMs(at)).getUTCHours(), new Date(at).getHours());
    }),
  );
});

test("the settings name another", () => {
  const zone = createZone("Asia/Kolkata");
  assert.equal(zone.name, "Asia/Kolkata");
  assert.equal(zone.offsetMs(Date.UTC(2026, 0, 1)), 5.5 * 3_600_000);
});

test("an unknown zone is reported once it is needed", () => {
  const zone = createZone("Mars/Olympus");
  const expected = { code: "invalid_input", message: /time\.zone is "Mars\/Olympus"/ };
  assert.throws(() => zone.offsetMs(0), expected);
  assert.throws(() => zone.name, expected);
});

test("a system that names no zone, or none that exists, has UTC", (context) => {
  const before = process.env["TZ"];
  context.after(() => (before === undefined ? delete process.env["TZ"] : (process.env["TZ"] = before)));
  for (const named of ["", "Mars/Olympus"]) {
    process.env["TZ"] = named;
    assert.equal(createZone(undefined).name, "UTC", named);
  }
});
