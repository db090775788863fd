/** The rooms that are written once for both databases. */
import type { CaptureReads } from "../ports/store/capture.ts";
import type { CareReads } from "../ports/store/care.ts";
import type { CorpusReads } from "../ports/store/corpus.ts";
import type { ContextReads } from "../ports/store/context.ts";
import type { LeaseReads } from "../ports/store/leases.ts";
import type { LedgerReads } from "../ports/store/ledger.ts";
import type { SessionReads } from "../ports/store/sessions.ts";
import { captureReads, captureWriters } from "./capture.ts";
import { type CareLog, careReads, careWriters } from "./care.ts";
import { type ContextLog, contextReads, contextWriters } from "./context.ts";
import { fileReads, fileWriters } from "./files.ts";
import { leaseReads, leaseWriters } from "./leases.ts";
import { ledgerReads, ledgerWriters } from "./ledger.ts";
import { sessionReads, sessionWriters } from "./sessions.ts";
import { symbolReads } from "./symbols.ts";
import type { Room } from "./sql.ts";

export type SharedReads = CaptureReads &
  Omit<CareReads, "size"> &
  ContextReads &
  CorpusReads &
  LeaseReads &
  LedgerReads &
  SessionReads;

export const sharedReads: Room<SharedReads> = {
  ...captureReads,
  ...careReads,
  ...contextReads,
  ...fileReads,
  ...leaseReads,
  ...ledgerReads,
  ...sessionReads,
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
});
