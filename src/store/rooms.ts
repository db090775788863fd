/** The rooms that are written once for both databases. */
import type { CaptureReads } from "../ports/store/capture.ts";
import type { ContextReads } from "../ports/store/context.ts";
import type { LeaseReads } from "../ports/store/leases.ts";
import type { LedgerReads } from "../ports/store/ledger.ts";
import type { SessionReads } from "../ports/store/sessions.ts";
import { captureReads, captureWriters } from "./capture.ts";
import { type ContextLog, contextReads, contextWriters } from "./context.ts";
import { leaseReads, leaseWriters } from "./leases.ts";
import { ledgerReads, ledgerWriters } from "./ledger.ts";
import { sessionReads, sessionWriters } from "./sessions.ts";
import type { Room } from "./sql.ts";

export type SharedReads = CaptureReads & ContextReads & LeaseReads & LedgerReads & SessionReads;

export const sharedReads: Room<SharedReads> = {
  ...captureReads,
  ...contextReads,
  ...leaseReads,
  ...ledgerReads,
  ...sessionReads,
};

export const sharedWriters = (log: ContextLog) => ({
  ...captureWriters,
  ...contextWriters(log),
  ...leaseWriters,
  ...ledgerWriters,
  ...sessionWriters,
});
