/** Items and edges of a shared project, wherever each is kept. */
import type { Edge } from "../../model/memory/edge.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import { type Parts, byIds, fromAll, ownAmong, storeOf, wantsShared } from "./parts.ts";

const newestFirst = (one: Item, two: Item): number =>
  two.createdAt - one.createdAt || (one.id < two.id ? 1 : one.id > two.id ? -1 : 0);
const byId = (one: { id: string }, two: { id: string }): number => (one.id < two.id ? -1 : one.id > two.id ? 1 : 0);

export function itemReads(parts: Parts): ItemReads {
  const { own, shared } = parts;
  const storeOfWorking = (shelf: Shelf) => (shelf === "memory" ? own : storeOf(shelf, parts));
  return {
    items: (shelf, ids) => byIds(shelf, ids, parts, (store, some) => store.items(shelf, some)),
    outlines: (shelf, ids) => byIds(shelf, ids, parts, (store, some) => store.outlines(shelf, some)),
    whole: (shelf, ids) => byIds(shelf, ids, parts, (store, some) => store.whole(shelf, some)),
    ...chainReads(parts),
    async sameContent(shelf, scope, hash) {
      if (shelf !== "memory") return storeOf(shelf, parts).sameContent(shelf, scope, hash);
      const here = await own.sameContent(shelf, scope, hash);
      return here ?? (scope === "working" ? null : shared.sameContent(shelf, scope, hash));
    },
    fileAt: async (shelf, path) =>
      (await fromAll(shelf, parts, async (store) => [await store.fileAt(shelf, path)])).find((item) => item !== null) ??
      null,
    async list(shelf, filter, page) {
      if (shelf !== "memory") return storeOf(shelf, parts).list(shelf, filter, page);
      if (!wantsShared(shelf, filter)) return own.list(shelf, filter, page);
      const upTo = { limit: page.offset + page.limit, offset: 0 };
      const here = await own.list(shelf, filter, upTo);
      if (here.total === 0) return shared.list(shelf, filter, page);
      const there = await shared.list(shelf, filter, upTo);
      const items = [...here.items, ...there.items].sort(newestFirst).slice(page.offset, upTo.limit);
      return { items, total: here.total + there.total };
    },
    newest: async (shelf, filter, page) =>
      (await fromAll(shelf, parts, (store) => store.newest(shelf, filter, page), wantsShared(shelf, filter)))
        .sort(newestFirst)
        .slice(0, page.limit),
    leaving: (shelf, room) => storeOfWorking(shelf).leaving(shelf, room),
    expired: (shelf, now) => storeOfWorking(shelf).expired(shelf, now),
    walk: async (shelf, page) =>
      (await fromAll(shelf, parts, (store) => store.walk(shelf, page)))
        .sort((one, two) => byId(one.item, two.item))
        .slice(0, page.limit),
    // A memory may be in both, if it was changed here while it moved.
    idsWithPrefix: async (shelf, text, query) =>
      [...new Set(await fromAll(shelf, parts, (store) => store.idsWithPrefix(shelf, text, query)))].slice(
        0,
        query.limit,
      ),
    async newestIds(shelf, limit) {
      if (shelf !== "memory") return storeOf(shelf, parts).newestIds(shelf, limit);
      const [here, there] = [await own.newestIds(shelf, limit), await shared.newestIds(shelf, limit)];
      if (here.length === 0 || there.length === 0) return [...here, ...there];
      // An id begins with its time.
      return [...here, ...there].sort((one, two) => (one < two ? 1 : -1)).slice(0, limit);
    },
    queriesFor: async (ids) => [
      ...new Set((await Promise.all([own, shared].map((one) => one.queriesFor(ids)))).flat()),
    ],
  };
}

/** A chain of successors may begin here and go on there, but not the other way round. */
function chainReads(parts: Parts): Pick<ItemReads, "replacedBy" | "heads"> {
  const { own, shared } = parts;
  return {
    async replacedBy(shelf, ids) {
      if (shelf !== "memory") return storeOf(shelf, parts).replacedBy(shelf, ids);
      const here = await ownAmong(ids, parts);
      const asked = ids.filter((id) => !here.has(id));
      const there = asked.length > 0 ? await shared.replacedBy(shelf, asked) : [];
      return [...there, ...(await own.replacedBy(shelf, [...ids, ...there.map(({ id }) => id)]))];
    },
    async heads(shelf, ids) {
      const heads = new Map(
        await byIds(shelf, ids, parts, async (store, some) => [...(await store.heads(shelf, some))]),
      );
      if (shelf !== "memory") return heads;
      const closed = [...heads.values()].filter(({ status }) => status === "superseded").map(({ id }) => id);
      const here = closed.length > 0 ? await own.items(shelf, closed) : [];
      const next = new Map(here.map(({ id, supersededBy }) => [id, supersededBy ?? id]));
      const there = next.size > 0 ? await shared.heads(shelf, [...new Set(next.values())]) : new Map();
      return new Map([...heads].map(([id, head]) => [id, there.get(next.get(head.id) ?? "") ?? head]));
    },
  };
}

const strongestFirst = (one: Edge, two: Edge): number => two.strength - one.strength || byId(one, two);

/** The ends of an edge are in one store. What is made by itself is made between shared memories only. */
export function edgeReads(parts: Parts): EdgeReads {
  const { own, shared } = parts;
  return {
    edgesOf: async (shelf, ids, query) =>
      (await byIds(shelf, ids, parts, (store, some) => store.edgesOf(shelf, some, query))).sort(strongestFirst),
    async edges(shelf, ids) {
      const here = shelf === "memory" ? await own.edges(shelf, ids) : [];
      return here.length === ids.length ? here : [...here, ...(await shared.edges(shelf, ids))];
    },
    nearPairs: (ids) => shared.nearPairs(ids),
    newestEdges: (...query) => shared.newestEdges(...query),
    walkEdges: async (shelf, page) =>
      (await fromAll(shelf, parts, (store) => store.walkEdges(shelf, page))).sort(byId).slice(0, page.limit),
    async inDegrees(ids) {
      const there = await byIds("memory", ids, parts, async (store, some) =>
        store === shared && some.length > 0 ? [await shared.inDegrees(some)] : [],
      );
      return there[0] ?? { of: new Map(), most: 0 };
    },
    unlinked: (...query) => shared.unlinked(...query),
    unlinkedAmong: (...query) => shared.unlinkedAmong(...query),
  };
}
