/**
 * Finds what a new item is near: older items that are probably about the same thing.
 *
 * Runs after the commit, so it never delays a write. Candidates come from rare words, and from vectors if the model
 * happens to be loaded. The store reads synchronously, so the time limit is checked between two reads; when it has
 * passed, what was found by then counts. What is found is noted, so that reading shows both as neighbours.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { comparedStems, comparedTerms } from "../decisions/contradiction.ts";
import { wordingOf } from "../decisions/ratify-rules.ts";
import { sameSubject } from "../decisions/subject.ts";
import { Failure } from "../errors.ts";
import { dequantise } from "../embed/quantise.ts";
import type { EmbeddedPassage } from "../maintenance/backfill.ts";
import { inTime } from "../maintenance/lease.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import type { Filter, VectorQuery } from "../recall/search.ts";
import type { Store } from "../store/store.ts";
import { summaryOf, titled } from "../text/short-text.ts";
import { UNKNOWN_PIECE, unknownShare } from "../text/wordpieces.ts";
import { queryTerms } from "../text/words.ts";
import type { World } from "../world.ts";
import { authorOf, whoSaid } from "./authorship.ts";
import { identityOf } from "./handles.ts";
import type { Item, Scope } from "./item.ts";
import type { Near, NearPair, NearShelf } from "./near-pair.ts";
import {
  areOfTwoThings,
  differenceOf,
  NEAR_LEAST,
  NEAR_MOST,
  nearestOf,
  nearness,
  openingOf,
  sharedCharacters,
  sureKind,
} from "./nearness.ts";
import { isEarlier, unsettledWith } from "./neighbours.ts";
import { isoTime } from "./shown-item.ts";

/** What was just written. */
export interface NewItem extends Pick<Item, "id" | "content"> {
  shelf: NearShelf;
  /** Of a decision; null for a memory. */
  subject: string | null;
  scope: Scope;
  /** What it replaces. */
  except: readonly string[];
  /** If it is not new: what is younger is not compared. */
  createdAt?: number;
}

export type NearWorld = Pick<
  World,
  "project" | "global" | "place" | "tokenizer" | "clock" | "log" | "settings" | "origin" | "embedder"
>;

interface Place {
  store: Store;
  shelf: NearShelf;
  filter: Filter;
}

/** An older item with what was found of it. */
interface Candidate {
  id: string;
  place: Place;
  item: Item;
  text: string;
  passage: number;
}

/** How long the comparison waits for a vector that began to be computed with the write. */
const VECTOR_WAIT_MS = 15;
/** Of each ranker on each shelf. */
const FOUND_MOST = 8;
const UNREADABLE_SHARE = 0.5;
/** Counting a common word in a large store takes long, so only this many are counted. */
const SOUGHT_WORDS = 12;

/** Begins to embed the text, if that needs no loading. Never fails. */
export async function embedIfReady(
  content: string,
  { embedder, tokenizer }: Pick<World, "embedder" | "tokenizer">,
): Promise<VectorQuery | null> {
  if (embedder.state() !== "ready" || embedder.dimensions === 0) return null;
  const text = openingOf(content);
  try {
    const [pieces] = await tokenizer.encode([text]);
    // A script the model never learnt becomes unknown wordpieces, whose cosines mean nothing.
    if (!pieces || unknownShare(pieces) >= UNREADABLE_SHARE) return null;
    const [vector] = await embedder.embed([text]);
    return vector ? { embedder: embedder.identity, vector } : null;
  } catch {
    return null; // the comparison does without it
  }
}

/** Finds and notes it. A failure is logged; of what could not be compared nothing is near. */
export async function findNear(item: NewItem, vector: Promise<VectorQuery | null>, world: NearWorld): Promise<Near[]> {
  try {
    const known = await inTime(vector, VECTOR_WAIT_MS);
    const { id, createdAt = Infinity } = item;
    const all = (await nearTo(item, known, world)).filter((one) => isEarlier(one.item, { id, createdAt }));
    // What has the same subject is about the same thing, however it is worded.
    const same = all.filter((one) => one.isSameSubject);
    const near = [...new Set([...nearestOf(all), ...same])].slice(0, NEAR_MOST);
    const store = item.scope === "global" ? world.global : world.project;
    const found = await unsettledWith(item.id, near, store);
    // A store that is busy or moved meanwhile has what was remembered; the pairs are only not shown side by side.
    await note(item, found, world).catch((thrown: Error) => {
      if (!(thrown instanceof Failure)) world.log.warn(`not noted what it is near: ${thrown.message}`);
    });
    return found.map((one) => nearOf(one, item.content));
  } catch (thrown) {
    world.log.warn(`not compared with older items: ${(thrown as Error).message}`);
    return [];
  }
}

/** Of many at once only the last: the others come from an import, which is not compared. */
const COMPARED_LATER = 16;

/**
 * Compares memories with older ones again, now that they have vectors: a command that writes one does not load the model.
 * What is found is only noted.
 */
export async function compareEmbedded(
  embedded: readonly EmbeddedPassage[],
  store: Store,
  world: NearWorld,
): Promise<void> {
  if (world.settings.remember.compareMs === 0 || world.embedder.dimensions === 0) return;
  const vectors = new Map(
    embedded.filter(({ shelf }) => shelf === "memory").map(({ passage, vector }) => [passage, vector]),
  );
  const openings = (await store.passages("memory", [...vectors.keys()])).filter(({ ordinal }) => ordinal === 0);
  const items = await store.items(
    "memory",
    openings.slice(-COMPARED_LATER).map(({ itemId }) => itemId),
  );
  for (const { id, content, scope, status, createdAt } of items) {
    if (status !== "active" || scope === "working") continue;
    const { passage } = openings.find(({ itemId }) => itemId === id)!;
    const vector = { embedder: world.embedder.identity, vector: dequantise(vectors.get(passage)!) };
    const item = { id, shelf: "memory", content, subject: null, scope, except: [], createdAt } as const;
    await findNear(item, Promise.resolve(vector), world);
  }
}

export interface FoundNear extends Candidate {
  nearness: number;
  isSameSubject: boolean;
}

/** All candidates with how near each is; in the order of places. */
export async function nearTo(
  item: Omit<NewItem, "id"> & { id: string | null },
  vector: VectorQuery | null,
  world: NearWorld,
  shelves: readonly NearShelf[] = SHELVES_COMPARED[item.shelf],
): Promise<FoundNear[]> {
  const text = openingOf(item.content);
  const candidates: Candidate[] = [];
  let endsAt = Infinity;
  for (const place of await placesFor(item.scope, shelves, world)) {
    await immediate();
    if (world.clock.now() >= endsAt) break;
    candidates.push(...(await candidatesIn(place, item, vector)));
    // The first search of a process also loads what all of them need.
    endsAt = Math.min(endsAt, world.clock.now() + world.settings.remember.compareMs);
  }
  if (candidates.length === 0) return [];
  await immediate();
  const all = await measured(candidates, item, vector, world);
  // Only what is near is worth a closer look.
  return all.filter((one) => (one.nearness < NEAR_LEAST && !one.isSameSubject) || !areOfTwoThings(text, one.text));
}

/** A decision is compared with decisions: what it does to memories shows when they are read. */
const SHELVES_COMPARED: Readonly<Record<NearShelf, readonly NearShelf[]>> = {
  memory: ["memory", "decision", "proposal"],
  proposal: ["decision", "proposal"],
  decision: ["decision"],
};

/** Memories of the same scope that a search would show, and the decisions and proposals of the project. */
async function placesFor(scope: Scope, shelves: readonly NearShelf[], world: NearWorld): Promise<Place[]> {
  const { project, global } = world;
  const now = world.clock.now();
  const active: Filter = { statuses: ["active"], now, validAt: now };
  const visibleIn = scope === "global" ? restrictingSpaceIn(world) : undefined;
  const memories: Filter = { ...active, scopes: [scope], ...(visibleIn !== undefined && { visibleIn }) };
  const places: Place[] = [
    { store: scope === "global" ? global : project, shelf: "memory", filter: memories },
    { store: project, shelf: "decision", filter: active },
    { store: project, shelf: "proposal", filter: { statuses: ["pending"], now } },
  ];
  const wanted = places.filter(({ shelf }) => shelves.includes(shelf));
  const filled = new Map<Store, Set<string>>();
  for (const store of new Set(wanted.map((place) => place.store)))
    filled.set(store, new Set(await store.filledShelves()));
  return wanted.filter(({ store, shelf }) => filled.get(store)?.has(shelf));
}

async function candidatesIn(
  place: Place,
  { id, content, subject, except }: Omit<NewItem, "id"> & { id: string | null },
  vector: VectorQuery | null,
): Promise<Candidate[]> {
  const { store, shelf, filter } = place;
  const terms = await rarestTerms(soughtWords(`${subject ?? ""} ${openingOf(content)}`), place);
  const byWords = terms.length > 0 ? await store.keyword(shelf, { terms }, filter, FOUND_MOST) : [];
  const byMeaning = vector ? await store.nearest(shelf, vector, filter, FOUND_MOST) : [];
  const found = [...byWords, ...byMeaning].filter(({ itemId }) => itemId !== id && !except.includes(itemId));
  const stored = await store.passages(shelf, [...new Set(found.map(({ passage }) => passage))]);
  // Later passages are other parts of a long text, or its background.
  const openings = new Map(stored.filter(({ ordinal }) => ordinal === 0).map((one) => [one.itemId, one.passage]));
  const items = await store.items(shelf, [...openings.keys()]);
  return items.map((item) => ({
    id: item.id,
    place,
    item,
    passage: openings.get(item.id)!,
    text: openingOf(item.content),
  }));
}

/** The words of a text that find what resembles it: rarest first, as many as make a cheap search. */
export async function rarestTerms(text: string, { store, shelf }: Pick<Place, "store" | "shelf">): Promise<string[]> {
  const { frequency } = await store.wordStatistics(shelf, comparedStems(text));
  return comparedTerms(text, frequency);
}

/** Those with digits, then the longest, which are seldom common. */
function soughtWords(text: string): string {
  const worth = (term: string) => (/\p{N}/u.test(term) ? 100 : 0) + term.length;
  const sorted = queryTerms(text).toSorted((one, two) => worth(two) - worth(one));
  return sorted.slice(0, SOUGHT_WORDS).join(" ");
}

async function measured(
  candidates: readonly Candidate[],
  { content, subject }: Pick<NewItem, "content" | "subject">,
  vector: VectorQuery | null,
  world: NearWorld,
): Promise<FoundNear[]> {
  const subjectOf = ({ place, item }: Candidate) => (place.shelf === "memory" ? null : item.title);
  // A memory may name the subject; of two decisions, subjects in common say little about what was decided.
  const texts = candidates.map((one) => titled(subject === null ? subjectOf(one) : null, one.text));
  const [own, ...others] = await piecesOf([openingOf(content), ...texts], world);
  const overlaps = await world.project.wordpieceOverlap(own!, others);
  const cosines = new Map<Candidate, number | null>();
  for (const [place, here] of Map.groupBy(candidates, (candidate) => candidate.place)) {
    const found = vector
      ? await place.store.cosines(
          place.shelf,
          vector,
          here.map(({ passage }) => passage),
        )
      : [];
    for (const [index, candidate] of here.entries()) cosines.set(candidate, found[index] ?? null);
  }
  const isAbout = subject === null ? () => false : sameSubject(subject);
  return candidates.map((candidate, index) => {
    const pieces = (overlaps[index]!.own + overlaps[index]!.other) / 2;
    const covered = Math.max(pieces, sharedCharacters(openingOf(content), candidate.text));
    return {
      ...candidate,
      nearness: nearness({ covered, cosine: cosines.get(candidate) ?? null }),
      isSameSubject: isAbout(subjectOf(candidate) ?? ""),
    };
  });
}

/** Wordpieces of the telling words. All unknown words share one piece, which would match every other. */
async function piecesOf(texts: readonly string[], { tokenizer }: Pick<World, "tokenizer">): Promise<number[][]> {
  const encoded = await tokenizer.encode(texts.map((text) => queryTerms(text).join(" ")));
  return encoded.map((pieces) => [...new Set(pieces)].filter((piece) => piece !== UNKNOWN_PIECE));
}

async function note(
  { id, shelf, scope, content }: NewItem,
  found: readonly FoundNear[],
  world: NearWorld,
): Promise<void> {
  const store = scope === "global" ? world.global : world.project;
  if (store.readOnly) return;
  // The project's decisions are not in the store that all projects share.
  const here = found.filter(({ place }) => place.store === store);
  const pairs = here.map(
    ({ id: older, place, text, nearness: value }): NearPair => ({
      newer: id,
      newerShelf: shelf,
      older,
      olderShelf: place.shelf,
      nearness: value,
      kind: sureKind(text, openingOf(content)),
    }),
  );
  const known = pairs.length > 0 || (await store.nearPairs([id])).some(({ newer }) => newer === id);
  if (known) await store.apply([{ kind: "note_near", id, pairs }], world.origin);
}

/** As an answer shows it. */
function nearOf({ item, place: { shelf }, text, nearness: value }: FoundNear, content: string): Near {
  const { onlyFirst, onlySecond } = differenceOf(text, openingOf(content));
  return {
    ...identityOf(item.id),
    shelf,
    kind: sureKind(text, openingOf(content)),
    relevance: Math.round(value * 100) / 100,
    createdAt: isoTime(item.createdAt),
    by: whoSaid(authorOf(item)),
    summary: summaryOf(titled(shelf === "memory" ? null : wordingOf(item).subject, text)),
    onlyThere: onlyFirst,
    onlyHere: onlySecond,
  };
}
