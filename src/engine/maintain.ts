/** Maintenance: everything that time alone asks for, done now. Doing it twice is doing it once. */
import type { World } from "../ports.ts";
import { type ArchivedBatch, archiveEvidence } from "./archive-evidence.ts";

export interface Maintained {
  evidence: ArchivedBatch;
}

export async function maintain(world: World, isStopped: () => boolean = () => false): Promise<Maintained> {
  const evidence: ArchivedBatch = { archived: 0, bytesBefore: 0, bytesAfter: 0 };
  for await (const batch of archiveEvidence(world)) {
    evidence.archived += batch.archived;
    evidence.bytesBefore += batch.bytesBefore;
    evidence.bytesAfter += batch.bytesAfter;
    if (isStopped()) break;
  }
  return { evidence };
}
