/** The store's leases: who does a piece of work, so that nobody else does it at the same time. */
export interface LeaseReads {
  /** Who does this work at this time, if anybody. */
  leaseHolder(name: string, now: number): Promise<string | null>;
}
