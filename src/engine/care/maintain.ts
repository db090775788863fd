/** Runs scheduled maintenance now. Repeating it is harmless. */
import type { Store } from "../../ports/store.ts";
import type { Stores, World } from "../../ports/world.ts";
import { type ArchivedBatch, archiveEvidence } from "./archive-evidence.ts";
import { tracesAfter } from "./compact.ts";
import { expireWorking } from "./expire.ts";

export interface Maintained {
  evidence: ArchivedBatch;
  working: {
    expired: number;
    /** Files that may still hold expired data. */
    traces: string[];
  };
}

/** Stores that hold deleted bytes are added to `unclean`; those named in `traces` still do. */
export async function maintain(
  world: Stores & Pick<World, "clock" | "settings" | "origin">,
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
  return { evidence, working: { expired, traces } };
}
