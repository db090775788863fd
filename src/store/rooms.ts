/** The rooms that are written once for both databases. */
import type { LeaseReads } from "../ports/store/leases.ts";
import type { LedgerReads } from "../ports/store/ledger.ts";
import type { SessionReads } from "../ports/store/sessions.ts";
import { leaseReads, leaseWriters } from "./leases.ts";
import { ledgerReads, ledgerWriters } from "./ledger.ts";
import { sessionReads, sessionWriters } from "./sessions.ts";
import type { Room } from "./sql.ts";

export type SharedReads = LeaseReads & LedgerReads & SessionReads;

export const sharedReads: Room<SharedReads> = { ...leaseReads, ...ledgerReads, ...sessionReads };

export const sharedWriters = { ...leaseWriters, ...ledgerWriters, ...sessionWriters };
