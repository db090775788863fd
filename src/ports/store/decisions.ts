/** Reads decisions without their text, the evidence behind them, and old or archived evidence. */
import type { Item } from "../../model/memory/item.ts";
import type { DecisionOutline, Filter, Ranked } from "../../model/recall/search.ts";

/** Evidence that may be old enough to archive. */
export interface AgedEvidence extends Pick<Item, "id" | "updatedAt"> {
  /** The length of its text. */
  bytes: number;
}

export interface DecisionReads {
  /** Every decision that has not expired, without its text. */
  decisionOutlines(now: number): Promise<DecisionOutline[]>;
  /** Ids of the decisions that list this one as related. */
  decisionsRelatingTo(id: string): Promise<string[]>;
  /** The subjects of decisions that rest on evidence. Reads no decision. */
  subjectsOfEvidence(): Promise<string[]>;
  /** The evidence behind decisions about these subjects, each as its first passage, newest first. */
  evidenceAbout(subjects: readonly string[], filter: Filter, limit: number): Promise<Ranked[]>;
  /** Active evidence last kept before this time, oldest first. */
  agedEvidence(before: number, page: { after: AgedEvidence | null; limit: number }): Promise<AgedEvidence[]>;
  /** Ids of archived evidence after `after`, newest first. Its text is not indexed. */
  archivedEvidence(filter: Filter, page: { after: string | null; limit: number }): Promise<string[]>;
  /** The size of archived evidence. */
  archivedBytes(ids: readonly string[]): Promise<number>;
}
