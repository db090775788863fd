/** Computes the effect of an import on decisions, for which a person is asked. */
import { fingerprint, firstOf, type Touched } from "../decisions/consent.ts";
import { Failure } from "../errors.ts";
import { handleOf } from "../memory/handles.ts";
import { type Item, LastingScope } from "../memory/item.ts";
import { SHELVES } from "../memory/shelves.ts";
import type { Stores, World } from "../world.ts";
import { needsConsent } from "./import-rules.ts";
import { type Intake, readExport } from "./read-export.ts";

/** The same limits as for the import itself. */
const LIMITS = { lineBytes: 8_000_000, fileBytes: 1_000_000_000 };
const NONE: Touched = { count: 0, shown: [], about: null };

/** The shelves on which only a person decides. */
const PERSONAL = ["decision", "proposal"] as const;

/** Only reads. */
export async function decisionsInExport(path: string, world: Stores & Pick<World, "files">): Promise<Touched> {
  const place = world.files.resolve(path);
  if (!(await mayTellOfDecisions(place, world))) return NONE;
  return decisionsAmong(await readExport(place, world), world);
}

/**
 * A quick check, because most files contain no decisions. If a file hides them with escapes, nobody is asked, so none
 * are imported.
 */
async function mayTellOfDecisions(place: string, { files }: Pick<World, "files">): Promise<boolean> {
  if ((await files.kindOf(place)) !== "file") return true;
  for await (const line of files.lines(place, LIMITS)) if (line.includes('"decision"')) return true;
  return false;
}

/** Decisions that would be added or changed, edges between them, and journals that mention decisions. */
export async function decisionsAmong(intake: Intake, world: Stores): Promise<Touched> {
  const decisions = await newDecisions(intake, world);
  const [edges, journals] = [await newEdges(intake, world), await newJournals(intake, world)];
  // To a person, a decision and its former proposal are the same.
  const shown = [
    ...new Map(decisions.map(({ item }): [string, Item] => [item.id, item]).toReversed()).values(),
  ].toReversed();
  const prints = [...decisions.map(({ print }) => print), ...edges, ...journals];
  return {
    count: shown.length,
    shown: firstOf(shown),
    ...(edges.length === 0 && { otherwise: "a journal that contains decisions" }),
    about: prints.length > 0 ? fingerprint(prints) : null,
  };
}

async function newDecisions({ keys, parcels }: Intake, world: Stores): Promise<{ item: Item; print: string }[]> {
  // Unpacking takes time, so it is done only if needed.
  if (![...keys].some((key) => PERSONAL.some((shelf) => key.split(" ", 2)[1] === shelf))) return [];
  const found = [];
  for (const { scope, items } of parcels) {
    for (const shelf of PERSONAL) {
      const incoming = items().filter((one) => one.shelf === shelf);
      const ids = incoming.map(({ item }) => item.id);
      const present = new Map(
        (ids.length > 0 ? await world[scope].items(shelf, ids) : []).map((item) => [item.id, item]),
      );
      for (const one of incoming) {
        const there = present.get(one.item.id) ?? null;
        const isNewer = (there?.version ?? 0) < one.item.version;
        if (isNewer && needsConsent(one, there)) found.push({ item: one.item, print: fingerprint(one) });
      }
    }
  }
  return found;
}

async function newEdges({ edges }: Intake, world: Stores): Promise<string[]> {
  const found = [];
  for (const scope of LastingScope.options) {
    const incoming = edges.filter(({ store, edge }) => store === scope && edge.shelf === "decision");
    const ids = incoming.map(({ edge }) => edge.id);
    const present = new Set((incoming.length > 0 ? await world[scope].edges("decision", ids) : []).map(({ id }) => id));
    found.push(...incoming.filter(({ edge }) => !present.has(edge.id)).map(fingerprint));
  }
  return found;
}

async function newJournals({ journals }: Intake, world: Stores): Promise<string[]> {
  const found = [];
  for (const [scope, { entries, fault }] of journals) {
    const tells = fault === null && entries.some(({ shelf }) => shelf === "decision");
    if (tells && (await world[scope].chainHead()).length === 0) found.push(entries.at(-1)!.hash);
  }
  return found;
}

/** Computes which items an import would replace with newer versions, because somebody chose those. */
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
