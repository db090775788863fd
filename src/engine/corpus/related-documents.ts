/** Finds documents linked from a document, linking to it, or often found together with it. */
import type { Item } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";

export interface RelatedDocument {
  id: string;
  path: string;
  title: string | null;
  by: ("refers_to" | "referred_by" | "found_together")[];
  /** How often they were found together. */
  times: number;
}

export async function relatedDocuments(
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
