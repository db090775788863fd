/** Adds to a hit that describes code the code itself, which no search by meaning finds. */
import { isExpired } from "../../logic/memory/expiry.ts";
import { identityOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { World } from "../../ports/world.ts";
import { type PlacedItem, byPlace } from "../recall/places.ts";

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
      ...{ statuses: ["active"], relations: ["source_of"], direction: "outgoing", neighbours: ["active"], limit: 1 },
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
