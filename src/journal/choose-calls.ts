/**
 * Chooses the calls to undo: the latest ones of this project, or one given by id.
 *
 * All projects write to the global store, and a call may also have written to its own
 * project's. Calls of other projects are refused: from here only half of one could be undone.
 */
import { type Touched, touchedIn } from "../decisions/consent.ts";
import { Failure } from "../errors.ts";
import { handleOf } from "../memory/handles.ts";
import { nearestIds, uniqueMatch, unknownFailure } from "../memory/resolve-id.ts";
import { timeIn } from "../time/shown.ts";
import type { Stores, World } from "../world.ts";
import { recordsOf } from "./commit.ts";

/** Verbs that move items between the stores. Old entries do not record which project has the other half. */
const MOVES: ReadonlySet<string> = new Set(["promote", "rollback"]);

const LOOK = "`stele audit` lists the calls.";
const CALLS_SHOWN = 5;
const CALLS_COMPARED = 2_000;
const CALLS_SUGGESTED = 3;

/** Merges both stores by time; calls of one store keep the order in which they were written, whatever the clock. */
export async function newestCalls(
  count: number,
  { project, global, origin }: Stores & Pick<World, "origin">,
): Promise<string[]> {
  // All projects write to the global store, and the other half of their calls is in their own.
  const [one, two] = [await project.latestCalls(count), await global.latestCalls(count, origin.space)];
  const calls = new Set<string>();
  for (let [first, second] = [0, 0]; calls.size < count; ) {
    const [left, right] = [one[first], two[second]];
    if (!left && !right) break;
    const isLeft = !right || (left && (left.at - right.at || (left.call > right.call ? 1 : -1)) > 0);
    calls.add((isLeft ? one[first++] : two[second++])!.call);
  }
  return [...calls];
}

/** The call with this id, handle or unique prefix; calls of this project take precedence. */
export async function resolveCall(
  typed: string,
  { project, global, origin, zone }: Stores & Pick<World, "origin" | "zone">,
): Promise<string> {
  const limit = CALLS_SHOWN + 1;
  const own = (text: string) => global.callsWithPrefix(text, { space: origin.space, limit });
  const foreign = (text: string) => global.callsWithPrefix(text, { limit });
  const call =
    (await uniqueMatch(typed, [(text) => project.callsWithPrefix(text, { limit }), own])) ??
    (await uniqueMatch(typed, [foreign]));
  if (call !== null) return call;
  const latest = [
    ...(await project.latestCalls(CALLS_COMPARED)),
    ...(await global.latestCalls(CALLS_COMPARED, origin.space)),
  ];
  const times = new Map(latest.map((one) => [one.call, one.at]));
  const near = nearestIds(typed, [...times.keys()], CALLS_SUGGESTED);
  const suggestions = near.map((id) => `${handleOf(id)} (made ${timeIn(times.get(id)!, zone)})`);
  throw unknownFailure("call", typed, suggestions, LOOK);
}

/** A call known only to the global store must be undone in its own project, where the other half is visible. */
export async function needCall(typed: string, world: Stores & Pick<World, "origin" | "zone">): Promise<string> {
  const { project, global, origin } = world;
  const call = await resolveCall(typed, world);
  const newest = { limit: 1, offset: 0 };
  if ((await project.journal({ calls: [call] }, newest)).total > 0) return call;
  const [entry] = (await global.journal({ calls: [call] }, newest)).records;
  if (!entry) throw unknownFailure("call", typed, [], LOOK);
  if (entry.space === origin.space || (entry.space === "" && !MOVES.has(entry.verb))) return call;
  const home = (await global.spaces()).find(({ id }) => id === entry.space);
  throw new Failure(
    "conflict",
    `Call ${handleOf(call)} (${entry.verb}) ${entry.space ? "was" : "seems to have been"} made from another project.`,
    home ? `Roll it back in ${home.root}.` : "That project is no longer known; change the items directly.",
  );
}

/** What these calls did to decisions. */
export function decisionsIn(calls: readonly string[], { project, global }: Stores): Promise<Touched> {
  const query = { calls, shelf: "decision" } as const;
  async function* records() {
    yield* recordsOf(project, query);
    yield* recordsOf(global, query);
  }
  return touchedIn(records(), calls);
}
