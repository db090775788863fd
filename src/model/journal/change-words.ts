/**
 * Words for the changes that people asked for: one vocabulary for `audit` and dry runs.
 *
 * The other changes (access, leases, vectors) are housekeeping and not reported.
 */
import type { Change, ChangeKind } from "./change.ts";

export const CHANGE_WORDS = {
  insert_item: { did: "added", would: "add" },
  revise_item: { did: "changed", would: "change" },
  remove_item: { did: "removed", would: "remove" },
  insert_edge: { did: "added", would: "add" },
  remove_edge: { did: "removed", would: "remove" },
  purge_items: { did: "erased", would: "erase" },
  redact_items: { did: "redacted", would: "redact" },
  drop_payloads: { did: "dropped", would: "drop" },
  evict_items: { did: "removed", would: "remove" },
  insert_space: { did: "added", would: "add" },
  move_space: { did: "moved", would: "move" },
} as const satisfies Partial<Record<ChangeKind, { did: string; would: string }>>;

export type ReportedKind = keyof typeof CHANGE_WORDS;
export type ReportedChange = Extract<Change, { kind: ReportedKind }>;

export const isReported = (change: Change): change is ReportedChange => Object.hasOwn(CHANGE_WORDS, change.kind);

/** What was done, from the journal; a kind that somebody edited by hand has no word. */
export const wordOf = (kind: string): string | undefined =>
  Object.hasOwn(CHANGE_WORDS, kind) ? CHANGE_WORDS[kind as ReportedKind].did : undefined;
