/** Reads data of candidates from their stores, place by place. */
import type { Item } from "../../model/memory/item.ts";
import type { StoredPassage } from "../../model/memory/shelf.ts";
import type { VectorQuery } from "../../model/recall/search.ts";
import { type PlacedCandidate, type SearchPlace, byPlace } from "./places.ts";

/** Without items that were removed in the meantime. */
export const itemsOf = (candidates: readonly PlacedCandidate[]): Promise<Map<PlacedCandidate, Item>> =>
  readEach(
    candidates,
    ({ id }) => id,
    async ({ store, shelf }, ids) => new Map((await store.items(shelf, ids)).map((item) => [item.id, item])),
  );

export const bestPassages = (candidates: readonly PlacedCandidate[]): Promise<Map<PlacedCandidate, StoredPassage>> =>
  readEach(candidates, bestPassage, async ({ store, shelf }, numbers) => {
    const passages = await store.passages(shelf, numbers);
    return new Map(passages.map((passage) => [passage.passage, passage]));
  });

/** Cosines of the best passages, without those that have no vector. */
export const cosinesOf = (
  candidates: readonly PlacedCandidate[],
  query: VectorQuery,
): Promise<Map<PlacedCandidate, number>> =>
  readEach(candidates, bestPassage, async ({ store, shelf }, numbers) => {
    const cosines = await store.cosines(shelf, query, numbers);
    return new Map(numbers.flatMap((number, index) => (cosines[index] == null ? [] : [[number, cosines[index]]])));
  });

const bestPassage = ({ passages }: PlacedCandidate): number => passages[0]!;

async function readEach<Key, Value>(
  candidates: readonly PlacedCandidate[],
  keyOf: (candidate: PlacedCandidate) => Key,
  read: (place: SearchPlace, keys: Key[]) => Promise<Map<Key, Value>>,
): Promise<Map<PlacedCandidate, Value>> {
  const answers = new Map<PlacedCandidate, Value>();
  for (const [place, here] of byPlace(candidates)) {
    const values = await read(place, here.map(keyOf));
    for (const candidate of here) {
      const value = values.get(keyOf(candidate));
      if (value !== undefined) answers.set(candidate, value);
    }
  }
  return answers;
}
