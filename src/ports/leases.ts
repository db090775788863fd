/** Leases ensure that only one process at a time does a piece of work. */
export interface LeaseReads {
  /** The current holder of this lease, if any. */
  leaseHolder(name: string, now: number): Promise<string | null>;
}
