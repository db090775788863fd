/** Reads one piece of evidence in full, with its speakers. Counts as access, unless it is only looked at. */
import { turnIn, turnText } from "../../logic/sessions/packed-turn.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import type { LookupWorld, World } from "../../ports/world.ts";
import { resolveId, unknownIdFailure } from "../memory/resolve-id.ts";

export async function readEvidence(
  { id: typed, quiet = false }: { id: string; quiet?: boolean },
  world: LookupWorld & Pick<World, "afterwards" | "origin">,
): Promise<{ item: Item; passages: Passage[]; whole: string | null }> {
  const { project } = world;
  const id = await resolveId(typed, "evidence", world);
  const [found] = await project.whole("evidence", [id]);
  if (!found) throw await unknownIdFailure(typed, "evidence", world);
  if (!project.readOnly && !quiet) {
    const touches = [{ id, how: "get" as const, relevance: null }];
    const at = world.clock.now();
    world.afterwards.add("note what was read", () =>
      project.apply([{ kind: "touch_items", shelf: "evidence", touches, query: null, at }], world.origin, {
        impatient: true,
      }),
    );
  }
  return { ...found, whole: wholeTurn(found.item) };
}

/** With the parts that are not searched; null where no more was kept. */
export function wholeTurn(item: Item): string | null {
  const turn = turnIn(item);
  return turn && turnText(turn);
}
