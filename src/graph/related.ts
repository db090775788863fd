/** Adds to hits the items that edges connect them with. */
import { identityOf } from "../memory/handles.ts";
import { isExpired } from "../memory/item-changes.ts";
import type { Item, Status } from "../memory/item.ts";
import { isVisibleIn } from "../memory/visibility.ts";
import type { Hit } from "../recall/hit.ts";
import { byPlace, type PlacedItem, type StoreShelf } from "../recall/places.ts";
import type { EdgeQuery, EdgeReads, ItemReads } from "../store/store.ts";
import type { World } from "../world.ts";
import { type Edge, type EdgeShelf, hasEdges, nearestWithin, neighboursOf } from "./edges.ts";

// The edges of items as they stand today: a relation outlives the wording it was stated for.
//
// Edges of what an item replaced count as its own, and an edge to a replaced item leads to the end of its chain. What
// connects an item with its own predecessors stays as it is, if somebody stated it.

/** A replaced item still leads to its successor; forgotten items are left out. */
export const FOLLOWED: readonly Status[] = ["active", "superseded"];

/** Three reads, however many items; the ids in `ids` stay, even those of replaced items. */
export async function currentEdgesOf(
  shelf: EdgeShelf,
  ids: readonly string[],
  query: EdgeQuery,
  store: EdgeReads & ItemReads,
): Promise<Edge[]> {
  const owners = new Map(ids.map((id) => [id, id]));
  for (const { id, supersededBy } of await store.replacedBy(shelf, ids))
    if (!owners.has(id)) owners.set(id, owners.get(supersededBy ?? "") ?? id);
  const edges = await store.edgesOf(shelf, [...owners.keys()], query);
  const named = new Set(ids);
  const isOwn = ({ source, target }: Edge) => owners.has(source) && owners.get(source) === owners.get(target);
  const within = edges.filter(
    (edge) => isOwn(edge) && !edge.made && (named.has(edge.source) || named.has(edge.target)),
  );
  const outward = edges.filter((edge) => !isOwn(edge));
  return [...within, ...(await leadingToday(shelf, outward, owners, store))];
}

/** The edges, each leading to the ends of its items' chains; `fixed` says where some items lead. */
async function leadingToday(
  shelf: EdgeShelf,
  edges: readonly Edge[],
  fixed: ReadonlyMap<string, string>,
  store: ItemReads,
): Promise<Edge[]> {
  const ends = new Set(edges.flatMap(({ source, target }) => [source, target]).filter((id) => !fixed.has(id)));
  if (ends.size === 0) return edges.map((edge) => ({ ...edge, ...mapped(edge, (id) => fixed.get(id)!) }));
  const heads = await store.heads(shelf, [...ends]);
  const today = (id: string): string | null => {
    const head = heads.get(id);
    return fixed.get(id) ?? (head && FOLLOWED.includes(head.status) ? head.id : null);
  };
  return edges.flatMap((edge) => {
    const { source, target } = mapped(edge, today);
    return source === null || target === null || source === target ? [] : [{ ...edge, source, target }];
  });
}

const mapped = <T>({ source, target }: Edge, to: (id: string) => T): { source: T; target: T } => ({
  source: to(source),
  target: to(target),
});

/** Maximum per hit; no others are read. */
export const RELATED_MOST = 5;
const CHOSEN = { statuses: ["active"], neighbours: FOLLOWED, limit: RELATED_MOST } as const;

/**
 * Also through a hit's predecessors: a relation outlives the wording it was made for. Memories that are two steps away
 * follow where there is room; a decision's neighbours speak for themselves.
 */
export async function withRelated(hits: readonly Hit[], entries: readonly PlacedItem[]): Promise<Hit[]> {
  const chains = new Map(hits.map(({ id, history }) => [id, new Set([id, ...history.map((past) => past.id)])]));
  const related = new Map<string, string[]>();
  for (const [place, here] of byPlace(entries.filter(({ id }) => chains.has(id)))) {
    const { store, shelf } = place;
    if (!hasEdges(shelf)) continue;
    const own = [...new Set(here.map(({ id }) => id))];
    const ids = own.flatMap((id) => [...(chains.get(id) ?? [])]);
    const stored = await store.edgesOf(shelf, ids, CHOSEN);
    if (stored.length === 0) continue;
    // A hit's predecessors stand for it.
    const fixed = new Map(own.flatMap((id) => [...chains.get(id)!].map((one) => [one, id] as const)));
    const first = await leadingToday(shelf, stored, fixed, store);
    const further =
      shelf === "memory"
        ? await leadingToday(
            shelf,
            await secondStep(
              own.map((id) => chains.get(id)!),
              first,
              store,
            ),
            fixed,
            store,
          )
        : [];
    const near = new Map(own.map((id) => [id, nearestWithin(chains.get(id)!, [first, further], RELATED_MOST)]));
    const shown = new Set(await visibleAmong([...new Set([...near.values()].flat())], place.filter?.visibleIn, place));
    for (const id of own) {
      const visible = near.get(id)!.filter((one) => shown.has(one));
      related.set(id, [...(related.get(id) ?? []), ...visible]);
    }
  }
  return hits.map((hit) => ({ ...hit, related: related.get(hit.id) ?? [] }));
}

/** The edges of neighbours, for hits with few of them. */
async function secondStep(
  chains: readonly ReadonlySet<string>[],
  first: readonly Edge[],
  store: EdgeReads,
): Promise<readonly Edge[]> {
  const near = chains.map((chain) => neighboursOf(chain, first)).filter(({ length }) => length < RELATED_MOST);
  const ids = [...new Set(near.flat().map(({ id }) => id))];
  // A neighbour may be a hit itself, whose edges are known.
  return [...first, ...(ids.length > 0 ? await store.edgesOf("memory", ids, CHOSEN) : [])];
}

/** Without items that a search from this space would not show; undefined restricts nothing. */
export async function visibleAmong(
  ids: readonly string[],
  space: string | undefined,
  { store, shelf }: StoreShelf,
): Promise<readonly string[]> {
  if (space === undefined || ids.length === 0) return ids;
  const items = new Map((await store.items(shelf, ids)).map((item) => [item.id, item]));
  return ids.filter((id) => items.has(id) && isVisibleIn(space, items.get(id)!));
}

// Adds to a hit that describes code the code itself, which no search by meaning finds.

/** Longer code is cut; `get` shows all of it. */
const SHOWN_CHARACTERS = 2_000;

export async function withDescribedCode(
  hits: readonly Hit[],
  entries: readonly PlacedItem[],
  { clock }: Pick<World, "clock">,
): Promise<Hit[]> {
  const describing = new Set(hits.filter(({ type }) => type === "code_description").map(({ id }) => id));
  if (describing.size === 0) return [...hits];
  const code = new Map<string, Item>();
  for (const [{ store, shelf }, here] of byPlace(entries.filter(({ id }) => describing.has(id)))) {
    if (shelf !== "memory") continue;
    const ids = [...new Set(here.map(({ id }) => id))];
    const edges = await store.edgesOf(shelf, ids, {
      statuses: ["active"],
      relations: ["source_of"],
      direction: "outgoing",
      neighbours: ["active"],
      limit: 1,
    });
    const items = await store.items(
      shelf,
      edges.map(({ target }) => target),
    );
    const byId = new Map(items.filter((item) => !isExpired(item, clock.now())).map((item) => [item.id, item]));
    for (const { source, target } of edges) if (byId.has(target)) code.set(source, byId.get(target)!);
  }
  return hits.map((hit) => {
    const item = code.get(hit.id);
    return item ? { ...hit, code: codeOf(item) } : hit;
  });
}

const codeOf = ({ id, path, content }: Item): NonNullable<Hit["code"]> => ({
  ...identityOf(id),
  path,
  content: content.length <= SHOWN_CHARACTERS ? content : `${content.slice(0, SHOWN_CHARACTERS - 1).toWellFormed()}…`,
});
