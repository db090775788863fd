/** The journal's chain of a store that many have written: nothing missing, nothing changed. */
import assert from "node:assert/strict";
import { chainWalk } from "../../../src/journal/chain.ts";
import type { Store } from "../../../src/store/store.ts";

export async function assertWhole(store: Store): Promise<void> {
  const head = await store.chainHead();
  const walk = chainWalk(head);
  walk.add(await store.chain(1, 100_000));
  assert.deepEqual(walk.finish(await store.chainHead()).problems, []);
}
