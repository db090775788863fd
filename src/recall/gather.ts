/**
 * Collects candidates from all places, with every ranker that can find some.
 *
 * The results of one ranker from all places are merged by that ranker's own score. If words
 * find nothing, a bounded substring search replaces them.
 */
import { toFailure } from "../errors.ts";
import { queryTerms } from "../text/words.ts";
import { sumByItem } from "./fuse.ts";
import { cosinesOf, type PlacedCandidate, type SearchPlace } from "./places.ts";
import type { KindQuestion } from "./question.ts";
import { candidateCount, type Ranker } from "./ranking.ts";
import type { Ranked, VectorQuery, WordpieceQuery } from "./search.ts";

/**
 * Cosines of two embedders as one.
 *
 * Models differ in how near they put texts that have nothing to do with each other, and recipes and relevance are fitted
 * to the local one. So the other's cosines are brought to the mean and spread of the local ones before both are
 * joined: the remote model changes the order, but a question that nothing answers stays unanswered.
 */
interface CosinePair {
  local: number;
  /** Null for a passage that was not sent. */
  remote: number | null;
}

const FEWEST = 3;
/** Whoever names a remote model expects it to know better. */
const REMOTE_SHARE = 2 / 3;

/** In the order of the pairs. */
export function jointCosines(pairs: readonly CosinePair[]): number[] {
  const both = pairs.filter((pair): pair is { local: number; remote: number } => pair.remote !== null);
  const [local, remote] = [spreadOf(both.map((pair) => pair.local)), spreadOf(both.map((pair) => pair.remote))];
  // Too few, or all alike: nothing can be learnt about the other's scale.
  if (both.length < FEWEST || remote.deviation < 1e-6) return pairs.map((pair) => pair.local);
  const scaled = (cosine: number) => local.mean + ((cosine - remote.mean) * local.deviation) / remote.deviation;
  return pairs.map((pair) =>
    pair.remote === null ? pair.local : Math.max(-1, Math.min(1, joined(pair.local, scaled(pair.remote)))),
  );
}

const joined = (local: number, remote: number): number => local + REMOTE_SHARE * (remote - local);

function spreadOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (values.length || 1)) };
}

/**
 * Soft keywords: finds and scores passages by the question's wordpieces and similar ones.
 *
 * If the wordpiece table is missing, recall works without them.
 */
function nearestByWordpieces(
  question: KindQuestion,
  { store, shelf, filter }: SearchPlace,
  count: number,
): Promise<Ranked[]> {
  const query = { ...queryOf(question), eachPassage: question.eachPassage };
  return unlessMissing(store.nearestByWordpieces(shelf, query, filter, count), [], question);
}

/** In the order of the passages. */
export function wordpieceScores(
  question: KindQuestion,
  { store, shelf }: SearchPlace,
  passages: readonly number[],
): Promise<number[]> {
  const scores = store.wordpieceScores(shelf, queryOf(question), passages);
  return unlessMissing(
    scores,
    passages.map(() => 0),
    question,
  );
}

const queryOf = ({ pieces, recipe: { stretchPieces } }: KindQuestion): WordpieceQuery => ({
  pieces,
  ...(stretchPieces && { stretchPieces }),
});

async function unlessMissing<T>(answer: Promise<T>, nothing: T, { problems }: KindQuestion): Promise<T> {
  return answer.catch((thrown: unknown) => {
    const { code, message } = toFailure(thrown);
    if (code !== "unavailable") throw thrown;
    problems.push(`no soft keywords: ${message}`);
    return nothing;
  });
}

type CandidatesByKey = Map<string, PlacedCandidate>;
type Search = (place: SearchPlace) => Promise<Ranked[]>;

/** Passages read per candidate, if all passages of an item count. */
const SUMMED_PER_ITEM = 16;

export async function gather(question: KindQuestion): Promise<PlacedCandidate[]> {
  const { channels, recipe, text, terms, opening, subjects, vector, remoteVector, eachPassage } = question;
  const { weights } = recipe;
  const count = candidateCount(recipe, question.limit);
  const found: CandidatesByKey = new Map();
  const add = (ranker: Ranker | null, search: Search) => addFound(found, ranker, search, question, count);

  if (channels.words) {
    const byWords = await add("keyword", keywordSearch(terms, question, count));
    if (byWords === 0)
      await add("substring", ({ store, shelf, filter }) => store.substring(shelf, text, filter, count));
  }
  // This only finds candidates; their wordpiece scores are computed later, together with all others.
  if (!vector && channels.signals && weights.soft)
    await add(null, (place) => nearestByWordpieces(question, place, count));
  if (channels.signals && weights.linked && subjects.length > 0)
    await add("linked", (place) => evidenceAbout(subjects, place, count));
  if (channels.words && opening !== null && weights.opening)
    await add("opening", keywordSearch(queryTerms(opening), question, count));
  if (vector) {
    const query = { ...vector, eachPassage };
    await add("vector", ({ store, shelf, filter }) => store.nearest(shelf, query, filter, count));
    if (remoteVector)
      await add(null, ({ store, shelf, filter }) =>
        store.nearest(shelf, { ...remoteVector, eachPassage }, filter, count),
      );
    await addMissingCosines(found, vector);
    if (remoteVector) await joinRemoteCosines(found, remoteVector);
  }
  return [...found.values()];
}

/** Adds the best results of all places as candidates, scored by `ranker` if given. Returns how many there were. */
async function addFound(
  found: CandidatesByKey,
  ranker: Ranker | null,
  search: Search,
  { places, eachPassage }: KindQuestion,
  count: number,
): Promise<number> {
  const ranked = await Promise.all(
    places.map(async (place, index) => (await search(place)).map((one) => ({ ...one, place, index }))),
  );
  const best = ranked
    .flat()
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
  for (const { place, index, itemId: id, item: outline, passage, score } of best) {
    const key = `${index}/${id}${eachPassage ? `/${passage}` : ""}`;
    const known = found.get(key) ?? newCandidate(key, { id, place, outline });
    found.set(key, {
      ...known,
      ...(ranker === "vector" && { cosine: score }),
      passages: withPassage(known.passages, passage, ranker),
      scores: ranker === null ? known.scores : { ...known.scores, [ranker]: score },
    });
  }
  return best.length;
}

const newCandidate = (key: string, where: Pick<PlacedCandidate, "id" | "place" | "outline">): PlacedCandidate => ({
  key,
  ...where,
  passages: [],
  cosine: null,
  scores: {},
  score: 0,
  match: 0,
  why: {},
});

/** A passage with a similar meaning explains a hit better than one that shares a word, so it comes first. */
function withPassage(passages: readonly number[], passage: number, ranker: Ranker | null): readonly number[] {
  if (ranker === "vector") return [passage, ...passages.filter((other) => other !== passage)];
  return passages.includes(passage) ? passages : [...passages, passage];
}

function keywordSearch(terms: readonly string[], { recipe, eachPassage }: KindQuestion, count: number): Search {
  const isSummed = recipe.summed && !eachPassage;
  return async ({ store, shelf, filter }) => {
    if (!isSummed) return store.keyword(shelf, { terms, eachPassage }, filter, count);
    return sumByItem(await store.keyword(shelf, { terms, eachPassage: true }, filter, count * SUMMED_PER_ITEM));
  };
}

/** The evidence behind decisions about these subjects, scored by the subject that covers most of the question. */
async function evidenceAbout(
  subjects: KindQuestion["subjects"],
  { store, filter }: SearchPlace,
  count: number,
): Promise<Ranked[]> {
  const best = new Map<string, Ranked>();
  for (const { subject, share } of subjects.toSorted((a, b) => a.share - b.share)) {
    for (const ranked of await store.evidenceAbout([subject], filter, count))
      best.set(ranked.itemId, { ...ranked, score: share });
  }
  return [...best.values()];
}

/** Adds cosines to candidates of other rankers, lest one seem dissimilar only because others were nearer. */
async function addMissingCosines(found: CandidatesByKey, query: VectorQuery): Promise<void> {
  const unscored = [...found.values()].filter(({ cosine }) => cosine === null);
  for (const [candidate, cosine] of await cosinesOf(unscored, query))
    found.set(candidate.key, { ...candidate, cosine, scores: { ...candidate.scores, vector: cosine } });
}

async function joinRemoteCosines(found: CandidatesByKey, query: VectorQuery): Promise<void> {
  const candidates = [...found.values()].filter(({ cosine }) => cosine !== null);
  const remote = await cosinesOf(candidates, query);
  const pairs = candidates.map((candidate) => ({ local: candidate.cosine!, remote: remote.get(candidate) ?? null }));
  for (const [index, cosine] of jointCosines(pairs).entries()) {
    const candidate = candidates[index]!;
    found.set(candidate.key, { ...candidate, cosine, scores: { ...candidate.scores, vector: cosine } });
  }
}
