/** Leases: which process is doing a piece of work, so that no other does it at the same time. */
export interface LeaseReads {
  /** The current holder of this lease, if any. */
  leaseHolder(name: string, now: number): Promise<string | null>;
}
