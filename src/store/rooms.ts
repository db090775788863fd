/** The rooms that are written once for both databases. */
import { captureReads, captureWriters } from "./capture.ts";
import { accessReads, type CareLog, careReads, careWriters } from "./care.ts";
import { type ContextLog, contextReads, contextWriters } from "./context.ts";
import { decisionReads } from "./decisions.ts";
import { edgeReads } from "./edges.ts";
import { fileReads, fileWriters } from "./files.ts";
import { itemIds } from "./ids.ts";
import { journalReads } from "./journal.ts";
import { leaseReads, leaseWriters } from "./leases.ts";
import { ledgerReads, ledgerWriters } from "./ledger.ts";
import { queueReads } from "./queue.ts";
import { sessionReads, sessionWriters } from "./sessions.ts";
import { spaceReads, spaceWriters } from "./spaces.ts";
import type { Room } from "./sql.ts";
import type {
  CaptureReads,
  CareReads,
  ContextReads,
  CorpusReads,
  DecisionReads,
  EdgeReads,
  ItemReads,
  JournalReads,
  LeaseReads,
  LedgerReads,
  QueueReads,
  SessionReads,
  SpaceReads,
} from "./store.ts";
import { symbolReads } from "./symbols.ts";

export type SharedReads = CaptureReads &
  Omit<CareReads, "size"> &
  ContextReads &
  CorpusReads &
  DecisionReads &
  EdgeReads &
  Pick<ItemReads, "idsWithPrefix" | "newestIds" | "queriesFor"> &
  Omit<JournalReads, "journal"> &
  LeaseReads &
  LedgerReads &
  QueueReads &
  SessionReads &
  SpaceReads;

export const sharedReads: Room<SharedReads> = {
  ...captureReads,
  ...careReads,
  ...contextReads,
  ...accessReads,
  ...decisionReads,
  ...edgeReads,
  ...fileReads,
  ...itemIds,
  ...journalReads,
  ...leaseReads,
  ...ledgerReads,
  ...queueReads,
  ...sessionReads,
  ...spaceReads,
  ...symbolReads,
};

export const sharedWriters = (log: CareLog & ContextLog) => ({
  ...captureWriters,
  ...careWriters(log),
  ...contextWriters(log),
  ...fileWriters,
  ...leaseWriters,
  ...ledgerWriters,
  ...sessionWriters,
  ...spaceWriters,
});
