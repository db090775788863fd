/** One piece of evidence, whole, with who said what in it. Reading it counts as access. */
import { Failure } from "../errors.ts";
import type { Item } from "../model/item.ts";
import type { Passage } from "../model/shelf.ts";
import type { World } from "../ports.ts";

export async function readEvidence(id: string, world: World): Promise<{ item: Item; passages: Passage[] }> {
  const { project } = world;
  const [found] = await project.whole("evidence", [id]);
  if (!found) throw new Failure("not_found", `There is no evidence ${id}.`, "Ask `why` to find it.");
  if (!project.readOnly) {
    const touches = [{ id, how: "get" as const, relevance: null }];
    const at = world.clock.now();
    world.afterwards.add("note what was read", () =>
      project.apply([{ kind: "touch_items", shelf: "evidence", touches, query: null, at }], world.origin, {
        impatient: true,
      }),
    );
  }
  return found;
}
