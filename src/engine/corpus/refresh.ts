/**
 * Brings the index up to date, with one run at a time in this process.
 *
 * Requests made during a run share the next one, because the current run may have checked a file before it changed. A
 * run continues even if its callers stop waiting, and an exiting process waits for its current batch.
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
    // Its own call, so that it can be distinguished and undone separately.
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
