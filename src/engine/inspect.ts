/** What Stele holds and how it is doing, for a person who wants to see. Loads no model. */
import type { StoreReport, World } from "../ports.ts";

export interface Inspection {
  root: string;
  branch: string | null;
  spaceId: string;
  readOnly: boolean;
  embedder: { identity: string; state: string };
  waiting: number;
  stores: { project: StoreReport; global: StoreReport };
}

export async function inspect(world: World): Promise<Inspection> {
  const [project, global] = await Promise.all([world.project.report(), world.global.report()]);
  return {
    root: world.place.root,
    branch: world.place.branch(),
    spaceId: world.place.spaceId,
    readOnly: world.project.readOnly,
    embedder: { identity: world.embedder.identity, state: world.embedder.state() },
    waiting: project.queued + global.queued,
    stores: { project, global },
  };
}
