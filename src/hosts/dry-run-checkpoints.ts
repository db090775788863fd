/**
 * The checkpoints that a dry run saves, kept beside the store, which rolls them back: a transcript is read in steps, and
 * each begins where the one before ended.
 */
import type { Checkpoint } from "../model/capture/checkpoint.ts";
import type { Change } from "../model/journal/change.ts";
import type { CaptureReads } from "../ports/store/capture.ts";

export interface DryRunCheckpoints {
  reads: Pick<CaptureReads, "checkpoint">;
  /** The changes as the store can check them: for the store, no checkpoint ever moves. */
  asStored(changes: readonly Change[]): Change[];
  /** Called when they would have been written. */
  note(changes: readonly Change[]): void;
}

type Stored = Pick<Checkpoint, "offset" | "updatedAt"> | null;

export function dryRunCheckpoints(store: CaptureReads): DryRunCheckpoints {
  const saved = new Map<string, Checkpoint | null>();
  /** As the store has them. */
  const before = new Map<string, Stored>();
  return {
    reads: {
      async checkpoint(transcript) {
        const found = saved.get(transcript);
        if (found !== undefined) return found;
        const stored = await store.checkpoint(transcript);
        before.set(transcript, stored);
        return stored;
      },
    },
    asStored: (changes) =>
      changes.map((change) => {
        if (change.kind !== "save_checkpoint" || !saved.has(change.checkpoint.transcript)) return change;
        const { expectedUpdatedAt: _, ...rest } = change;
        return { ...rest, expectedOffset: before.get(change.checkpoint.transcript)?.offset ?? null };
      }),
    note(changes) {
      for (const change of changes) {
        if (change.kind === "save_checkpoint") saved.set(change.checkpoint.transcript, change.checkpoint);
        if (change.kind === "drop_checkpoints") for (const name of change.transcripts) saved.set(name, null);
      }
    },
  };
}
