/** Memories that name files or symbols are shown as stale when those have changed or gone since. */
import { join } from "node:path";
import { type KnownFile, anchorPath, staleness } from "../logic/staleness.ts";
import type { Hit } from "../model/hit.ts";
import type { Item } from "../model/item.ts";
import type { World } from "../ports.ts";

/** A memory about more files than these is about none in particular. */
const FILES_HELD = 50;

export async function withStaleness(hits: Hit[], items: ReadonlyMap<string, Item>, world: World): Promise<Hit[]> {
  const anchored = hits.flatMap((hit) => {
    const item = hit.shelf === "memory" ? items.get(hit.id) : undefined;
    const files = item?.context.files.slice(0, FILES_HELD).flatMap((path) => anchorPath(path, world.place.root) ?? []);
    return item && files && files.length > 0 ? [{ hit, item, files }] : [];
  });
  if (anchored.length === 0 || (await world.project.lastLook()) === null) return hits;
  const paths = [...new Set(anchored.flatMap(({ files }) => files))];
  const [known, gone] = [await knownFiles(paths, world), await goneAmong(paths, world)];
  const surroundings = { file: (path: string) => known.get(path) ?? null, isGone: (path: string) => gone.has(path) };
  const stale = new Map(
    anchored.map(({ hit, item, files }) => {
      const { symbols } = item.context;
      return [hit.id, staleness({ files, symbols, since: item.updatedAt }, surroundings)];
    }),
  );
  return hits.map((hit) => ({ ...hit, stale: stale.get(hit.id) ?? hit.stale }));
}

async function knownFiles(paths: readonly string[], { project }: World): Promise<Map<string, KnownFile>> {
  const states = (await project.fileStates({ paths })).filter(({ itemId }) => itemId !== null);
  const changed = new Map<string, number>();
  for (const shelf of ["document", "code"] as const) {
    const ids = states.filter((state) => state.shelf === shelf).map(({ itemId }) => itemId!);
    for (const { id, updatedAt } of await project.items(shelf, ids)) changed.set(id, updatedAt);
  }
  const defined = Map.groupBy(await project.symbolsOf([...changed.keys()]), ({ itemId }) => itemId);
  return new Map(
    states.map(({ path, itemId, modifiedAt }) => {
      const names = defined.get(itemId!)?.map(({ name }) => name);
      return [path, { modifiedAt, changedAt: changed.get(itemId!) ?? 0, symbols: names ? new Set(names) : null }];
    }),
  );
}

/** What is not in the index may be there all the same: left out, or not text. */
async function goneAmong(paths: readonly string[], { files, place }: World): Promise<Set<string>> {
  const kinds = await Promise.all(paths.map((path) => files.kindOf(join(place.root, path))));
  return new Set(paths.filter((_, index) => kinds[index] === "absent"));
}
