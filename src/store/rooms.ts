/** The rooms that are written once for both databases. */
import type { CaptureReads } from "../ports/store/capture.ts";
import type { CareReads } from "../ports/store/care.ts";
import type { CorpusReads } from "../ports/store/corpus.ts";
import type { ContextReads } from "../ports/store/context.ts";
import type { DecisionReads } from "../ports/store/decisions.ts";
import type { EdgeReads } from "../ports/store/edges.ts";
import type { ItemReads } from "../ports/store/items.ts";
import type { JournalReads } from "../ports/store/journal.ts";
import type { LeaseReads } from "../ports/store/leases.ts";
import type { LedgerReads } from "../ports/store/ledger.ts";
import type { QueueReads } from "../ports/store/queue.ts";
import type { SessionReads } from "../ports/store/sessions.ts";
import type { SpaceReads } from "../ports/store/spaces.ts";
import { captureReads, captureWriters } from "./capture.ts";
import { type CareLog, careReads, careWriters } from "./care.ts";
import { type ContextLog, contextReads, contextWriters } from "./context.ts";
import { accessReads } from "./accesses.ts";
import { decisionReads } from "./decisions.ts";
import { edgeReads } from "./edges.ts";
import { fileReads, fileWriters } from "./files.ts";
import { itemIds } from "./ids.ts";
import { leaseReads, leaseWriters } from "./leases.ts";
import { ledgerReads, ledgerWriters } from "./ledger.ts";
import { journalReads } from "./journal.ts";
import { queueReads } from "./queue.ts";
import { sessionReads, sessionWriters } from "./sessions.ts";
import { symbolReads } from "./symbols.ts";
import { spaceReads, spaceWriters } from "./spaces.ts";
import type { Room } from "./sql.ts";

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
