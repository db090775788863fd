/** What goes with a document: what it refers to, what refers to it, and what questions find together with it. */
import { Failure } from "../errors.ts";
import type { Item } from "../model/item.ts";
import type { World } from "../ports.ts";

export interface RelatedDocument {
  id: string;
  path: string;
  title: string | null;
  /** It is referred to; it refers; both are found by the same questions. */
  by: ("refers_to" | "referred_by" | "found_together")[];
  /** How often they were found together. */
  times: number;
}

export async function relatedDocuments(target: string, limit: number, world: World): Promise<RelatedDocument[]> {
  const { project } = world;
  const item = await needDocument(target, world);
  const found = new Map<string, RelatedDocument>();
  const add = (id: string, path: string | null, by: RelatedDocument["by"][number], times = 0) => {
    if (path === null || id === item.id) return;
    const known = found.get(id) ?? { id, path, title: null, by: [], times: 0 };
    found.set(id, { ...known, by: [...new Set([...known.by, by])], times: known.times + times });
  };
  for (const { itemId, path, times } of await project.oftenWith(item.id, limit))
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

async function needDocument(target: string, { project }: World): Promise<Item> {
  const [byId] = await project.items("document", [target]);
  const item = byId ?? (await project.fileAt("document", target.replace(/^\.\//, "")));
  if (item) return item;
  throw new Failure(
    "not_found",
    `There is no document ${target}.`,
    "Name its path in the project, or the id of a hit.",
  );
}
