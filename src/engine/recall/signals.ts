/**
 * Signals: what else speaks for a candidate, beside the rankers that found it.
 *
 * Each gives a list like a ranker's, over the candidates alone. Only those to which the
 * recipe gives a weight are asked.
 */
import { dateNearness } from "../../logic/recall/dates.ts";
import { type RankedList, scaleScores, scaling } from "../../logic/recall/fusion.ts";
import type { Recipe } from "../../logic/recall/recipes.ts";
import type { Ranker } from "../../model/recall/ranking.ts";
import type { StoredPassage } from "../../model/memory/shelf.ts";
import type { SoftQuery, VectorQuery } from "../../model/recall/search.ts";
import { type Asked, isTalk } from "./ask.ts";
import { type Candidate, type Place, cosinesOf, orNothing } from "./gather.ts";

export interface Ballot {
  asked: Asked;
  recipe: Recipe;
  candidates: ReadonlyMap<string, Candidate>;
  vector: VectorQuery | null;
  /** The vector of a report's first line. */
  gist: VectorQuery | null;
  /** What could not be asked is told here. */
  missing: string[];
}

type Entries = RankedList["entries"];

/** A memory about more files than these is about none in particular. */
const FILES_HELD = 50;

export async function signalLists(ballot: Ballot): Promise<RankedList[]> {
  const { asked, recipe, candidates, gist } = ballot;
  const isWanted = (ranker: Ranker) => (recipe.weights[ranker] ?? 0) !== 0;
  // Only in talk does a passage say more than its item.
  const said = isTalk(asked.kind) ? await passagesOf(ballot) : new Map<string, StoredPassage>();
  const signals: Partial<Record<Ranker, () => Entries | Promise<Entries>>> = {
    soft: () => softEntries(ballot),
    gist: () => (gist ? cosinesOf(candidates, gist) : []),
    session: () => sessionEntries(ballot),
    neighbours: () => neighbourEntries(ballot),
    temporal: () => (asked.dates.length > 0 ? judge(ballot, (id) => nearnessInTime(ballot, id, said.get(id))) : []),
    role: () => judge(ballot, (id) => roleShare(ballot, said.get(id))),
    entity: () => judge(ballot, (id) => entityShare(ballot, id, said.get(id))),
  };
  const lists: RankedList[] = [];
  for (const [name, entries] of Object.entries(signals)) {
    const ranker = name as Ranker;
    if (isWanted(ranker)) lists.push({ ranker, entries: await entries() });
  }
  return lists.filter(({ entries }) => entries.length > 0);
}

const byPlace = (candidates: ReadonlyMap<string, Candidate>) => Map.groupBy(candidates, ([, { place }]) => place);

/** Those to whom a judgement gives anything. */
function judge({ candidates }: Ballot, share: (id: string) => number): Entries {
  return [...candidates.keys()].map((id) => ({ id, score: share(id) })).filter(({ score }) => score > 0);
}

/** How softly the question's words are met, by the best of the passages that were found. */
async function softEntries(ballot: Ballot): Promise<Entries> {
  const entries: { id: string; score: number }[] = [];
  for (const [place, here] of byPlace(ballot.candidates)) {
    const pairs = here.flatMap(([id, { passages }]) => passages.map((passage) => ({ id, passage })));
    const scores = await softScores(
      place,
      ballot,
      pairs.map(({ passage }) => passage),
    );
    const best = new Map<string, number>();
    for (const [index, { id }] of pairs.entries()) best.set(id, Math.max(best.get(id) ?? 0, scores[index]!));
    for (const [id, score] of best) if (score > 0) entries.push({ id, score });
  }
  return entries;
}

export function softQuery({ pieces }: Asked, { stretchPieces }: Recipe): SoftQuery {
  return { pieces, ...(stretchPieces && { stretchPieces }) };
}

function softScores({ store, shelf }: Place, ballot: Ballot, passages: readonly number[]): Promise<number[]> {
  const met = store.soft(shelf, softQuery(ballot.asked, ballot.recipe), passages);
  return orNothing(
    met,
    passages.map(() => 0),
    ballot.missing,
  );
}

/** How well the whole conversation fits: by the best passage that words find in it. */
async function sessionEntries({ asked, recipe, candidates }: Ballot): Promise<Entries> {
  const count = recipe.candidates.least;
  const found = await Promise.all(
    asked.places.map(async (place) => {
      const ranked = await place.store.keyword(place.shelf, { terms: asked.terms }, place.filter, count);
      return ranked.map(({ itemId, score }) => ({ place, itemId, score }));
    }),
  );
  const scaled = scaleScores(found.flat().map(({ score }) => score));
  const shares = new Map<Place, Map<string, number>>(asked.places.map((place) => [place, new Map()]));
  for (const [index, { place, itemId }] of found.flat().entries()) shares.get(place)!.set(itemId, scaled[index]!);
  return [...candidates].map(([id, { place, item }]) => ({ id, score: shares.get(place)?.get(item.id) ?? 0 }));
}

interface Fit {
  soft: number;
  /** Null where there is no vector. */
  cosine: number | null;
}

/** What was said just before and after: half words, half meaning. At an end the passage stands for its neighbour. */
async function neighbourEntries(ballot: Ballot): Promise<Entries> {
  const around: { id: string; self: Fit; previous: Fit; next: Fit }[] = [];
  for (const [place, here] of byPlace(ballot.candidates)) {
    const found = await place.store.neighbours(
      place.shelf,
      here.map(([, { passages }]) => passages[0]!),
    );
    const wide = [...new Set(found.flatMap((one) => [one.passage, one.previous, one.next]).filter((n) => n !== null))];
    const fit = await fitOf(wide, place, ballot);
    const byPassage = new Map(found.map((one) => [one.passage, one]));
    for (const [id, { passages }] of here) {
      const one = byPassage.get(passages[0]!);
      const self = fit.get(passages[0]!);
      if (!one || !self) continue;
      const beside = (passage: number | null) => (passage === null ? self : (fit.get(passage) ?? self));
      around.push({ id, self, previous: beside(one.previous), next: beside(one.next) });
    }
  }
  const share = shareOf(around.flatMap(({ self, previous, next }) => [self, previous, next]));
  return around.map(({ id, previous, next }) => ({ id, score: (share(previous) + share(next)) / 2 }));
}

async function fitOf(passages: readonly number[], place: Place, ballot: Ballot): Promise<Map<number, Fit>> {
  const { vector } = ballot;
  const soft = await softScores(place, ballot, passages);
  const cosines = vector ? await place.store.cosines(place.shelf, vector, passages) : [];
  return new Map(passages.map((passage, index) => [passage, { soft: soft[index]!, cosine: cosines[index] ?? null }]));
}

/** Fits on one scale, those of all places together. Where meaning is not known, words stand for it. */
function shareOf(fits: readonly Fit[]): (fit: Fit) => number {
  const soft = scaling(fits.map((fit) => fit.soft));
  const cosine = scaling(fits.map((fit) => fit.cosine).filter((known) => known !== null));
  return (fit) => (soft(fit.soft) + (fit.cosine === null ? soft(fit.soft) : cosine(fit.cosine))) / 2;
}

async function passagesOf({ candidates }: Ballot): Promise<Map<string, StoredPassage>> {
  const found = new Map<string, StoredPassage>();
  for (const [{ store, shelf }, here] of byPlace(candidates)) {
    const stored = await store.passages(
      shelf,
      here.map(([, { passages }]) => passages[0]!),
    );
    const byNumber = new Map(stored.map((passage) => [passage.passage, passage]));
    for (const [id, { passages }] of here) {
      const passage = byNumber.get(passages[0]!);
      if (passage) found.set(id, passage);
    }
  }
  return found;
}

function nearnessInTime({ asked, candidates }: Ballot, id: string, passage: StoredPassage | undefined): number {
  const item = candidates.get(id)?.item;
  const at = passage?.turn?.at ?? item?.validFrom ?? item?.createdAt;
  return at === undefined ? 0 : dateNearness(asked.dates, at);
}

/** People ask for what they said themselves, unless they say "you". */
function roleShare({ asked }: Ballot, passage: StoredPassage | undefined): number {
  return passage?.turn?.role === "user" && !/\b(you|your|yours)\b/i.test(asked.query) ? 1 : 0;
}

function entityShare({ asked, candidates }: Ballot, id: string, passage: StoredPassage | undefined): number {
  const item = candidates.get(id)?.item;
  const speaker = passage?.turn?.speaker;
  if (speaker && asked.speakers.some((named) => isSameName(named, speaker))) return 1;
  const { files = [], symbols = [] } = item?.context ?? {};
  const paths = [...(item?.path ? [item.path] : []), ...files.slice(0, FILES_HELD)];
  if (item?.subject && asked.mentions.subject(item.subject)) return 1;
  return Math.max(asked.mentions.name(symbols), ...paths.map((path) => asked.mentions.path(path)));
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
