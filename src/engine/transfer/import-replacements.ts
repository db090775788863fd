/** Computes which items an import would replace with newer versions, because somebody chose those. */
import { Failure } from "../../errors.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import { SHELVES } from "../../model/memory/shelves.ts";
import type { Stores, World } from "../../ports/world.ts";
import { type Touched, fingerprint, firstOf } from "../decisions/consent.ts";
import { type Intake, readExport } from "./read-export.ts";

const ALL = "all";

export const chooser = (replace: readonly string[]): ((id: string) => boolean) => {
  const chosen = new Set(replace);
  return (id) => chosen.has(ALL) || chosen.has(id) || chosen.has(handleOf(id));
};

/** Only reads. `shown` are the versions in the file. */
export async function replacementsIn(
  { path, replace = [] }: { path: string; replace?: readonly string[] | undefined },
  world: Stores & Pick<World, "files">,
): Promise<Touched> {
  if (replace.length === 0) return { count: 0, shown: [], about: null };
  return replacedAmong(await readExport(world.files.resolve(path), world), replace, world);
}

export async function replacedAmong(
  { parcels, keys }: Intake,
  replace: readonly string[],
  world: Stores,
): Promise<Touched> {
  if (replace.length === 0) return { count: 0, shown: [], about: null };
  refuseUnknown(replace, keys);
  const isChosen = chooser(replace);
  const replaced: Item[] = [];
  for (const { scope, items } of parcels) {
    const chosen = items().filter(({ item }) => isChosen(item.id));
    for (const shelf of SHELVES) {
      const incoming = new Map(chosen.filter((one) => one.shelf === shelf).map(({ item }) => [item.id, item]));
      const present = incoming.size > 0 ? await world[scope].items(shelf, [...incoming.keys()]) : [];
      for (const { id, version } of present) if (incoming.get(id)!.version > version) replaced.push(incoming.get(id)!);
    }
  }
  const about = replaced.length > 0 ? fingerprint(replaced) : null;
  return { count: replaced.length, shown: firstOf(replaced), about };
}

/** A handle that is not in the file was mistyped. */
function refuseUnknown(replace: readonly string[], keys: ReadonlySet<string>): void {
  const ids = new Set(
    [...keys].flatMap((key) => key.split(" ").slice(2).join(" ")).flatMap((id) => [id, handleOf(id)]),
  );
  const unknown = replace.find((typed) => typed !== ALL && !ids.has(typed));
  if (unknown === undefined) return;
  throw new Failure("not_found", `There is no item ${unknown} in the file.`, "`stele import` lists the conflicts.");
}
