/** Runs scheduled maintenance now. Repeating it is harmless. */
import type { Store } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { type ArchivedBatch, archiveEvidence } from "./archive-evidence.ts";
import { tracesAfter } from "./compact.ts";
import { expireWorking } from "./expire.ts";
import { linkMemories } from "../graph/link-memories.ts";

export interface Maintained {
  evidence: ArchivedBatch;
  working: {
    expired: number;
    /** Files that may still hold expired data. */
    traces: string[];
  };
  /** Number of memories linked to those that resemble them. */
  linked: number;
}

/** Stores that hold deleted bytes are added to `unclean`; those named in `traces` still do. */
export async function maintain(
  world: Stores & Pick<World, "clock" | "ids" | "settings" | "origin">,
  isStopped: () => boolean = () => false,
  unclean = new Set<Store>(),
): Promise<Maintained> {
  const expired = await expireWorking(world, unclean);
  const traces = await tracesAfter([...unclean]);
  const evidence: ArchivedBatch = { archived: 0, bytesBefore: 0, bytesAfter: 0 };
  for await (const batch of archiveEvidence(world)) {
    evidence.archived += batch.archived;
    evidence.bytesBefore += batch.bytesBefore;
    evidence.bytesAfter += batch.bytesAfter;
    if (isStopped()) break;
  }
  let linked = 0;
  for (const store of [world.project, world.global]) linked += await linkMemories(store, world, { isStopped });
  return { evidence, working: { expired, traces }, linked };
}
