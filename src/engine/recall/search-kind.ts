/**
 * One kind of thing is searched: its rankers' lists, fused by its recipe and blended with what
 * each item is worth.
 */
import { toFailure } from "../../errors.ts";
import { type Standing, blendFactor } from "../../logic/recall/blend.ts";
import { fadedConfidence } from "../../logic/corpus/document-confidence.ts";
import { COSINES, type Fused, type RankedList, byScore, fuse } from "../../logic/recall/fusion.ts";
import { OTHER_RECIPES, OWN_RECIPES, type Recipe, candidateCount } from "../../logic/recall/recipes.ts";
import { queryTerms } from "../../logic/text/words.ts";
import type { Kind, RecipeName } from "../../model/recall/ranking.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Outline, VectorQuery } from "../../model/recall/search.ts";
import type { Store } from "../../ports/store.ts";
import type { Settings, World } from "../../ports/world.ts";
import type { Asked } from "./ask.ts";
import { drain } from "../care/drain.ts";
import { type Candidate, type Place, gather } from "./gather.ts";
import type { Chosen } from "./chosen.ts";
import { inTime } from "../care/in-time.ts";
import { queryVector } from "./query-vector.ts";
import { signalLists, softQuery } from "./signals.ts";

const DRAIN_MS = 1_500;

/** What is asked. Who wants words alone, or meaning alone, gets no signals beside them. */
export interface Way {
  words: boolean;
  meaning: boolean;
  signals: boolean;
}

export interface Wish {
  limit: number;
  recipe?: RecipeName | undefined;
  eachPassage?: boolean | undefined;
}

export interface Found {
  chosen: Chosen[];
  hasVector: boolean;
  degraded: string[];
  /** How near the best of this kind comes: by meaning, null where no vector is known, and by words. */
  cosine: number | null;
  words: number;
}

export async function searchKind(question: Asked, way: Way, wish: Wish, world: World): Promise<Found> {
  const recipe = recipeFor(question.kind, wish.recipe, world.settings);
  const { vector, degraded } = way.meaning ? await prepareVector(question, world) : NO_VECTOR;
  const missing: string[] = [];
  const { lists, candidates } = await gather(question.places, {
    missing,
    query: question.query,
    terms: way.words ? question.terms : null,
    opening: question.opening !== null && recipe.weights.opening ? queryTerms(question.opening) : null,
    subjects: way.signals && recipe.weights.linked ? question.subjects : [],
    vector,
    soft: !vector && way.signals && recipe.weights.soft ? softQuery(question, recipe) : null,
    count: candidateCount(recipe, wish.limit),
    eachPassage: wish.eachPassage ?? false,
    summed: (recipe.summed ?? false) && !wish.eachPassage,
  });
  if (way.signals) {
    const gist = vector && (await gistVector(question, recipe, world));
    lists.push(...(await signalLists({ asked: question, recipe, candidates, vector, gist, missing })));
  }
  const cosines = [...candidates.values()].map(({ cosine }) => cosine).filter((cosine) => cosine !== null);
  return {
    chosen: choose(normalised(lists, recipe, candidates), candidates),
    hasVector: vector !== null,
    degraded: [...(degraded === null ? [] : [degraded]), ...new Set(missing)],
    cosine: cosines.length > 0 ? Math.max(...cosines) : null,
    words: lists.find(({ ranker }) => ranker === "keyword")?.entries[0]?.score ?? 0,
  };
}

interface Prepared {
  vector: VectorQuery | null;
  degraded: string | null;
}

const NO_VECTOR: Prepared = { vector: null, degraded: null };

async function prepareVector({ meaning, places }: Asked, world: World): Promise<Prepared> {
  const { vector, degraded } = await queryVector(meaning, world);
  if (!vector) return { vector, degraded };
  // What waits on other shelves is of no concern here, and must not be in the way.
  const shelves = [...new Set(places.map(({ shelf }) => shelf))];
  const waiting = await drainSome([...new Set(places.map(({ store }) => store))], shelves, world);
  return {
    vector: { embedder: world.embedder.identity, vector },
    degraded: waiting === 0 ? degraded : `${waiting} passages are not embedded yet: backfill does it now`,
  };
}

async function gistVector({ opening }: Asked, recipe: Recipe, world: World): Promise<VectorQuery | null> {
  if (opening === null || !recipe.weights.gist) return null;
  const { vector } = await queryVector(opening, world);
  return vector && { embedder: world.embedder.identity, vector };
}

/**
 * What was just written is embedded before it is searched. A backlog is left to those who have time: embedding the first
 * of it would make every question wait and hardly change an answer. Answers how many still wait.
 */
async function drainSome(stores: readonly Store[], shelves: readonly Shelf[], world: World): Promise<number> {
  const { drainPassages: limit, modelWaitMs } = world.settings.recall;
  const counts = await Promise.all(stores.map((store) => store.waitingCount(world.embedder.identity, shelves)));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  if (waiting === 0 || waiting > limit) return waiting;
  try {
    // A cold model takes longer to load than to embed; the clock for embedding starts afterwards.
    const loading = world.embedder.load().then(() => true);
    if ((await inTime(loading, modelWaitMs)) === null) return waiting;
    const until = world.clock.now() + DRAIN_MS;
    const work = (async () => {
      let drained = 0;
      for (const store of stores) drained += await drain(store, world, { limit, until, shelves });
      return drained;
    })();
    // A worker that hangs must not hang the answer.
    return waiting - ((await inTime(work, DRAIN_MS + modelWaitMs)) ?? 0);
  } catch (thrown) {
    world.log.debug(`embedding waits: ${toFailure(thrown).message}`);
    return waiting;
  }
}

function recipeFor(kind: Kind, name: RecipeName | undefined, { recall: settings }: Settings): Recipe {
  const chosen = name ?? settings.recipe;
  if (chosen === "own") return OWN_RECIPES[kind];
  const { vectorWeight: vector, keywordWeight: keyword, rrfDamping, rrfEntityWeight, rrfTemporalWeight } = settings;
  const { rrf, weighted } = OTHER_RECIPES;
  if (chosen === "weighted") return { ...weighted, weights: { ...weighted.weights, vector, keyword } };
  const weights = { ...rrf.weights, entity: rrfEntityWeight, temporal: rrfTemporalWeight };
  return { ...rrf, weights, damping: rrfDamping };
}

/**
 * Recipes give more or less in all; of each the best possible is 1, so that kinds compare. What has no vector yet is
 * judged by the rest alone: that its meaning is not known must not speak against it.
 */
function normalised(lists: readonly RankedList[], recipe: Recipe, candidates: ReadonlyMap<string, Candidate>): Fused[] {
  const weigh = (some: readonly RankedList[]) =>
    some.reduce((sum, { ranker }) => sum + (recipe.weights[ranker] ?? 0), 0);
  const [whole, known] = [weigh(lists), weigh(lists.filter(({ ranker }) => !COSINES.includes(ranker)))];
  return fuse(lists, recipe)
    .map((entry) => {
      const isKnown = candidates.get(entry.id)?.cosine !== null;
      return { ...entry, score: entry.score / ((isKnown ? whole : known) || whole || 1) };
    })
    .sort(byScore);
}

/** Blended with what each item is worth; an item that stands in two stores counts once, where it is found better. */
function choose(ranked: readonly Fused[], candidates: ReadonlyMap<string, Candidate>): Chosen[] {
  const chosen: Chosen[] = [];
  const homes = new Map<string, Place>();
  for (const { id: key, score, why } of ranked) {
    const { item, place, passages, cosine } = candidates.get(key)!;
    const { id, scope } = item;
    if ((homes.get(id) ?? place) !== place) continue;
    homes.set(id, place);
    const blended = score * blendFactor(standingOf(item, place.filter.now));
    chosen.push({ id, scope, place, score: blended, why, passage: passages[0]!, cosine });
  }
  return chosen;
}

/** Documents fade while nobody looks at them, and stand higher the more refer to them. */
function standingOf({ priority, confidence, rank, fadesSince }: Outline, now: number): Standing {
  const lasting = fadesSince === null ? confidence : fadedConfidence(confidence, fadesSince, now);
  return { priority, confidence: lasting, centrality: rank ?? 0 };
}
