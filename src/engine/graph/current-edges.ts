/**
 * The edges of items as they stand today: a relation outlives the wording it was stated for.
 *
 * Edges of what an item replaced count as its own, and an edge to a replaced item leads to the end of its chain. What
 * connects an item with its own predecessors stays as it is, if somebody stated it.
 */
import type { Edge, EdgeShelf } from "../../model/memory/edge.ts";
import type { Status } from "../../model/memory/item.ts";
import type { EdgeQuery, EdgeReads } from "../../ports/store/edges.ts";
import type { ItemReads } from "../../ports/store/items.ts";

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
export async function leadingToday(
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
