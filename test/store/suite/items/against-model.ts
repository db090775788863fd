/** Random changes against a plain map that follows the same rules. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Item } from "../../../../src/memory/item.ts";
import { runs } from "../../../lane.ts";
import { active, insertion, type ItemStore, newItem, ORIGIN, removal, revision, type Trials } from "../trial.ts";

/** Compares what a store tells of one session with what the model expects. */
export type Agree<S> = (store: S, session: string, expected: readonly Item[]) => Promise<void>;

const step = fc.record({
  act: fc.constantFrom("insert", "revise", "remove"),
  slot: fc.nat({ max: 3 }),
  word: fc.nat({ max: 2 }),
  isStale: fc.boolean(),
});

export function testAgainstModel<S extends ItemStore>({ once }: Trials<S>, agree: Agree<S>): void {
  once("any sequence of changes leaves what a simple model predicts", async (store) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        run += 1;
        const model = new Map<string, Item>();
        for (const { act, slot, word, isStale } of steps) {
          const item = newItem({ id: `run-${run}-${slot}`, session: `run-${run}`, content: `run ${run} word ${word}` });
          const known = model.get(item.id);
          const current = { ...(known ?? item), version: (known?.version ?? 1) + (isStale ? 1 : 0) };
          const isTaken = [...model.values()].some(({ id, hash }) => hash === item.hash && id !== item.id);
          const { content, hash } = item;
          const change = {
            insert: insertion("memory", item),
            revise: revision("memory", current, { content, hash }, [content]),
            remove: removal("memory", current),
          }[act];
          const holds = act === "insert" ? !known && !isTaken : known !== undefined && !isStale;
          const expected = holds && !(act === "revise" && isTaken);
          assert.equal((await store.apply([change], ORIGIN)).status, expected ? "applied" : "conflict");
          if (!expected) continue;
          if (act === "remove") model.delete(item.id);
          else model.set(item.id, act === "insert" ? item : { ...known!, content, hash, version: known!.version + 1 });
        }
        await agree(store, `run-${run}`, [...model.values()]);
      }),
      { numRuns: runs(20) },
    );
  });
}

const byId = (a: Item, b: Item) => (a.id < b.id ? -1 : 1);

export const listsAgree: Agree<ItemStore> = async (store, session, expected) => {
  const { items, total } = await store.list("memory", { ...active, session }, { limit: 10, offset: 0 });
  assert.deepEqual(items.toSorted(byId), expected.toSorted(byId));
  assert.equal(total, expected.length);
};
