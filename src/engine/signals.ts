/**
 * Signals: what else speaks for a candidate, beside the rankers that found it.
 *
 * Each gives a list like a ranker's, over the candidates alone. Only those to which the
 * recipe gives a weight are asked.
 */
import { dateNearness } from "../logic/dates.ts";
import { type RankedList, scaleScores } from "../logic/fusion.ts";
import { nameMention, pathMention } from "../logic/mentions.ts";
import type { Recipe } from "../logic/recipes.ts";
import type { Ranker } from "../model/hit.ts";
import type { StoredPassage } from "../model/shelf.ts";
import type { Outline, VectorQuery } from "../ports.ts";
import { type Asked, isTalk } from "./ask.ts";
import { type Candidate, type Place, cosinesOf } from "./gather.ts";

export interface Ballot {
  asked: Asked;
  recipe: Recipe;
  candidates: ReadonlyMap<string, Candidate>;
  items: ReadonlyMap<string, Outline>;
  vector: VectorQuery | null;
  /** The vector of a report's first line. */
  gist: VectorQuery | null;
}

type Entries = RankedList["entries"];

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
async function softEntries({ asked, recipe, candidates }: Ballot): Promise<Entries> {
  const entries: { id: string; score: number }[] = [];
  for (const [place, here] of byPlace(candidates)) {
    const pairs = here.flatMap(([id, { passages }]) => passages.map((passage) => ({ id, passage })));
    const scores = await softScores(
      place,
      asked,
      recipe,
      pairs.map(({ passage }) => passage),
    );
    const best = new Map<string, number>();
    for (const [index, { id }] of pairs.entries()) best.set(id, Math.max(best.get(id) ?? 0, scores[index]!));
    for (const [id, score] of best) entries.push({ id, score });
  }
  return entries;
}

function softScores({ store, shelf }: Place, asked: Asked, recipe: Recipe, passages: readonly number[]) {
  const { stretchPieces } = recipe;
  return store.soft(shelf, { pieces: asked.pieces, ...(stretchPieces && { stretchPieces }) }, passages);
}

/** How well the whole conversation fits: by the best passage that words find in it. */
async function sessionEntries({ asked, recipe, candidates }: Ballot): Promise<Entries> {
  const count = recipe.candidates.least;
  const scores = new Map<string, number>();
  for (const { store, shelf, filter } of asked.places) {
    const found = await store.keyword(shelf, { terms: asked.terms }, filter, count);
    const scaled = scaleScores(found.map(({ score }) => score));
    for (const [index, { itemId }] of found.entries()) scores.set(itemId, scaled[index]!);
  }
  return [...candidates].map(([id, { itemId }]) => ({ id, score: scores.get(itemId) ?? 0 }));
}

/** What was said just before and after: half words, half meaning. At an end the passage stands for its neighbour. */
async function neighbourEntries(ballot: Ballot): Promise<Entries> {
  const entries: { id: string; score: number }[] = [];
  for (const [place, here] of byPlace(ballot.candidates)) {
    const found = here.map(([, { passages }]) => passages[0]!);
    const around = await place.store.neighbours(place.shelf, found);
    const wide = [...new Set(around.flatMap((one) => [one.passage, one.previous, one.next]).filter((n) => n !== null))];
    const fit = await fitOf(wide, place, ballot);
    const shares = new Map(
      around.map(({ passage, previous, next }) => [
        passage,
        (fit.get(previous ?? passage)! + fit.get(next ?? passage)!) / 2,
      ]),
    );
    for (const [id, { passages }] of here) entries.push({ id, score: shares.get(passages[0]!) ?? 0 });
  }
  return entries;
}

async function fitOf(passages: readonly number[], place: Place, { asked, recipe, vector }: Ballot) {
  const soft = scaleScores(await softScores(place, asked, recipe, passages));
  const cosines = vector ? await place.store.cosines(place.shelf, vector, passages) : [];
  const near = vector ? scaleScores(cosines.map((cosine) => cosine ?? 0)) : soft;
  return new Map(passages.map((passage, index) => [passage, (soft[index]! + near[index]!) / 2]));
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

function nearnessInTime({ asked, items }: Ballot, id: string, passage: StoredPassage | undefined): number {
  const at = passage?.turn?.at ?? items.get(id)?.validFrom ?? items.get(id)?.createdAt;
  return at === undefined ? 0 : dateNearness(asked.dates, at);
}

/** People ask for what they said themselves, unless they say "you". */
function roleShare({ asked }: Ballot, passage: StoredPassage | undefined): number {
  return passage?.turn?.role === "user" && !/\b(you|your|yours)\b/i.test(asked.query) ? 1 : 0;
}

function entityShare({ asked, items }: Ballot, id: string, passage: StoredPassage | undefined): number {
  const item = items.get(id);
  const speaker = passage?.turn?.speaker;
  if (speaker && asked.speakers.includes(speaker)) return 1;
  const paths = [...(item?.path ? [item.path] : []), ...(item?.context.files ?? [])];
  return Math.max(
    nameMention(asked.query, item?.context.symbols ?? []),
    ...paths.map((path) => pathMention(asked.query, path)),
  );
}
