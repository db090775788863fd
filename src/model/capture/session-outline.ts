/** What is known of a session, counted: when it was, who held it, what it left and what it was handed. */
export interface SessionOutline {
  session: string;
  /** Empty if unknown. */
  host: string;
  firstAt: number;
  lastAt: number;
  /** When it was last reported to end; null if never. */
  endedAt: number | null;
  memories: number;
  proposals: number;
  evidence: number;
  /** How many items it was handed. */
  injected: number;
}
