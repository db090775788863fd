/** Converts events and checkpoints from rows, and says which traces of sessions count. */
import type { Checkpoint } from "../../../model/capture/checkpoint.ts";
import type { SessionRecord } from "../../../model/capture/session-record.ts";

export type EventRow = Omit<SessionRecord, "payload"> & { payload: string };
export type CheckpointRow = Omit<Checkpoint, "state" | "isOpen"> & { state: string; isOpen: number };

export const toRecord = (row: EventRow): SessionRecord => ({
  ...row,
  payload: JSON.parse(row.payload) as SessionRecord["payload"],
});

export const toCheckpoint = (row: CheckpointRow): Checkpoint => ({
  ...row,
  isOpen: row.isOpen === 1,
  state: JSON.parse(row.state) as unknown,
});

export const TRACED = { events: 5_000, changes: 2_000, memories: 1_000 };
/** What these write, they write about other sessions or about none. */
export const UPKEEP = ["backfill", "extract", "import", "index", "maintain", "orient", "restore"];
/** What was extracted later is no trace of the session in which it was. */
export const EXTRACTED_SOURCES = ["extraction", "file-index", "code_index"];

/** What sessions leave on these shelves, and the name of the count. */
export const LEFT = { memory: "memories", proposal: "proposals", evidence: "evidence" } as const;
export const OUTLINED = 5_000;
export const IS_SESSION = `session <> ''`;
