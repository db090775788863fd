/** Search through what was replaced: found by its words, its letters or its vector, it stands for what holds now. */
import assert from "node:assert/strict";
import type { Item } from "../../../../src/memory/item.ts";
import type { Shelf } from "../../../../src/memory/shelves.ts";
import type { Filter, Ranked } from "../../../../src/recall/search.ts";
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

const via: Filter = { ...active, viaPredecessors: true };

/** Items that replace each other in the order given. The first has the words; the others have their own. */
async function chain(store: SearchStore, shelf: Shelf, word: string, ...sets: Partial<Item>[]): Promise<string[]> {
  const ids = sets.map(() => newItem().id);
  const changes = sets.map((set, index) => {
    const supersededBy = ids[index + 1] ?? null;
    const texts = [index === 0 ? `${word} of old` : `unlike ${index}`];
    const status = supersededBy ? "superseded" : "active";
    return insertion(shelf, newItem({ id: ids[index]!, supersededBy, status, ...set }), { texts });
  });
  await apply(store, ...changes);
  await put(store, shelf, { status: "archived" }, { texts: [`${word} that nobody sees`] });
  await embedWaiting(store, (text) => direction(text.toLowerCase().includes(word) ? 3 : 5));
  return ids;
}

function waysOfLooking(store: SearchStore, shelf: Shelf, word: string) {
  const near = async (filter: Filter): Promise<Ranked[]> => {
    const found = await store.nearest(shelf, { embedder: EMBEDDER, vector: direction(3) }, filter, 50);
    return found.filter(({ score }) => score > 0.9);
  };
  return {
    keyword: (filter: Filter) => store.keyword(shelf, { terms: [word] }, filter, 50),
    substring: (filter: Filter) => store.substring(shelf, word.slice(1), filter, 50),
    nearest: near,
  };
}

/** Chains, a filter, and which of a chain's items is found by the words of its first. */
const cases: Record<string, { sets: Partial<Item>[]; filter?: Partial<Filter>; finds: number | null }> = {
  "leads to what replaced it": { sets: [{}, {}], finds: 1 },
  "leads to the end of a long chain": { sets: Array.from({ length: 70 }, () => ({})), finds: 69 },
  "stays behind when nobody asks for that": { sets: [{}, {}], filter: { viaPredecessors: false }, finds: null },
  "leads nowhere when the end was archived": { sets: [{}, {}, { status: "archived" }], finds: null },
  "leads nowhere when the end has expired": { sets: [{}, { expiresAt: 5 }], filter: { now: 5 }, finds: null },
  "leads nowhere when the end has gone": { sets: [{}, { status: "superseded", supersededBy: "gone" }], finds: null },
  "leads nowhere when the end is of another type": {
    sets: [{ type: "gotcha" }, { type: "fact" }],
    filter: { types: ["gotcha"] },
    finds: null,
  },
  "need not pass the filter itself": {
    sets: [{ type: "gotcha" }, { type: "fact", tags: ["wanted"] }],
    filter: { types: ["fact"], tags: ["wanted"] },
    finds: 1,
  },
  "is found itself by who asks for superseded ones": {
    sets: [{}, {}],
    filter: { statuses: ["superseded"] },
    finds: 0,
  },
  "leads to what was to follow once its own window has ended": {
    sets: [{ status: "active", validFrom: 1, validUntil: 5 }, {}],
    filter: { now: 5, validAt: 5 },
    finds: 1,
  },
  "is found itself while its successor has yet to begin": {
    sets: [{ status: "active", validFrom: 1, validUntil: 5 }, { validFrom: 5 }],
    filter: { now: 4, validAt: 4 },
    finds: 0,
  },
  "is found itself by who asks for both": { sets: [{}, {}], filter: { statuses: ["active", "superseded"] }, finds: 0 },
};

export function testSuccession({ everyShelf }: Trials<SearchStore>): void {
  for (const [title, { sets, filter, finds }] of Object.entries(cases)) {
    everyShelf(`what was replaced ${title}`, async (store, shelf) => {
      const ids = await chain(store, shelf, "pangolin", ...sets);
      for (const [way, look] of Object.entries(waysOfLooking(store, shelf, "pangolin"))) {
        const found = await look({ ...via, ...filter });
        assert.deepEqual(idsOf(found), finds === null ? [] : [ids[finds]], way);
        const [passage] = await store.passages(
          shelf,
          found.map((ranked) => ranked.passage),
        );
        assert.equal(passage?.text, finds === null ? undefined : "pangolin of old", `${way}: the passage that matched`);
      }
    });
  }
  everyShelf("however many of a chain match, it takes one place", async (store, shelf) => {
    const ids = await chain(store, shelf, "civet", ...Array.from({ length: 150 }, () => ({ title: "Civet" })));
    const other = await put(store, shelf, {}, { texts: [`civet ${"among many other words ".repeat(20)}`] });
    await embedWaiting(store, () => direction(3, 0.9));
    for (const [way, look] of Object.entries(waysOfLooking(store, shelf, "civet"))) {
      assert.deepEqual(new Set(idsOf(await look(via))), new Set([ids.at(-1), other.id]), way);
    }
  });
}
