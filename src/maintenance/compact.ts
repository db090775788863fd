/** Rewrites files without deleted data. A file that could not be cleaned is reported, not an error. */
import type { Store } from "../store/store.ts";

/** When a file is worth rewriting to give free space back to the disk. */
const LEAST_BYTES = 1_000_000;
const LEAST_SHARE = 0.25;

/** Much of it must be free, because rewriting a file takes as long as copying what remains. */
export const isWorthRewriting = ({ bytes, freeBytes }: { bytes: number; freeBytes: number }): boolean =>
  freeBytes >= LEAST_BYTES && freeBytes >= bytes * LEAST_SHARE;

/** Returns the files that could not be rewritten, for lack of space or because of another process. */
export async function tracesAfter(
  stores: readonly Store[],
  before: (store: Store) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const traces: string[] = [];
  for (const store of stores) {
    const isClean = await before(store)
      .then(() => store.compact())
      .catch(() => false);
    if (!isClean) traces.push((await store.report()).path);
  }
  return traces;
}

interface Rewritten {
  rewritten: string[];
  freedBytes: number;
  /** Files that hold deleted data and could not be rewritten. */
  traces: string[];
}

/** Rewrites the files in `unclean`, which hold data that must go, and those of which much is free. */
export async function rewriteFiles(stores: readonly Store[], unclean: ReadonlySet<Store>): Promise<Rewritten> {
  const done: Rewritten = { rewritten: [], freedBytes: 0, traces: [] };
  for (const store of stores) {
    const before = await store.size();
    if (!unclean.has(store) && !isWorthRewriting(before)) continue;
    const { path } = await store.report();
    if ((await tracesAfter([store])).length > 0) {
      // Free space that stays for now is no trace.
      if (unclean.has(store)) done.traces.push(path);
      continue;
    }
    done.rewritten.push(path);
    done.freedBytes += Math.max(0, before.bytes - (await store.size()).bytes);
  }
  return done;
}
