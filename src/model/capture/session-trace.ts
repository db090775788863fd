/** The last that is known of a session, by one kind of trace. */
export interface SessionTrace {
  session: string;
  /** Empty if unknown. */
  host: string;
  /** event: a hook or an agent reported it; write: a verb changed something, other than upkeep. */
  by: "event" | "write";
  lastAt: number;
  /** When the session was last reported to end; null if never. */
  endedAt: number | null;
}
