/**
 * Bringing the index up to date, one run at a time in this process.
 *
 * Who asks while a run is under way shares the next one: the one under way may have looked before the change that the
 * asker is after. A run outlives whoever waits for it, and a process that ends waits for its batch.
 */
import type { Store } from "../../ports/store.ts";
import type { World } from "../../ports/world.ts";
import { type IndexRequest, type Indexed, indexProject } from "./index-project.ts";

export type RefreshRequest = Pick<IndexRequest, "only" | "patienceMs">;
type Run = Promise<Indexed | null>;

interface Turns {
  underWay: Run | null;
  /** Waits for the one under way. */
  next: Run | null;
}

const turns = new WeakMap<Store, Map<RefreshRequest["only"], Turns>>();

/** Null when another process is at it, or this one is about to end. */
export function refresh(request: RefreshRequest, world: World): Run {
  const ours = turnsOf(world.project, request.only);
  const { isSettling: isEnding } = world.afterwards;
  function begin(): Run {
    // A call of its own, so that it can be told from what was asked for, and taken back.
    const origin = { ...world.origin, verb: "index", call: world.ids.next() };
    const run: Run = indexProject({ ...request, isEnding }, { ...world, origin }).finally(() => (ours.underWay = null));
    ours.underWay = run;
    world.afterwards.add("bring the index up to date", () => run);
    return run;
  }
  const follow = async () => {
    ours.next = null;
    return isEnding() ? null : begin();
  };
  if (!ours.next && !ours.underWay) return begin();
  return (ours.next ??= ours.underWay!.then(follow, follow));
}

/** Notes alone are looked at apart. */
function turnsOf(store: Store, only: RefreshRequest["only"]): Turns {
  const all = turns.get(store) ?? new Map<RefreshRequest["only"], Turns>();
  turns.set(store, all);
  const own = all.get(only) ?? { underWay: null, next: null };
  all.set(only, own);
  return own;
}
