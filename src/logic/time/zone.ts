/**
 * Zones, and the way from a clock's time to the instant and back.
 *
 * A local time is written as the instant at which a clock in UTC shows it. Clocks are put forward and back: a local time
 * may not exist, or twice. The first formatter of a process takes tens of milliseconds to make, so it is made when an offset is needed.
 */
import { DAY_MS } from "../../model/duration.ts";
import type { Zone } from "../../model/time/zone.ts";

/** The last moment that a Date can represent. */
const LATEST_MS = 8.64e15;

export const UTC: Zone = { name: "UTC", offsetMs: () => 0 };

/** Null if the system knows no such zone. */
export function zoneNamed(name: string): Zone | null {
  if (name.toUpperCase() === "UTC") return UTC;
  let formatter: Intl.DateTimeFormat;
  try {
    formatter = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch (thrown) {
    if (thrown instanceof RangeError) return null;
    throw thrown;
  }
  // The system may prefer an older name of the same zone; only its upper and lower case is of use.
  const known = formatter.resolvedOptions().timeZone;
  return {
    name: known.toLowerCase() === name.toLowerCase() ? known : name,
    // A formatter throws on what is no date.
    offsetMs: (at) => (Math.abs(at) <= LATEST_MS ? offsetIn(formatter.format(at)) : 0),
  };
}

/** From a text such as "1/31/2026, GMT-05:00"; clocks once went by the sun, so there may be seconds. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds = "0"] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text) ?? [];
  if (sign === undefined) return 0;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return (sign === "+" ? size : -size) * 1_000;
}

export const localTime = (at: number, zone: Zone): number => at + zone.offsetMs(at);

export const localDay = (at: number, zone: Zone): number => Math.floor(localTime(at, zone) / DAY_MS);

/** The instant of a local time: the first if it occurs twice; as much later as clocks were put forward if it was skipped. */
export const instantOf = (local: number, zone: Zone): number =>
  instantsOf(local, zone)[0] ?? local - zone.offsetMs(local - DAY_MS);

/**
 * The first instant of a day: midnight, or when clocks were put forward past it. Where midnight occurs twice, `after`
 * asks for the one after this instant.
 */
export const startOfDay = (day: number, zone: Zone, after = -Infinity): number =>
  instantsOf(day * DAY_MS, zone).find((at) => at > after) ?? firstAtOrAfter(day * DAY_MS, zone);

/** When clocks show this time: usually once. */
function instantsOf(local: number, zone: Zone): number[] {
  const offsets = new Set([zone.offsetMs(local - DAY_MS), zone.offsetMs(local + DAY_MS)]);
  return [...offsets]
    .map((offset) => local - offset)
    .filter((at) => localTime(at, zone) === local)
    .sort((one, other) => one - other);
}

/** When clocks were put forward past a time that they never showed. */
function firstAtOrAfter(local: number, zone: Zone): number {
  let [before, at] = [local - DAY_MS, local + DAY_MS];
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2);
    if (localTime(middle, zone) < local) before = middle;
    else at = middle;
  }
  return at;
}
