/** Tells what time it is somewhere, or when something is. */
import { Failure, nearest } from "../../errors.ts";
import { isoTimeIn, timeAnchor } from "../../logic/time/time-anchor.ts";
import { zoneNamed } from "../../logic/time/zone.ts";
import type { TimeAnchor } from "../../model/time/time-anchor.ts";
import type { Zone } from "../../model/time/zone.ts";
import { type TimeWorld, readMoment, readTime } from "./read-time.ts";

export interface TimeRequest {
  /** Resolved as said at `at`. */
  expression?: string | undefined;
  at?: string | undefined;
  zone?: string | undefined;
}

export interface ToldTime extends TimeAnchor {
  resolved: { expression: string; start: string; end: string } | null;
}

export async function tellTime({ expression, at, zone: named }: TimeRequest, world: TimeWorld): Promise<ToldTime> {
  const zone = named === undefined ? world.zone : knownZone(named);
  const saidAt = (await readMoment(at, "any", { clock: world.clock, zone })) ?? world.clock.now();
  if (expression === undefined) return { ...timeAnchor(saidAt, zone), resolved: null };
  const { atMs, startMs, endMs } = await readTime(expression, "any", { clock: { now: () => saidAt }, zone });
  const span = { start: isoTimeIn(startMs, zone), end: isoTimeIn(endMs, zone) };
  return { ...timeAnchor(atMs, zone), resolved: { expression, ...span } };
}

function knownZone(named: string): Zone {
  const zone = zoneNamed(named);
  if (zone) return zone;
  const meant = zoneMeant(named);
  throw new Failure(
    "invalid_input",
    `${JSON.stringify(named)} is no known time zone.`,
    meant === null
      ? "Use a name of the IANA database, such as Europe/Berlin, America/New_York or UTC."
      : `Did you mean ${meant}?`,
  );
}

/** By the city alone, or misspelt. */
function zoneMeant(named: string): string | null {
  const known = Intl.supportedValuesOf("timeZone");
  const city = `/${named.trim().replaceAll(" ", "_").toLowerCase()}`;
  return known.find((name) => name.toLowerCase().endsWith(city)) ?? nearest(named, known);
}
