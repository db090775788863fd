/** When a file is worth rewriting to give free space back to the disk. */
const LEAST_BYTES = 1_000_000;
const LEAST_SHARE = 0.25;

/** Much of it must be free, because rewriting a file takes as long as copying what remains. */
export const isWorthRewriting = ({ bytes, freeBytes }: { bytes: number; freeBytes: number }): boolean =>
  freeBytes >= LEAST_BYTES && freeBytes >= bytes * LEAST_SHARE;
