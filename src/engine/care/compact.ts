/** Rewriting files without what was deleted from them: what could not be cleaned is told, never a failure. */
import type { Store } from "../../ports/store.ts";

/** Files that may still hold something: a full disk or another process keeps them from being rewritten. */
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
