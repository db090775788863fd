/** Reads one item in full, with its predecessors. Counts as access, unless it is only looked at. */
import type { Memory } from "../../model/memory/memory-view.ts";
import type { LookupWorld, World } from "../../ports/world.ts";
import { turnIn, turnText } from "../../logic/sessions/packed-turn.ts";
import { evidenceLeft } from "../capture/captured-evidence.ts";
import { hasEdges } from "../../model/memory/edges.ts";
import { conditionsOf, nearOfItems } from "./neighbours.ts";
import { findItem } from "./find-item.ts";
import { resolveId, unknownIdFailure } from "./resolve-id.ts";
import { memoryOf } from "./view.ts";

export async function getItem(
  { id: typed, quiet = false }: { id: string; quiet?: boolean },
  world: LookupWorld & Pick<World, "afterwards" | "origin">,
): Promise<{ memory: Memory; history: Memory[] }> {
  const id = await resolveId(typed, "item", world);
  const found = await findItem(id, world);
  if (!found) throw await unknownIdFailure(typed, "item", world);
  const { item, shelf, store } = found;
  if (!store.readOnly && !quiet) {
    const touches = [{ id, how: "get" as const, relevance: null }];
    const at = world.clock.now();
    world.afterwards.add("note what was read", () =>
      store.apply([{ kind: "touch_items", shelf, touches, query: null, at }], world.origin, { impatient: true }),
    );
  }
  const history = await store.replacedBy(shelf, [id]);
  const memory = memoryOf(shelf, item);
  // Whatever an imported memory says of itself, only evidence is a turn.
  const turn = shelf === "evidence" ? turnIn(item) : null;
  if (turn !== null) memory.content = turnText(turn);
  // Other memories may have been erased together with it.
  if (memory.evidence) memory.evidence = await evidenceLeft(memory.evidence, world.project);
  const beside = await nearOfItems([id], world);
  if (beside.has(id)) memory.near = beside.get(id)!;
  const when = hasEdges(shelf) ? (await conditionsOf([id], shelf, world)).get(id) : undefined;
  if (when) memory.conditions = when;
  return { memory, history: history.map((past) => memoryOf(shelf, past)) };
}
