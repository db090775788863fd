/** Rewrites files without deleted data. A file that could not be cleaned is reported, not an error. */
import type { Store } from "../../ports/store.ts";

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
