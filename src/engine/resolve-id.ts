/**
 * Which id is meant by what was typed: a whole id, a handle, or as much of either as only one item has.
 *
 * Every verb that takes an id asks here, so all of them understand the same, and only what the verb could act on
 * counts. What nothing is called is an error that names what is called nearly so.
 */
import { Failure } from "../errors.ts";
import { isExpired } from "../logic/plan-remember.ts";
import { LEAST_TYPED, isNearlyHandle, nearestIds } from "../logic/typed-id.ts";
import { shownLine } from "../model/cut.ts";
import { handleOf } from "../model/handle.ts";
import type { Item } from "../model/item.ts";
import { SHELVES, type Shelf } from "../model/shelf.ts";
import type { Store, World } from "../ports.ts";

interface Sought {
  noun: string;
  shelves: readonly Shelf[];
  isGlobal: boolean;
  /** What has expired but is still kept is meant too. */
  isKept?: boolean;
  /** Where to look when nothing is called nearly so. */
  look: string;
}

const SEARCH = "Search for it, or list what is there.";
const BY_SUBJECT = "Look for it by its subject.";
const IN_WORDS = "Describe it in words to see what could be meant.";

const SOUGHT = {
  item: { noun: "item", shelves: SHELVES, isGlobal: true, look: SEARCH },
  memory: { noun: "memory", shelves: ["memory"], isGlobal: true, look: SEARCH },
  forgettable: { noun: "memory", shelves: ["memory", "proposal"], isGlobal: true, look: IN_WORDS },
  erasable: { noun: "memory", shelves: SHELVES, isGlobal: true, isKept: true, look: IN_WORDS },
  proposal: {
    noun: "proposal",
    shelves: ["proposal", "decision"],
    isGlobal: false,
    look: "`proposals` lists what waits for a person.",
  },
  evidence: {
    noun: "evidence",
    shelves: ["evidence"],
    isGlobal: false,
    look: "Ask `why` to find it, or `log` it first.",
  },
  decision: { noun: "decision", shelves: ["decision"], isGlobal: false, look: BY_SUBJECT },
  superseded: { noun: "decision", shelves: ["decision", "memory", "proposal"], isGlobal: false, look: BY_SUBJECT },
  document: {
    noun: "document",
    shelves: ["document"],
    isGlobal: false,
    look: "Name its path in the project, or the id of a hit.",
  },
} as const satisfies Record<string, Sought>;

export type SoughtName = keyof typeof SOUGHT;
type Stores = Pick<World, "project" | "global" | "clock">;

/** So many are named where several could be meant. */
const TOLD = 5;
const SUGGESTED = 3;
/** A mistyped id is held against so many of the newest of each shelf, and against older ones that begin like it. */
const NEWEST_COMPARED = 2_000;
const OLDER_COMPARED = 200;
const LIKE_BEGINNING = 3;
const TYPED_SHOWN = 100;
const SUMMARY_SHOWN = 60;

export async function resolveId(typed: string, what: SoughtName, world: Stores): Promise<string> {
  const id = await findId(typed, what, world);
  if (id !== null) return id;
  throw await unknownId(typed, what, world);
}

export async function resolveIds(typed: readonly string[], what: SoughtName, world: Stores): Promise<string[]> {
  const ids: string[] = [];
  for (const one of typed) ids.push(await resolveId(one, what, world));
  return ids;
}

/** Null where nothing is called so. `isWhole`: only a whole id counts. */
export async function findId(
  typed: string,
  what: SoughtName,
  world: Stores,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<string | null> {
  const query = { now: isKept(what) ? null : world.clock.now(), limit: TOLD + 1 };
  const lookUps = placesOf(what, world).map(
    ({ store, shelf }) =>
      (text: string) =>
        store.idsBeginning(shelf, text, query),
  );
  return onlyOne(typed, lookUps, isWhole);
}

/** Also what has gone, as far as a journal tells of it. */
export async function findRecorded(
  typed: string,
  what: SoughtName,
  world: Stores,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<string | null> {
  const there = await findId(typed, what, world, { isWhole });
  if (there !== null) return there;
  const lookUps = [world.project, world.global].map((store) => (text: string) => store.journaledIds(text, TOLD + 1));
  return onlyOne(typed, lookUps, isWhole);
}

/** The one id that is meant, null where there is none; an error where there are several. */
export async function onlyOne(
  typed: string,
  lookUps: readonly ((text: string) => Promise<string[]>)[],
  isWhole = false,
): Promise<string | null> {
  const found = new Set<string>();
  for (const lookUp of lookUps) {
    for (const text of spellingsOf(typed)) {
      const ids = await lookUp(text);
      if (ids.includes(text)) return text;
      if (!isWhole && text.length >= LEAST_TYPED) for (const id of ids) found.add(id);
    }
  }
  const ids = [...found];
  if (ids.length <= 1) return ids[0] ?? null;
  const told = ids.length > TOLD ? [...ids.slice(0, TOLD), "and more"] : ids;
  throw new Failure("conflict", `${shown(typed)} may be any of ${told.join(", ")}.`, "Type more of it, or a whole id.");
}

export async function unknownId(typed: string, what: SoughtName, world: Stores): Promise<Failure> {
  const { noun, look }: Sought = SOUGHT[what];
  return unknown(noun, typed, await suggestionsFor(typed, what, world), look);
}

/** `near` is what may have been meant, as a person knows it. */
export function unknown(noun: string, typed: string, near: readonly string[], look: string): Failure {
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : look;
  return new Failure("not_found", `There is no ${noun} ${shown(typed)}.`, hint);
}

/** Whether something is called nearly so. */
export async function isNearlyAnId(typed: string, what: SoughtName, world: Stores): Promise<boolean> {
  return !/\s/.test(typed) && isNearlyHandle(typed, [...(await compared(typed, what, world)).keys()]);
}

/** What is called so at its beginning, a few of them. */
export async function itemsBeginning(typed: string, what: SoughtName, world: Stores): Promise<Item[]> {
  const text = typed.toLowerCase();
  if (text.length < LEAST_TYPED || /\s/.test(text)) return [];
  const items = new Map<string, Item>();
  const query = { now: world.clock.now(), limit: TOLD };
  for (const { store, shelf } of placesOf(what, world)) {
    const ids = await store.idsBeginning(shelf, text, query);
    for (const item of await store.items(shelf, ids)) items.set(item.id, item);
  }
  return [...items.values()];
}

/** An item as a person knows it. */
const nameOf = ({ id, title, summary }: Pick<Item, "id" | "title" | "summary">): string =>
  `${handleOf(id)} (${shownLine(title ?? summary, SUMMARY_SHOWN)})`;

type Place = { store: Store; shelf: Shelf };

/** What a mistyped id is held against, and where each of it is. */
async function compared(typed: string, what: SoughtName, world: Stores): Promise<Map<string, Place>> {
  const places = new Map<string, Place>();
  const beginning = typed.toLowerCase().slice(0, LIKE_BEGINNING);
  for (const place of placesOf(what, world)) {
    const { store, shelf } = place;
    const newest = await store.newestIds(shelf, NEWEST_COMPARED);
    const older = await store.idsBeginning(shelf, beginning, { now: null, limit: OLDER_COMPARED });
    for (const id of [...newest, ...older]) if (!places.has(id)) places.set(id, place);
  }
  return places;
}

/** Items that are called nearly so, by handle and summary. */
async function suggestionsFor(typed: string, what: SoughtName, world: Stores): Promise<string[]> {
  const places = await compared(typed, what, world);
  const suggestions: string[] = [];
  for (const id of nearestIds(typed, [...places.keys()], SUGGESTED)) {
    const { store, shelf } = places.get(id)!;
    const [item] = await store.items(shelf, [id]);
    if (!item || isExpired(item, world.clock.now())) continue;
    suggestions.push(nameOf(item));
  }
  return suggestions;
}

function placesOf(what: SoughtName, { project, global }: Stores): Place[] {
  const { shelves, isGlobal }: Sought = SOUGHT[what];
  return (isGlobal ? [project, global] : [project]).flatMap((store) => shelves.map((shelf) => ({ store, shelf })));
}

const isKept = (what: SoughtName): boolean => (SOUGHT[what] as Sought).isKept ?? false;

/** Ids are written in small letters; those from elsewhere may not be. */
const spellingsOf = (typed: string): string[] => [...new Set([typed, typed.toLowerCase()])];

const shown = (typed: string): string => shownLine(typed, TYPED_SHOWN);
