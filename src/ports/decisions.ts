/** The store's decisions and the evidence they rest on: told without reading them, and evidence that grows old. */
import type { Item } from "../model/memory/item.ts";
import type { DecisionOutline, Filter, Ranked } from "../model/recall/search.ts";

/** Evidence that may be old enough to be archived. */
export interface AgedEvidence extends Pick<Item, "id" | "updatedAt"> {
  /** The length of its text. */
  bytes: number;
}

export interface DecisionReads {
  /** Every decision that has not expired, without what it says. */
  decisionOutlines(now: number): Promise<DecisionOutline[]>;
  /** Ids of the decisions that name this one as related. */
  decisionsRelatingTo(id: string): Promise<string[]>;
  /** What decisions are about that rest on evidence. No decision is read. */
  subjectsOfEvidence(): Promise<string[]>;
  /** The evidence on which decisions about these subjects rest, each by its first passage, the newest first. */
  evidenceAbout(subjects: readonly string[], filter: Filter, limit: number): Promise<Ranked[]>;
  /** Active evidence that was kept before a time, oldest first. */
  agedEvidence(before: number, page: { after: AgedEvidence | null; limit: number }): Promise<AgedEvidence[]>;
  /** Ids of archived evidence, the last first, those behind `after`. No index knows what it says. */
  archivedEvidence(filter: Filter, page: { after: string | null; limit: number }): Promise<string[]>;
  /** How much room archived evidence takes. */
  archivedBytes(ids: readonly string[]): Promise<number>;
}
