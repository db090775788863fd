/**
 * Searches of a shared project, and the queue of passages: memories in both stores, files here, the rest on the server.
 *
 * A search answers from what is here while the server is away; the world's notices say so.
 */
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Filter, Ranked } from "../../model/recall/search.ts";
import type { QueueReads } from "../../ports/store/queue.ts";
import type { SearchReads } from "../../ports/store/search.ts";
import type { Store } from "../../ports/store/store.ts";
import { rankOf } from "../rows/search/queue-ranks.ts";
import { dividedNumbers, isOwnNumber, lowered, raised } from "./numbers.ts";
import { type Parts, byIds, fromAll, isOfFiles, unlessAway, wantsShared } from "./parts.ts";

/** Only memories are in both stores, so only their numbers must tell which. */
const numberIn = (shelf: Shelf, isOwn: boolean) => (number: number) =>
  isOwn && shelf === "memory" ? raised(number) : number;

export function searchReads(parts: Parts): SearchReads {
  const { own, shared } = parts;
  type Search = (store: Store) => Promise<Ranked[]>;
  const search = async (shelf: Shelf, filter: Filter, limit: number, ask: Search): Promise<Ranked[]> => {
    const numbered = async (store: Store) => {
      const number = numberIn(shelf, store === own);
      const found = store === own ? await ask(store) : await unlessAway(() => ask(store), []);
      return found.map((one) => ({ ...one, passage: number(one.passage) }));
    };
    const found = await fromAll(shelf, parts, numbered, wantsShared(shelf, filter));
    return found.sort((one, two) => two.score - one.score).slice(0, limit);
  };
  const inOrder = inOrderOf(parts);
  return {
    filledShelves: async () => [
      ...new Set([...(await own.filledShelves()), ...(await unlessAway(() => shared.filledShelves(), []))]),
    ],
    keyword: (shelf, query, filter, limit) =>
      search(shelf, filter, limit, (store) => store.keyword(shelf, query, filter, limit)),
    substring: (shelf, text, filter, limit) =>
      search(shelf, filter, limit, (store) => store.substring(shelf, text, filter, limit)),
    nearest: (shelf, query, filter, limit) =>
      search(shelf, filter, limit, (store) => store.nearest(shelf, query, filter, limit)),
    nearestByWordpieces: (shelf, query, filter, limit) =>
      search(shelf, filter, limit, (store) => store.nearestByWordpieces(shelf, query, filter, limit)),
    cosines: (shelf, query, passages) => inOrder(shelf, passages, (store, some) => store.cosines(shelf, query, some)),
    wordpieceScores: (shelf, query, passages) =>
      inOrder(shelf, passages, (store, some) => store.wordpieceScores(shelf, query, some)),
    passageVectors: (shelf, embedder, passages) =>
      inOrder(shelf, passages, (store, some) => store.passageVectors(shelf, embedder, some)),
    wordpieceOverlap: (...texts) => own.wordpieceOverlap(...texts),
    ...passageReads(parts),
    speakers: async (shelf, names) => [
      ...new Set(await fromAll(shelf, parts, (store) => unlessAway(() => store.speakers(shelf, names), []))),
    ],
    async wordStatistics(shelf, stems) {
      const frequency = new Map<string, number>();
      const read = (store: Store) => unlessAway(async () => [await store.wordStatistics(shelf, stems)], []);
      const known = await fromAll(shelf, parts, read);
      for (const one of known)
        for (const [stem, count] of one.frequency) frequency.set(stem, (frequency.get(stem) ?? 0) + count);
      return { total: known.reduce((sum, { total }) => sum + total, 0), frequency };
    },
  };
}

/** One answer for each passage, in their order, each from the store that has it. */
const inOrderOf =
  ({ own, shared }: Parts) =>
  async <T>(
    shelf: Shelf,
    passages: readonly number[],
    read: (store: Store, passages: readonly number[]) => Promise<T[]>,
  ): Promise<T[]> => {
    if (isOfFiles(shelf)) return read(own, passages);
    const divided = dividedNumbers(passages);
    const here = divided.own.length > 0 ? await read(own, divided.own) : [];
    const there = divided.shared.length > 0 ? await read(shared, divided.shared) : [];
    const [nextHere, nextThere] = [here.values(), there.values()];
    return passages.map((number) => (isOwnNumber(number) ? nextHere : nextThere).next().value!);
  };

function passageReads(parts: Parts): Pick<SearchReads, "passages" | "neighbours" | "newestPassages" | "firstPassages"> {
  const { own, shared } = parts;
  return {
    async passages(shelf, passages) {
      if (isOfFiles(shelf)) return own.passages(shelf, passages);
      const divided = dividedNumbers(passages);
      const here = divided.own.length > 0 ? await own.passages(shelf, divided.own) : [];
      const there = divided.shared.length > 0 ? await shared.passages(shelf, divided.shared) : [];
      return [...there, ...here.map((one) => ({ ...one, passage: raised(one.passage) }))];
    },
    async neighbours(shelf, passages) {
      if (isOfFiles(shelf)) return own.neighbours(shelf, passages);
      const divided = dividedNumbers(passages);
      const up = (number: number | null) => (number === null ? null : raised(number));
      const here = divided.own.length > 0 ? await own.neighbours(shelf, divided.own) : [];
      const there = divided.shared.length > 0 ? await shared.neighbours(shelf, divided.shared) : [];
      const raisedHere = here.map(({ passage, previous, next }) => ({
        ...{ passage: raised(passage), previous: up(previous), next: up(next) },
      }));
      return [...there, ...raisedHere];
    },
    /** Those of this machine come first: their numbers are the higher ones. */
    async newestPassages(shelf, filter, page) {
      if (isOfFiles(shelf)) return own.newestPassages(shelf, filter, page);
      const isBelow = page.before !== null && !isOwnNumber(page.before);
      const before = page.before === null ? null : lowered(page.before);
      const here =
        shelf !== "memory" || isBelow
          ? []
          : (await own.newestPassages(shelf, filter, { ...page, before })).map((one) => ({
              ...{ ...one, passage: raised(one.passage) },
            }));
      if (here.length >= page.limit || !wantsShared(shelf, filter)) return here;
      const rest = { ...page, before: isBelow ? page.before : null, limit: page.limit - here.length };
      return [...here, ...(await shared.newestPassages(shelf, filter, rest))];
    },
    firstPassages: (shelf, ids) =>
      byIds(shelf, ids, parts, async (store, some) => {
        const number = numberIn(shelf, store === own);
        return (await store.firstPassages(shelf, some)).map((one) => ({ ...one, passage: number(one.passage) }));
      }),
  };
}

/** What the server said about leases of its passages. */
export interface SharedLeases {
  /** Until then it is not asked again; what is on this machine is embedded meanwhile. */
  refusedUntil: number;
}

/** A server that is away keeps nobody from searching what is here, so its queue waits. */
export function queueReads({ own, shared }: Parts, leases: SharedLeases): QueueReads {
  const count = async (...query: Parameters<Store["waitingCount"]>) =>
    (await own.waitingCount(...query)) + (await unlessAway(() => shared.waitingCount(...query), 0));
  return {
    async embedderUsedAt(embedder) {
      const here = await own.embedderUsedAt(embedder);
      const there = await unlessAway(() => shared.embedderUsedAt(embedder), here);
      return here === null || there === null ? null : Math.min(here, there);
    },
    async waiting(query) {
      const here = await own.waiting(query);
      const isRefused = query.now < leases.refusedUntil;
      const asked = isRefused ? [] : await unlessAway(() => shared.waiting(query), []);
      // The server has said by now whether it takes vectors.
      const there = shared.readOnly ? [] : asked;
      return [...here.map((one) => ({ ...one, passage: numberIn(one.shelf, true)(one.passage) })), ...there]
        .sort((one, two) => rankOf(one.shelf) - rankOf(two.shelf))
        .slice(0, query.limit);
    },
    waitingCount: count,
    cachedVectors: async (...query) =>
      new Map([
        ...(await unlessAway(() => shared.cachedVectors(...query), new Map<string, never>())),
        ...(await own.cachedVectors(...query)),
      ]),
  };
}
