/**
 * Scores candidates by further signals, in addition to the rankers that found them.
 *
 * A signal never finds candidates. Only signals with a weight in the recipe are computed.
 */
import { hasEdges, neighboursOf } from "../graph/edges.ts";
import type { StoredPassage } from "../memory/shelves.ts";
import { FILES_CONSIDERED } from "../memory/staleness.ts";
import { dateNearness } from "../time/dates-in-text.ts";
import { scaleWithin } from "./fuse.ts";
import { wordpieceScores } from "./gather.ts";
import { bestPassages, byPlace, cosinesOf, type PlacedCandidate, type SearchPlace } from "./places.ts";
import { isTalk, type KindQuestion } from "./question.ts";
import type { Ranker } from "./ranking.ts";

// Candidates that an edge connects with one that clearly answers the question.
//
// Only meaning is clear enough: a memory that merely shares words with the question says nothing about its neighbours.

/** From this cosine on, a hit is almost always an answer. */
const STRONG_COSINE = 0.6;
const STRONG_MOST = 3;
const EDGES_MOST = 8;
/** A neighbour of an answer is less than one that is named itself. */
const LINKED_SHARE = 0.5;

/** Each such candidate's share, by the strength of the edge. */
export async function linkedWithStrong<Found extends Pick<PlacedCandidate, "id" | "place" | "cosine">>(
  candidates: readonly Found[],
): Promise<ReadonlyMap<Found, number>> {
  const shares = new Map<Found, number>();
  for (const [{ store, shelf }, here] of byPlace(candidates)) {
    const strong = here
      .filter(({ cosine }) => cosine !== null && cosine >= STRONG_COSINE)
      .toSorted((a, b) => b.cosine! - a.cosine!)
      .slice(0, STRONG_MOST)
      .map(({ id }) => id);
    if (strong.length === 0 || !hasEdges(shelf)) continue;
    const edges = await store.edgesOf(shelf, strong, { statuses: ["active"], limit: EDGES_MOST });
    const near = new Map(neighboursOf(new Set(strong), edges).map(({ id, strength }) => [id, strength]));
    for (const candidate of here) {
      const strength = near.get(candidate.id);
      if (strength !== undefined) shares.set(candidate, LINKED_SHARE * strength);
    }
  }
  return shares;
}

type Signal = ReadonlyMap<PlacedCandidate, number>;

export async function judge(
  candidates: readonly PlacedCandidate[],
  question: KindQuestion,
): Promise<PlacedCandidate[]> {
  const { channels, recipe, kind, dates, openingVector } = question;
  if (!channels.signals) return [...candidates];
  // Only in conversations does a passage carry more than its item: speaker, role and time.
  const passages = isTalk(kind) ? await bestPassages(candidates) : new Map<PlacedCandidate, StoredPassage>();
  const each = (share: (candidate: PlacedCandidate) => number) => signalOf(candidates, share);
  const signals: [Ranker, () => Signal | Promise<Signal>][] = [
    ["soft", () => bestWordpieceScores(candidates, question)],
    ["gist", () => (openingVector ? cosinesOf(candidates, openingVector) : new Map())],
    ["session", () => sessionShares(candidates, question)],
    ["neighbours", () => neighbourShares(candidates, question)],
    [
      "temporal",
      () => (dates.length > 0 ? each((one) => nearnessInTime(question, one, passages.get(one))) : new Map()),
    ],
    ["role", () => each((one) => roleShare(question, passages.get(one)))],
    ["entity", () => entityShares(candidates, question, passages)],
  ];
  const given: [Ranker, Signal][] = [];
  for (const [ranker, signal] of signals) if (recipe.weights[ranker]) given.push([ranker, await signal()]);
  return candidates.map((candidate) => {
    const own = given.filter(([, signal]) => signal.has(candidate));
    const scores = Object.fromEntries(own.map(([ranker, signal]) => [ranker, signal.get(candidate)!]));
    return { ...candidate, scores: { ...candidate.scores, ...scores } };
  });
}

/** Candidates with a share of 0 get no score. */
function signalOf(candidates: readonly PlacedCandidate[], share: (candidate: PlacedCandidate) => number): Signal {
  return new Map(candidates.map((one) => [one, share(one)] as const).filter(([, score]) => score > 0));
}

/** The best wordpiece score among the candidate's passages that were found. */
async function bestWordpieceScores(candidates: readonly PlacedCandidate[], question: KindQuestion): Promise<Signal> {
  const best = new Map<PlacedCandidate, number>();
  for (const [place, here] of byPlace(candidates)) {
    const pairs = here.flatMap((candidate) => candidate.passages.map((passage) => ({ candidate, passage })));
    const passages = pairs.map(({ passage }) => passage);
    const scores = await wordpieceScores(question, place, passages);
    for (const [index, { candidate }] of pairs.entries())
      best.set(candidate, Math.max(best.get(candidate) ?? 0, scores[index]!));
  }
  return signalOf(candidates, (candidate) => best.get(candidate) ?? 0);
}

/** How well the whole conversation matches: the keyword score of its best passage. */
async function sessionShares(
  candidates: readonly PlacedCandidate[],
  { places, terms, recipe }: KindQuestion,
): Promise<Signal> {
  const scores = new Map<SearchPlace, Map<string, number>>();
  for (const place of places) {
    const found = await place.store.keyword(place.shelf, { terms }, place.filter, recipe.candidates.least);
    scores.set(place, new Map(found.map(({ itemId, score }) => [itemId, score])));
  }
  const scale = scaleWithin([...scores.values()].flatMap((own) => [...own.values()]));
  return new Map(
    candidates.map((candidate) => {
      const score = scores.get(candidate.place)?.get(candidate.id);
      return [candidate, score === undefined ? 0 : scale(score)];
    }),
  );
}

interface Fit {
  wordpieces: number;
  /** Null without a vector. */
  cosine: number | null;
}

/** How well the passages before and after match: half words, half meaning. The passage replaces a missing neighbour. */
async function neighbourShares(candidates: readonly PlacedCandidate[], question: KindQuestion): Promise<Signal> {
  const around: { candidate: PlacedCandidate; self: Fit; previous: Fit; next: Fit }[] = [];
  for (const [place, here] of byPlace(candidates)) {
    const found = await place.store.neighbours(
      place.shelf,
      here.map(({ passages }) => passages[0]!),
    );
    const wide = [...new Set(found.flatMap((one) => [one.passage, one.previous, one.next]).filter((n) => n !== null))];
    const fits = await fitsOf(wide, place, question);
    const byPassage = new Map(found.map((one) => [one.passage, one]));
    for (const candidate of here) {
      const one = byPassage.get(candidate.passages[0]!);
      const self = fits.get(candidate.passages[0]!);
      if (!one || !self) continue;
      const beside = (passage: number | null) => (passage === null ? self : (fits.get(passage) ?? self));
      around.push({ candidate, self, previous: beside(one.previous), next: beside(one.next) });
    }
  }
  const share = shareOf(around.flatMap(({ self, previous, next }) => [self, previous, next]));
  return new Map(around.map(({ candidate, previous, next }) => [candidate, (share(previous) + share(next)) / 2]));
}

async function fitsOf(
  passages: readonly number[],
  place: SearchPlace,
  question: KindQuestion,
): Promise<Map<number, Fit>> {
  const { vector } = question;
  const wordpieces = await wordpieceScores(question, place, passages);
  const cosines = vector ? await place.store.cosines(place.shelf, vector, passages) : [];
  return new Map(
    passages.map((passage, index) => [passage, { wordpieces: wordpieces[index]!, cosine: cosines[index] ?? null }]),
  );
}

/** Scales the fits of all places together. Without a cosine, words count twice. */
function shareOf(fits: readonly Fit[]): (fit: Fit) => number {
  const byWords = scaleWithin(fits.map((fit) => fit.wordpieces));
  const byMeaning = scaleWithin(fits.map((fit) => fit.cosine).filter((known) => known !== null));
  return ({ wordpieces, cosine }) =>
    (byWords(wordpieces) + (cosine === null ? byWords(wordpieces) : byMeaning(cosine))) / 2;
}

function nearnessInTime(
  { dates, zone }: KindQuestion,
  { outline }: PlacedCandidate,
  passage: StoredPassage | undefined,
): number {
  return dateNearness(dates, passage?.turn?.at ?? outline.validFrom ?? outline.createdAt, zone);
}

/** People mostly ask about what they said themselves, unless they say "you". */
function roleShare({ text }: KindQuestion, passage: StoredPassage | undefined): number {
  return passage?.turn?.role === "user" && !/\b(you|your|yours)\b/i.test(text) ? 1 : 0;
}

/** Names that the question mentions; and what is linked with a candidate that clearly answers it. */
async function entityShares(
  candidates: readonly PlacedCandidate[],
  question: KindQuestion,
  passages: ReadonlyMap<PlacedCandidate, StoredPassage>,
): Promise<Signal> {
  const linked = await linkedWithStrong(candidates);
  return signalOf(candidates, (one) => Math.max(entityShare(question, one, passages.get(one)), linked.get(one) ?? 0));
}

function entityShare(
  { speakers, mentions }: KindQuestion,
  { outline: { path, context, subject } }: PlacedCandidate,
  passage: StoredPassage | undefined,
): number {
  const speaker = passage?.turn?.speaker;
  if (speaker && speakers.some((named) => isSameName(named, speaker))) return 1;
  if (subject && mentions.subject(subject)) return 1;
  const { files = [], symbols = [] } = context;
  const paths = [...(path ? [path] : []), ...files.slice(0, FILES_CONSIDERED)];
  return Math.max(mentions.name(symbols), ...paths.map((one) => mentions.path(one)));
}

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
