/** Reads what callers write as a time, by the person's clock and zone. Most calls name none, and load nothing. */
import { Failure, nearest } from "../errors.ts";
import type { Filter } from "../recall/search.ts";
import type { World } from "../world.ts";
import { type Zone, zoneNamed } from "./calendar.ts";
import type { ResolvedTime, Tense } from "./phrases.ts";
import { isoTimeIn, type TimeAnchor, timeAnchor } from "./time-anchor.ts";

export type TimeWorld = Pick<World, "clock" | "zone">;

const HINT =
  'Write it like yesterday, "3 days ago", "next monday at 5pm", "March 3", 2026-01-31 or 2026-01-31T09:00:00Z.';

async function readTime(words: string, tense: Tense, { clock, zone }: TimeWorld): Promise<ResolvedTime> {
  const { resolveTime } = await import("./phrases.ts");
  const found = resolveTime(words, { nowMs: clock.now(), zone, tense });
  if (found) return found;
  throw new Failure("invalid_input", `${JSON.stringify(words)} is not understood as a time.`, HINT);
}

/** The moment meant, or undefined if none is given. */
export const readMoment = async (
  words: string | undefined,
  tense: Tense,
  world: TimeWorld,
): Promise<number | undefined> => (words === undefined ? undefined : (await readTime(words, tense, world)).atMs);

/** Everything from the beginning of `since` up to the end of `until`: both days belong to it. */
export async function readPeriod(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  world: TimeWorld,
): Promise<Pick<Filter, "createdAfter" | "createdBefore">> {
  return {
    ...(since !== undefined && { createdAfter: (await readTime(since, "past", world)).startMs }),
    ...(until !== undefined && { createdBefore: (await readTime(until, "past", world)).endMs }),
  };
}

/** Tells what time it is somewhere, or when something is. */
interface TimeRequest {
  /** Resolved as said at `at`. */
  expression?: string | undefined;
  at?: string | undefined;
  zone?: string | undefined;
}

interface ToldTime extends TimeAnchor {
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
