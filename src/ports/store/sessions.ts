/** Reads what was made of sessions: cards, notes, the errors they met, verdicts on notes, and what they were handed. */
import type { Handover, MetError, NoteVerdict, ReadSession, RecurringError } from "../../model/sessions/card.ts";

export interface SessionQuery {
  /** Only sessions that were on this branch. */
  branch?: string;
  sessions?: readonly string[];
  /** Only sessions that ended before this time. */
  before?: number;
  limit: number;
}

export interface SessionReads {
  /** Ids of the captured evidence of a session, in the order in which it was said. */
  evidenceOf(session: string): Promise<string[]>;
  /** The last to end first. */
  sessionCards(query: SessionQuery): Promise<ReadSession[]>;
  /** Sessions whose card was not made of all their evidence by these rules. */
  staleSessions(rules: number, limit: number): Promise<string[]>;
  /** What other sessions did about an error, the latest first. */
  errorsMet(key: string, limit: number): Promise<MetError[]>;
  /** Errors of at least so many sessions on so many days. */
  recurringErrors(least: { sessions: number; days: number }, limit: number): Promise<RecurringError[]>;
  /**
   * Active memories that an earlier version captured by rules of its own, with the evidence that they were taken from, and
   * that nobody opened, changed, pinned or linked since. Imports from other tools name no evidence.
   */
  unusedCaptured(limit: number): Promise<string[]>;
  noteVerdicts(notes: readonly string[]): Promise<NoteVerdict[]>;
  /** The latest first. */
  handovers(query: { session?: string; since?: number; limit: number }): Promise<Handover[]>;
}
