/** Reads what callers write as a time, by the person's clock and zone. Most calls name none, and load nothing. */
import { Failure } from "../../errors.ts";
import type { Tense } from "../../logic/time/date-phrase.ts";
import type { ResolvedTime } from "../../logic/time/resolve-time.ts";
import type { Filter } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";

export type TimeWorld = Pick<World, "clock" | "zone">;

const HINT =
  'Write it like yesterday, "3 days ago", "next monday at 5pm", "March 3", 2026-01-31 or 2026-01-31T09:00:00Z.';

export async function readTime(words: string, tense: Tense, { clock, zone }: TimeWorld): Promise<ResolvedTime> {
  const { resolveTime } = await import("../../logic/time/resolve-time.ts");
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
