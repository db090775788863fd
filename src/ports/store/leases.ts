/** Leases ensure that only one process at a time does a piece of work. */
export interface LeaseReads {
  /**
   * The current holder of this lease, if any. One that ends more than a minute later than a lease taken now, which
   * would last `lastsMs`, was taken while the clock was ahead; nobody holds it.
   */
  leaseHolder(name: string, now: number, lastsMs: number): Promise<string | null>;
}
