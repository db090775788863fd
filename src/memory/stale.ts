/**
 * Marks memories as stale if files or symbols they name have since changed or disappeared.
 *
 * Files are checked by size and modification time, never read.
 */
import { join } from "node:path";
import type { Hit } from "../recall/hit.ts";
import type { World } from "../world.ts";
import type { Item } from "./item.ts";
import {
  anchorPath,
  definedNames,
  FILES_CONSIDERED,
  isBareName,
  type KnownFile,
  type SeenFile,
  staleness,
} from "./staleness.ts";

/** Maximum per answer. */
const FILES_LOOKED_AT = 500;

export type StalenessWorld = Pick<World, "project" | "files" | "place">;

export async function withStaleness(
  hits: Hit[],
  items: ReadonlyMap<string, Item>,
  world: StalenessWorld,
): Promise<Hit[]> {
  const found = hits.flatMap((hit) => (hit.shelf === "memory" ? (items.get(hit.id) ?? []) : []));
  const stale = await stalenessOf(found, world);
  return stale.size === 0 ? hits : hits.map((hit) => ({ ...hit, stale: stale.get(hit.id) ?? hit.stale }));
}

/** Why each of these memories is stale, by its id; without those that are not. */
export async function stalenessOf(items: readonly Item[], world: StalenessWorld): Promise<Map<string, string>> {
  const anchored = items.flatMap((item) => {
    const files = isOfHere(item, world) ? filesOf(item, world) : [];
    return files.length > 0 ? [{ item, files }] : [];
  });
  if (anchored.length === 0) return new Map();
  const paths = [...new Set(anchored.flatMap(({ files }) => files))].slice(0, FILES_LOOKED_AT);
  const [known, seen] = [await knownFiles(paths, world), await seenFiles(paths, world)];
  const lookups = { known: (path: string) => known.get(path), seen: (path: string) => seen.get(path) };
  return new Map(
    anchored.flatMap(({ item, files }) => {
      const { symbols } = item.context;
      const bareNames = item.context.files.filter(isBareName);
      const reason = staleness({ files, bareNames, symbols, since: item.updatedAt }, lookups);
      return reason === null ? [] : [[item.id, reason]];
    }),
  );
}

/** A global memory may name files of another project. */
const isOfHere = ({ scope, details }: Item, { place }: Pick<World, "place">): boolean =>
  scope !== "global" || details["space"] === place.spaceId;

const filesOf = ({ context }: Item, { place }: Pick<World, "place">): string[] =>
  context.files.slice(0, FILES_CONSIDERED).flatMap((path) => anchorPath(path, place.checkout) ?? []);

async function knownFiles(
  paths: readonly string[],
  { project }: Pick<World, "project">,
): Promise<Map<string, KnownFile>> {
  const states = (await project.fileStates({ paths })).filter(({ itemId }) => itemId !== null);
  const changed = new Map<string, number>();
  for (const shelf of ["document", "code"] as const) {
    const ids = states.filter((state) => state.shelf === shelf).map(({ itemId }) => itemId!);
    for (const { id, updatedAt } of await project.items(shelf, ids)) changed.set(id, updatedAt);
  }
  const defined = Map.groupBy(await project.symbolsOf([...changed.keys()]), ({ itemId }) => itemId);
  return new Map(
    states.map(({ path, itemId, bytes, modifiedAt }) => {
      const symbols = defined.get(itemId!);
      const names = symbols ? definedNames(symbols) : null;
      return [path, { bytes, modifiedAt, changedAt: changed.get(itemId!) ?? 0, symbols: names }];
    }),
  );
}

async function seenFiles(
  paths: readonly string[],
  { files, place }: Pick<World, "files" | "place">,
): Promise<Map<string, SeenFile>> {
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await files.look(join(place.checkout, path))] as const)),
  );
}
