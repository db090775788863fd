/** Times that maintenance has read from the clock of the machine. */
export interface ClockMarks {
  /** The latest one that the clock has confirmed. */
  settledAt: number | null;
  /** The one that waits to be confirmed. */
  pendingAt: number | null;
}
