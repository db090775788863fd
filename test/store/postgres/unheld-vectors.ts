/** The parts of the store's suite that compare vectors. Each is tried for every way in which the server's are searched. */
import type { Store } from "../../../src/store/store.ts";
import { testFilters } from "../suite/search/filtering.ts";
import { testQueuedVectors } from "../suite/search/queued-vectors.ts";
import { testSuccession } from "../suite/search/succession.ts";
import { testTurns } from "../suite/search/turns.ts";
import { testVectors } from "../suite/search/vectors.ts";
import { type Trials, trialsOf } from "../suite/trial.ts";
import type { Spaces } from "./fresh-space.ts";

const PARTS: readonly ((trials: Trials<Store>) => void)[] = [
  testVectors,
  testQueuedVectors,
  testFilters,
  testSuccession,
  testTurns,
];

/** Tries them with stores that hold no vectors. */
export function testUnheldVectors(take: Spaces["take"]): void {
  const trials = trialsOf<Store>(async () => {
    const { open, giveBack } = await take();
    const store = await open({ vectorsInMemory: 0 });
    return {
      store,
      async close() {
        await store.close();
        await giveBack();
      },
    };
  });
  for (const part of PARTS) part(trials);
}
