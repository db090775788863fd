/** Filters: every part of one, by every way of looking; and a filter that lets one of hundreds through. */
import assert from "node:assert/strict";
import type { Shelf } from "../../../../src/memory/shelves.ts";
import type { Filter } from "../../../../src/recall/search.ts";
import { inLane } from "../../../lane.ts";
import { archiveAll, testEachFilter } from "../items/filter-cases.ts";
import {
  active,
  apply,
  direction,
  EMBEDDER,
  embedWaiting,
  idsOf,
  insertion,
  newItem,
  put,
  type SearchStore,
  type Trials,
} from "../trial.ts";

export function testFilters(trials: Trials<SearchStore>): void {
  testEachFilter(trials, lookEveryWay);
  testHidden(trials);
}

function testHidden({ everyShelf }: Trials<SearchStore>): void {
  everyShelf("one that passes is found behind five hundred better ones that do not", async (store, shelf) => {
    const count = shelf === "memory" ? 500 : inLane({ fast: 100, long: 500, soak: 500 });
    const better = Array.from({ length: count }, () =>
      insertion(shelf, newItem({ type: "gotcha" }), { texts: ["yak"] }),
    );
    await apply(store, ...better);
    const hidden = await put(store, shelf, {}, { texts: [`yak ${"and other words ".repeat(20)}`] });
    await embedWaiting(store, (text) => direction(0, text === "yak" ? 1 : 0.2));
    const nearest = (filter: Filter, limit: number) =>
      store.nearest(shelf, { embedder: EMBEDDER, vector: direction(0) }, filter, limit);
    const keyword = (filter: Filter, limit: number) => store.keyword(shelf, { terms: ["yak"] }, filter, limit);
    for (const look of [nearest, keyword]) {
      const all = idsOf(await look(active, 1_000));
      assert.deepEqual([all.length, all.at(-1)], [count + 1, hidden.id]);
      assert.deepEqual(idsOf(await look({ ...active, types: ["fact"] }, 10)), [hidden.id]);
    }
    await archiveAll(store, shelf, ({ type }) => type === "gotcha");
    for (const look of [nearest, keyword]) assert.deepEqual(idsOf(await look(active, 10)), [hidden.id]);
  });
}

async function lookEveryWay(store: SearchStore, shelf: Shelf, word: string, filter: Filter) {
  await embedWaiting(store, () => direction(0));
  return {
    keyword: idsOf(await store.keyword(shelf, { terms: [word] }, filter, 100)),
    substring: idsOf(await store.substring(shelf, word.slice(1, -1), filter, 100)),
    nearest: idsOf(await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(0) }, filter, 100)),
  };
}
