/** Finds what is connected with a document, a memory or a decision. Documents are connected by links, the others by edges. */
import { findItem, type Found } from "../memory/find-item.ts";
import { isExpired } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { resolveId, unknownIdFailure } from "../memory/resolve-id.ts";
import type { Shelf } from "../memory/shelves.ts";
import { isVisibleIn } from "../memory/visibility.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import type { LookupWorld, World } from "../world.ts";
import { type Direction, directionFrom, type Edge, hasEdges, type Relation } from "./edges.ts";
import { type Likeness, likenessOf } from "./likeness.ts";
import { currentEdgesOf, FOLLOWED } from "./related.ts";

/** Finds documents linked from a document, linking to it, or often found together with it. */
interface RelatedDocument {
  id: string;
  path: string;
  title: string | null;
  by: ("refers_to" | "referred_by" | "found_together")[];
  /** How often they were found together. */
  times: number;
}

async function relatedDocuments(
  item: Item,
  limit: number,
  { project }: Pick<World, "project">,
): Promise<RelatedDocument[]> {
  const found = new Map<string, RelatedDocument>();
  const add = (id: string, path: string | null, by: RelatedDocument["by"][number], times = 0) => {
    if (path === null || id === item.id) return;
    const known = found.get(id) ?? { id, path, title: null, by: [], times: 0 };
    found.set(id, { ...known, by: [...new Set([...known.by, by])], times: known.times + times });
  };
  for (const { itemId, path, times } of await project.foundTogetherWith(item.id, limit))
    add(itemId, path, "found_together", times);
  const targets = await project.linksFrom(item.id);
  for (const { itemId, path, shelf } of await project.fileStates({ paths: targets }))
    if (itemId && shelf === "document") add(itemId, path, "refers_to");
  for (const { itemId, path } of await project.linkedTo(item.path ?? "")) add(itemId, path, "referred_by");
  const ranked = [...found.values()].toSorted(
    (a, b) => b.times - a.times || b.by.length - a.by.length || (a.path < b.path ? -1 : 1),
  );
  const shown = ranked.slice(0, limit);
  const items = await project.items(
    "document",
    shown.map(({ id }) => id),
  );
  const titles = new Map(items.map(({ id, title }) => [id, title]));
  return shown.filter(({ id }) => titles.has(id)).map((one) => ({ ...one, title: titles.get(one.id) ?? null }));
}

interface RelatedItem {
  id: string;
  shelf: Shelf;
  path: string | null;
  title: string | null;
  summary: string | null;
  by: (RelatedDocument["by"][number] | Relation)[];
  /** How often they were found together; only documents are. */
  times: number;
  strength: number | null;
  direction: Direction | null;
  /** Each relation and its direction, as seen from the target. */
  relations: { relation: Relation; direction: Direction }[];
  /** Nobody has agreed to the relation yet. */
  suggested: boolean;
  /** Something has replaced it. */
  outdated: boolean;
  /** How alike the words are, if the relation was made of them. */
  likeness: Likeness | null;
}

const SHELVES_RELATED: readonly Shelf[] = ["document", "memory", "decision"];

export async function relatedTo(target: string, limit: number, world: LookupWorld): Promise<RelatedItem[]> {
  const atPath = await world.project.fileAt("document", target.replace(/^\.\//, ""));
  const found: Found = atPath
    ? { item: atPath, shelf: "document", store: world.project }
    : await needRelatable(target, world);
  if (found.shelf !== "document") return relatedByEdges(found, limit, world);
  const documents = await relatedDocuments(found.item, limit, world);
  const none = {
    summary: null,
    strength: null,
    direction: null,
    relations: [],
    suggested: false,
    likeness: null,
    outdated: false,
  };
  return documents.map((document) => ({ shelf: "document", ...none, ...document }));
}

async function needRelatable(target: string, world: LookupWorld): Promise<Found> {
  const found = await findItem(await resolveId(target, "relatable", world), world, SHELVES_RELATED);
  if (found) return found;
  throw await unknownIdFailure(target, "relatable", world);
}

/** Each neighbour once, by its strongest edge, with the relations of all. */
async function relatedByEdges(
  { item: { id }, shelf, store }: Found,
  limit: number,
  world: LookupWorld,
): Promise<RelatedItem[]> {
  if (!hasEdges(shelf)) return [];
  const statuses = ["active", "suggested"] as const;
  const edges = await currentEdgesOf(shelf, [id], { statuses, neighbours: FOLLOWED, limit }, store);
  const otherEnd = ({ source, target }: Edge) => (source === id ? target : source);
  const neighbours = [...Map.groupBy(edges, otherEnd)].slice(0, limit);
  const items = await store.items(
    shelf,
    neighbours.map(([other]) => other),
  );
  const [now, space] = [world.clock.now(), restrictingSpaceIn(world)];
  const shown = items.filter((item) => !isExpired(item, now) && isVisibleIn(space, item));
  const known = new Map(shown.map((item) => [item.id, item]));
  return neighbours.flatMap(([other, own]) => {
    const item = known.get(other);
    const strongest = own[0];
    if (!item || !strongest) return [];
    const { strength, status, made } = strongest;
    return {
      id: other,
      shelf,
      path: item.path,
      title: item.title,
      summary: item.summary,
      by: [...new Set(own.map(({ relation }) => relation))],
      times: 0,
      strength,
      direction: directionFrom(id, strongest),
      suggested: status === "suggested",
      relations: own.map((edge) => ({ relation: edge.relation, direction: directionFrom(id, edge) })),
      likeness: made ? likenessOf(strength) : null,
      outdated: item.status === "superseded",
    };
  });
}
