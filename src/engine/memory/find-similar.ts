/**
 * Finds what a new item repeats, updates or contradicts.
 *
 * Runs after the commit, so it never delays a write. Candidates come from rare words, and from vectors if the model
 * happens to be loaded, else from wordpieces among the newest. The store reads synchronously, so the time limit is checked
 * between two reads; when it has passed, or after a failure, which is logged, nothing is announced.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { comparedStems, comparedTerms } from "../../logic/decisions/contradiction.ts";
import { openingOf } from "../../logic/memory/statements/opening.ts";
import type { Kin, Older } from "../../logic/memory/statements/rank-similar.ts";
import { isOfSeries } from "../../logic/memory/statements/series.ts";
import { soughtWords } from "../../logic/memory/statements/sought-words.ts";
import { UNKNOWN_PIECE, unknownShare } from "../../logic/text/wordpiece.ts";
import { wordingOf } from "../../logic/decisions/plan-ratify.ts";
import { summaryOf } from "../../logic/text/summary.ts";
import { queryTerms, sharedPart, tellingStems } from "../../logic/text/words.ts";
import { identityOf } from "../../model/memory/handles.ts";
import type { Item, Scope } from "../../model/memory/item.ts";
import { titled } from "../../model/text/titled.ts";
import type { Similar } from "../../model/memory/similar.ts";
import type { Filter, Ranked, VectorQuery } from "../../model/recall/search.ts";
import type { Store } from "../../ports/store/store.ts";
import type { World } from "../../ports/world.ts";
import { inTime } from "../care/in-time.ts";
import { restrictingSpaceIn } from "../recall/places.ts";

/** What was just remembered. */
export interface NewItem extends Pick<Item, "content"> {
  id: string;
  /** Of a decision; null for a memory. */
  subject: string | null;
  scope: Scope;
  /** The item it supersedes. */
  predecessor: string | null;
}

type SimilarWorld = Pick<World, "project" | "global" | "place" | "tokenizer" | "clock" | "log" | "settings">;
type ComparedShelf = Similar["shelf"];

interface Place {
  store: Store;
  shelf: ComparedShelf;
  filter: Filter;
}

interface Candidate {
  id: string;
  place: Place;
  text: string;
  subject: string | null;
  /** Alternatives that were rejected for a decision. */
  rejected: readonly string[];
  passage: number;
}

/** How long the comparison waits for a vector that began to be computed with the write. */
const VECTOR_WAIT_MS = 15;
/** The least share of words that two texts have in common, to be compared without a vector. */
const SHARED_LEAST = 0.25;
/** Of each ranker on each shelf. */
const FOUND_MOST = 8;
const UNREADABLE_SHARE = 0.5;

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

export async function findSimilar(
  item: NewItem,
  vector: Promise<VectorQuery | null>,
  world: SimilarWorld,
): Promise<Similar[]> {
  const { compareMs } = world.settings.remember;
  const endsAt = world.clock.now() + compareMs;
  const hasTime = async (): Promise<boolean> => {
    await immediate();
    return world.clock.now() < endsAt;
  };
  try {
    return (await inTime(search(item, vector, hasTime, world), compareMs)) ?? [];
  } catch (thrown) {
    world.log.warn(`not compared with older memories: ${(thrown as Error).message}`);
    return [];
  }
}

/** Whether there is time for another step; lets others have their turn first. */
type HasTime = () => Promise<boolean>;

async function search(
  item: NewItem,
  embedding: Promise<VectorQuery | null>,
  hasTime: HasTime,
  world: SimilarWorld,
): Promise<Similar[]> {
  const text = openingOf(item.content);
  const vector = await inTime(embedding, VECTOR_WAIT_MS);
  const candidates: Candidate[] = [];
  for (const place of await placesFor(item, world)) {
    if (!(await hasTime())) return [];
    candidates.push(...(await candidatesIn(place, item, vector, hasTime)));
  }
  const alone = candidates.filter((other) => other.subject !== null || !isOfSeries(text, other.text));
  const near = vector ? alone : alone.filter(sharesWordsWith(item));
  if (near.length === 0 || !(await hasTime())) return [];
  const pieces = await piecesOf(item.subject === null ? [text] : [`${item.subject} ${text}`], world);
  const compared = await withNearness(near, pieces[0]!, vector, world);
  // Most memories resemble no other, and the rules take longer to load than the search for candidates.
  const { rankSimilar } = await import("../../logic/memory/statements/rank-similar.ts");
  const kin = rankSimilar({ text, subject: item.subject }, compared);
  return kin.map((one) => similarOf(one, candidates.find(({ id }) => id === one.id)!));
}

/**
 * Without a vector only shared words make two texts near enough. This is known before the table of wordpieces is loaded,
 * which would take as long as the rest of a command.
 */
function sharesWordsWith({ content, subject }: NewItem): (candidate: Candidate) => boolean {
  const own = tellingStems(`${subject ?? ""} ${openingOf(content)}`);
  return ({ text, subject: other }) => other !== null || sharedPart(own, tellingStems(text)) >= SHARED_LEAST;
}

const similarOf = ({ id, kind, relevance, reason }: Kin, { place, text, subject }: Candidate): Similar => ({
  ...{ ...identityOf(id), kind, relevance, shelf: place.shelf },
  summary: summaryOf(titled(subject, text)),
  reason,
});

/** Memories of the same scope that a search would show, and the decisions and proposals of the project. */
async function placesFor({ scope }: NewItem, world: SimilarWorld): Promise<Place[]> {
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
  const filled = new Map<Store, Set<string>>();
  for (const store of new Set(places.map((place) => place.store))) {
    filled.set(store, new Set(await store.filledShelves()));
  }
  return places.filter(({ store, shelf }) => filled.get(store)?.has(shelf));
}

async function candidatesIn(
  place: Place,
  { id, content, subject, predecessor }: NewItem,
  vector: VectorQuery | null,
  hasTime: HasTime,
): Promise<Candidate[]> {
  const { store, shelf, filter } = place;
  const wanted = soughtWords(`${subject ?? ""} ${openingOf(content)}`);
  const terms = await rarestTerms(wanted, place);
  const byWords = terms.length > 0 ? await store.keyword(shelf, { terms }, filter, FOUND_MOST) : [];
  if (!(await hasTime())) return [];
  const byMeaning = vector ? await store.nearest(shelf, vector, filter, FOUND_MOST) : [];
  const found: Ranked[] = [...byWords, ...byMeaning].filter(({ itemId }) => itemId !== id && itemId !== predecessor);
  const passages = new Map(found.map(({ passage, item }) => [passage, item.subject]));
  const stored = await store.passages(shelf, [...passages.keys()]);
  const rejected = await rejectedFor(
    place,
    stored.map(({ itemId }) => itemId),
  );
  const byItem = new Map<string, Candidate>();
  for (const { itemId, passage, ordinal, text } of stored) {
    // Later passages are other parts of a long text, or its background.
    if (ordinal > 0) continue;
    const own = shelf === "memory" ? null : (passages.get(passage) ?? "");
    byItem.set(itemId, {
      ...{ id: itemId, place, text: openingOf(text), subject: own, passage },
      rejected: rejected.get(itemId) ?? [],
    });
  }
  return [...byItem.values()];
}

async function rejectedFor({ store, shelf }: Place, ids: readonly string[]): Promise<Map<string, readonly string[]>> {
  if (shelf !== "decision") return new Map();
  return new Map((await store.items(shelf, ids)).map((item) => [item.id, wordingOf(item).rejected]));
}

/** The words of a text that find what resembles it: rarest first, as many as make a cheap search. */
export async function rarestTerms(text: string, { store, shelf }: Pick<Place, "store" | "shelf">): Promise<string[]> {
  const { frequency } = await store.wordStatistics(shelf, comparedStems(text));
  return comparedTerms(text, frequency);
}

async function withNearness(
  candidates: readonly Candidate[],
  pieces: readonly number[],
  vector: VectorQuery | null,
  world: SimilarWorld,
): Promise<Older[]> {
  const others = await piecesOf(candidates.map(({ text, subject }) => (subject === null ? text : `${subject} ${text}`)), world); // prettier-ignore
  const overlaps = await world.project.wordpieceOverlap(pieces, others);
  const cosines = new Map<Candidate, number | null>();
  for (const [place, own] of Map.groupBy(candidates, (candidate) => candidate.place)) {
    const found = vector ? await place.store.cosines(place.shelf, vector, own.map(({ passage }) => passage)) : []; // prettier-ignore
    for (const [index, candidate] of own.entries()) cosines.set(candidate, found[index] ?? null);
  }
  return candidates.map((candidate, index) => ({
    ...{ id: candidate.id, text: candidate.text, subject: candidate.subject, rejected: candidate.rejected },
    isRatified: candidate.place.shelf === "decision",
    nearness: {
      olderCovered: overlaps[index]!.other,
      newerCovered: overlaps[index]!.own,
      cosine: cosines.get(candidate) ?? null,
    },
  }));
}

/** Wordpieces of the telling words. All unknown words share one piece, which would match every other. */
async function piecesOf(texts: readonly string[], { tokenizer }: Pick<World, "tokenizer">): Promise<number[][]> {
  const encoded = await tokenizer.encode(texts.map((text) => queryTerms(text).join(" ")));
  return encoded.map((pieces) => [...new Set(pieces)].filter((piece) => piece !== UNKNOWN_PIECE));
}
