/** Keys of the table of facts that every engine uses. */

/** Key of the time of the last check of all files. */
export const LAST_LOOK = "last_look";
/** Key of the number of document changes; a trigger counts removals. */
export const CHANGES = "document_changes";
/** Key of that number at the last ranking. */
export const RANKED = "ranked_changes";

/** When maintenance last ran, the times it noted, and the rules by which everything was last redacted. */
export const MAINTENANCE_KEYS = {
  maintainedAt: "maintained_at",
  redactedBy: "redacted_by",
  settledAt: "clock_settled_at",
  pendingAt: "clock_pending_at",
} as const;
