/** Reports what is stored, where, and what is pending. Loads no model. */
import type { StoreReport } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";

export interface Inspection {
  root: string;
  branch: string | null;
  spaceId: string;
  readOnly: boolean;
  embedder: { identity: string; state: string };
  waiting: number;
  stores: { project: StoreReport; global: StoreReport };
}

export async function inspect(world: Stores & Pick<World, "place" | "embedder">): Promise<Inspection> {
  const [project, global] = await Promise.all([world.project.report(), world.global.report()]);
  const { identity, dimensions } = world.embedder;
  const stores = dimensions > 0 ? [world.project, world.global] : [];
  const waiting = await Promise.all(stores.map((store) => store.waitingCount(identity)));
  return {
    root: world.place.root,
    branch: world.place.branch(),
    spaceId: world.place.spaceId,
    readOnly: world.project.readOnly,
    embedder: { identity, state: world.embedder.state() },
    waiting: waiting.reduce((sum, count) => sum + count, 0),
    stores: { project, global },
  };
}
