/**
 * Bringing the index up to date, one run at a time in this process.
 *
 * Who asks while a run is under way shares the next one: the one under way may have looked before the change that the
 * asker is after. A run outlives whoever waits for it, and a process that ends waits for its batch.
 */
import type { OnlyNotes } from "../../model/corpus/corpus.ts";
import type { IndexRun, IndexTurns, Indexing } from "../../ports/indexing.ts";
import type { World } from "../../ports/world.ts";
import { type IndexRequest, indexProject } from "./index-project.ts";

export type RefreshRequest = Pick<IndexRequest, "only" | "patienceMs">;

export function refresh(request: RefreshRequest, world: World): IndexRun {
  const ours = turnsOf(world.indexing, request.only);
  const { isSettling: isEnding } = world.afterwards;
  function begin(): IndexRun {
    // A call of its own, so that it can be told from what was asked for, and taken back.
    const origin = { ...world.origin, verb: "index", call: world.ids.next() };
    const run: IndexRun = indexProject({ ...request, isEnding }, { ...world, origin }).finally(
      () => (ours.underWay = null),
    );
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

function turnsOf({ turns }: Indexing, only: OnlyNotes): IndexTurns {
  const own = turns.get(only) ?? { underWay: null, next: null };
  turns.set(only, own);
  return own;
}
