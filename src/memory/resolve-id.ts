/**
 * Resolves input to an id: a full id, a handle, or a unique prefix of either.
 *
 * Every verb that takes an id resolves it here, among the items it could act on. An unknown id is an error that
 * suggests similar ones; an ambiguous one is an error that lists the matches.
 */
import { Failure } from "../errors.ts";
import { EDGE_SHELVES } from "../graph/edges.ts";
import { restrictingSpaceIn, type StoreShelf } from "../recall/places.ts";
import { redactor } from "../redaction/redact.ts";
import { editDistance } from "../text/fuzzy-name.ts";
import { shownLine } from "../text/short-text.ts";
import type { LookupWorld } from "../world.ts";
import { HANDLE_LENGTH, handleOf } from "./handles.ts";
import { isExpired } from "./item-changes.ts";
import type { Item } from "./item.ts";
import { type Shelf, SHELVES } from "./shelves.ts";
import { isVisibleIn } from "./visibility.ts";

// Ids as people type them: whether a text is meant as an id, and which id a mistyped one was meant to be.
//
// A verb that accepts an id or words must never search for a mistyped id, nor act on a word as if it were an id.
// Handles mix hex digits and letters; names such as `postgres15` end in their digits and have other letters.

/** The shortest prefix that is looked up. */
const LEAST_TYPED = 4;
/** From this length on, hex digits are neither a year nor the prefix of some id by chance. */
export const LEAST_SURE = 6;
const MOST_TYPOS = 2;
/** How many letters of a full id may be wrong: nothing else of that length has so few. */
const MOST_TYPOS_IN_ID = 4;
/** Anything longer can only be a full id. */
const LONG = 20;
/** The time part of an id; ids created together share it. */
const TIME_LENGTH = 13;

/** id: can only be an id; prefix: an id if one has this prefix, else words. */
export type Reading = "id" | "prefix" | "words";

/** How to read a target that may be an id or words. */
export function readingOf(target: string): Reading {
  const text = target.toLowerCase();
  if (!/^[0-9a-z-]+$/.test(text) || isDate(text)) return "words";
  if (/^[0-9a-f-]+$/.test(text)) return readingOfHex(text);
  return isMisspeltHandle(text) || isMisspeltId(text) ? "id" : "words";
}

function readingOfHex(text: string): Reading {
  const [hasDigit, hasLetter] = [/\d/.test(text), /[a-f]/.test(text)];
  if (hasDigit && text.length >= LEAST_SURE) return "id";
  // A short number may be a year, and letters alone a word; the two mixed are neither.
  if (hasDigit && hasLetter && text.length >= LEAST_TYPED) return "prefix";
  return text.length === HANDLE_LENGTH && hasLetter ? "prefix" : "words";
}

/** A date or a telephone number: digits in groups, the first of which is not that of an id. */
const isDate = (text: string): boolean => /^\d{1,7}(-\d+)+$/.test(text) && text.length < LONG;

const wrongLetters = (text: string): number => text.replace(/[0-9a-f-]/g, "").length;

/** Digits and letters alternate as in no word, and at most two letters are not hex. */
function isMisspeltHandle(text: string): boolean {
  if (text.length !== HANDLE_LENGTH || text.includes("-") || wrongLetters(text) > MOST_TYPOS) return false;
  const turns = text.match(/\d(?=[a-z])|[a-z](?=\d)/g)?.length ?? 0;
  return turns >= 3;
}

function isMisspeltId(text: string): boolean {
  const digits = text.replace(/\D/g, "").length;
  return text.length >= LONG && digits >= 6 && wrongLetters(text) <= MOST_TYPOS_IN_ID;
}

/** Whether this is a handle of one of these ids with a typo or two. Prefixes do not count: words resemble them. */
export function isNearHandle(typed: string, ids: readonly string[]): boolean {
  const text = typed.toLowerCase();
  const isAsLong = Math.abs(text.length - HANDLE_LENGTH) <= MOST_TYPOS;
  return isAsLong && ids.some((id) => editDistance(text, handleOf(id).toLowerCase(), MOST_TYPOS) <= MOST_TYPOS);
}

/** The ids that were most likely meant, nearest first; equally near ones keep their order. */
export function nearestIds(typed: string, ids: readonly string[], limit: number): string[] {
  const text = typed.toLowerCase();
  if (text.length < LEAST_TYPED || text.length > 2 * LONG || !/^[0-9a-z-]+$/.test(text)) return [];
  const bound = text.length < LEAST_SURE ? 1 : MOST_TYPOS;
  const near = ids.map((id) => ({ id, distance: distanceTo(text, id.toLowerCase(), bound) }));
  return near
    .filter(({ distance }) => distance <= bound)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ id }) => id);
}

/** Distance to the id or its handle, or to a prefix as long as the typed text. */
function distanceTo(text: string, id: string, bound: number): number {
  const handle = handleOf(id);
  const forms = text.length > TIME_LENGTH ? [id, id.slice(0, text.length)] : [handle, handle.slice(0, text.length)];
  return Math.min(...[...new Set(forms)].map((form) => editDistance(text, form, bound)));
}

interface KindOfId {
  noun: string;
  shelves: readonly Shelf[];
  isGlobal: boolean;
  /** Expired items count too, as long as they are stored. */
  isKept?: boolean;
  /** The hint when nothing similar is stored. */
  look: string;
}

const SEARCH = "Search for it, or list the items with `stele list`.";
const BY_SUBJECT = "Look for it by its subject.";
const IN_WORDS = "Describe it in words to see candidates.";

const ID_KINDS = {
  item: { noun: "item", shelves: SHELVES, isGlobal: true, look: SEARCH },
  memory: { noun: "memory", shelves: ["memory"], isGlobal: true, look: SEARCH },
  linkable: { noun: "memory or decision", shelves: EDGE_SHELVES, isGlobal: true, look: SEARCH },
  relatable: {
    noun: "document, memory or decision",
    shelves: ["document", ...EDGE_SHELVES],
    isGlobal: true,
    look: "Name a document's path in the project, or the id of a hit.",
  },
  forgettable: { noun: "memory", shelves: ["memory", "proposal"], isGlobal: true, look: IN_WORDS },
  erasable: { noun: "item", shelves: SHELVES, isGlobal: true, isKept: true, look: IN_WORDS },
  proposal: {
    noun: "proposal",
    shelves: ["proposal", "decision"],
    isGlobal: false,
    look: "`stele proposals` lists pending proposals.",
  },
  evidence: {
    noun: "evidence",
    shelves: ["evidence"],
    isGlobal: false,
    look: "Ask `stele why` to find it, or `stele log` it first.",
  },
  decision: { noun: "decision", shelves: ["decision"], isGlobal: false, look: BY_SUBJECT },
  superseded: { noun: "decision", shelves: ["decision", "memory", "proposal"], isGlobal: false, look: BY_SUBJECT },
  document: {
    noun: "document",
    shelves: ["document"],
    isGlobal: false,
    look: "Name its path in the project, or the id of a hit.",
  },
} as const satisfies Record<string, KindOfId>;

export type IdKind = keyof typeof ID_KINDS;
type LookUp = (text: string) => Promise<string[]>;

/** How many matches of an ambiguous id are listed. */
const LISTED = 5;
const SUGGESTED = 3;
/** A mistyped id is compared with this many of the newest of each shelf, and with older ones that start like it. */
const NEWEST_COMPARED = 2_000;
const OLDER_COMPARED = 200;
const LIKE_BEGINNING = 3;
const TYPED_SHOWN = 100;
const SUMMARY_SHOWN = 60;

export async function resolveId(typed: string, what: IdKind, world: LookupWorld): Promise<string> {
  const id = await findId(typed, what, world);
  if (id !== null) return id;
  throw await unknownIdFailure(typed, what, world);
}

export async function resolveIds(typed: readonly string[], what: IdKind, world: LookupWorld): Promise<string[]> {
  const ids: string[] = [];
  for (const one of typed) ids.push(await resolveId(one, what, world));
  return ids;
}

/** Null if nothing matches. `isWhole`: only a full id counts. */
export async function findId(
  typed: string,
  what: IdKind,
  world: LookupWorld,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<string | null> {
  return uniqueMatch(typed, storedLookUps(what, world), isWhole);
}

function storedLookUps(what: IdKind, world: LookupWorld): LookUp[] {
  const query = { now: isKept(what) ? null : world.clock.now(), limit: LISTED + 1 };
  return placesOf(what, world).map(
    ({ store, shelf }) =>
      (text) =>
        store.idsWithPrefix(shelf, text, query),
  );
}

/** Also finds removed items in the journals: a prefix that matches one of those too is ambiguous. */
export async function findRecorded(
  typed: string,
  what: IdKind,
  world: LookupWorld,
  { isWhole = false }: { isWhole?: boolean } = {},
): Promise<string | null> {
  const journaled: LookUp[] = [world.project, world.global].map(
    (store) => (text) => store.journaledIds(text, LISTED + 1),
  );
  return uniqueMatch(typed, [...storedLookUps(what, world), ...journaled], isWhole);
}

/** The one id that matches, null if none does; fails if several do. */
export async function uniqueMatch(typed: string, lookUps: readonly LookUp[], isWhole = false): Promise<string | null> {
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
  const listed = ids.length > LISTED ? [...ids.slice(0, LISTED), "and more"] : ids;
  throw new Failure(
    "conflict",
    `${shown(typed)} matches several ids: ${listed.join(", ")}.`,
    "Type more characters or the full id.",
  );
}

export async function unknownIdFailure(typed: string, what: IdKind, world: LookupWorld): Promise<Failure> {
  const { noun, look }: KindOfId = ID_KINDS[what];
  return unknownFailure(noun, typed, await suggestionsFor(typed, what, world), look);
}

/** `near` are the suggestions, as a person reads them. */
export function unknownFailure(noun: string, typed: string, near: readonly string[], look: string): Failure {
  const isShort = typed.length < LEAST_TYPED;
  const searched = isShort ? `Type at least ${LEAST_TYPED} characters of a handle; \`stele list\` shows them.` : look;
  const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : searched;
  return new Failure("not_found", `There is no ${noun} ${shown(typed)}.`, hint);
}

/** Whether this is the handle of a stored item with a typo or two. */
export async function isNearStoredHandle(typed: string, what: IdKind, world: LookupWorld): Promise<boolean> {
  return !/\s/.test(typed) && isNearHandle(typed, [...(await idsToCompare(typed, what, world)).keys()]);
}

/** A few visible items whose id or handle has this prefix. */
export async function itemsWithPrefix(typed: string, what: IdKind, world: LookupWorld): Promise<Item[]> {
  const text = typed.toLowerCase();
  if (text.length < LEAST_TYPED || /\s/.test(text)) return [];
  const items = new Map<string, Item>();
  const query = { now: world.clock.now(), limit: LISTED };
  for (const { store, shelf } of placesOf(what, world)) {
    const ids = await store.idsWithPrefix(shelf, text, query);
    for (const item of await store.items(shelf, ids)) items.set(item.id, item);
  }
  return [...items.values()].filter((item) => isVisibleIn(restrictingSpaceIn(world), item));
}

/** An item as a person recognises it. */
const nameOf = ({ id, title, summary }: Pick<Item, "id" | "title" | "summary">): string =>
  `${handleOf(id)} (${shownLine(title ?? summary, SUMMARY_SHOWN)})`;

/** What a mistyped id is compared with, and where each item is. */
async function idsToCompare(typed: string, what: IdKind, world: LookupWorld): Promise<Map<string, StoreShelf>> {
  const places = new Map<string, StoreShelf>();
  const beginning = typed.toLowerCase().slice(0, LIKE_BEGINNING);
  for (const place of placesOf(what, world)) {
    const { store, shelf } = place;
    const newest = await store.newestIds(shelf, NEWEST_COMPARED);
    const older = await store.idsWithPrefix(shelf, beginning, { now: null, limit: OLDER_COMPARED });
    for (const id of [...newest, ...older]) if (!places.has(id)) places.set(id, place);
  }
  return places;
}

/** Visible items with similar ids, by handle and summary. */
async function suggestionsFor(typed: string, what: IdKind, world: LookupWorld): Promise<string[]> {
  const places = await idsToCompare(typed, what, world);
  const suggestions: string[] = [];
  for (const id of nearestIds(typed, [...places.keys()], SUGGESTED)) {
    const { store, shelf } = places.get(id)!;
    const [item] = await store.items(shelf, [id]);
    if (!item || isExpired(item, world.clock.now()) || !isVisibleIn(restrictingSpaceIn(world), item)) continue;
    suggestions.push(nameOf(item));
  }
  return suggestions;
}

function placesOf(what: IdKind, { project, global }: LookupWorld): StoreShelf[] {
  const { shelves, isGlobal }: KindOfId = ID_KINDS[what];
  return (isGlobal ? [project, global] : [project]).flatMap((store) => shelves.map((shelf) => ({ store, shelf })));
}

/** Where an item of this kind may be. */
export const shelvesOf = (what: IdKind): readonly Shelf[] => ID_KINDS[what].shelves;

const isKept = (what: IdKind): boolean => (ID_KINDS[what] as KindOfId).isKept ?? false;

/** Our ids are lower-case; imported ones may not be. */
const spellingsOf = (typed: string): string[] => [...new Set([typed, typed.toLowerCase()])];

/** A secret pasted by mistake must not come back in an error, which may be logged. */
const shown = (typed: string): string => shownLine(redactor().clean(typed), TYPED_SHOWN);
