/**
 * Repeats: passages of documents that nearly say the same are shown once.
 *
 * The one from the file that changed last stays, in the place of the best of them. Of files that changed at the same
 * time, as after a checkout, the best stays.
 */
import { cosine } from "../embed/quantise.ts";
import type { World } from "../world.ts";
import { bestPassages, byPlace, type PlacedCandidate } from "./places.ts";

/** At this cosine two passages differ in a few words at most. */
export const SAME_PASSAGE_COSINE = 0.95;

interface ComparedPassage {
  /** Null if it has none yet; then only equal text counts. */
  vector: Float32Array | null;
  text: string;
}

/** Groups of entries that nearly repeat the first of their group, in order. */
export function repeatGroups<Entry extends ComparedPassage>(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const groups: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const group = groups.find(([first]) => isRepeat(first, entry));
    if (group) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

export function isRepeat(one: ComparedPassage, two: ComparedPassage): boolean {
  if (one.vector && two.vector) return cosine(one.vector, two.vector) >= SAME_PASSAGE_COSINE;
  return plain(one.text) === plain(two.text);
}

const plain = (text: string): string => text.replace(/\s+/g, " ").trim();

interface Placed {
  score: number;
  match: number;
}

/** The entry of the group that was changed last, in the place of the first. */
export function latestOf<Entry extends Placed>(
  [first, ...others]: readonly [Entry, ...Entry[]],
  changedAt: (entry: Entry) => number,
): Entry {
  const latest = others.reduce((best, other) => (changedAt(other) > changedAt(best) ? other : best), first);
  return { ...latest, score: first.score, match: first.match };
}

// Removes candidates whose passage nearly repeats that of a better one; the passage of the newer file stays.

/** So many more than are shown are compared, because those that are removed make room for others. */
const COMPARED_BEYOND = 2;
const COMPARED_MOST = 100;

interface Compared extends ComparedPassage {
  candidate: PlacedCandidate;
  score: number;
  match: number;
}

export async function withoutRepeats(
  candidates: readonly PlacedCandidate[],
  limit: number,
  { project, embedder }: Pick<World, "project" | "embedder">,
): Promise<PlacedCandidate[]> {
  const count = Math.min(COMPARED_MOST, limit * COMPARED_BEYOND);
  const [looked, rest] = [candidates.slice(0, count), candidates.slice(count)];
  const groups = repeatGroups(await comparedOf(looked, embedder));
  if (groups.length === looked.length) return [...candidates];
  const repeated = groups.filter(({ length }) => length > 1).flat();
  const paths = repeated.flatMap(({ candidate }) => candidate.outline.path ?? []);
  const states = new Map((await project.fileStates({ paths })).map(({ path, modifiedAt }) => [path, modifiedAt]));
  const changedAt = ({ candidate }: Compared) => states.get(candidate.outline.path ?? "") ?? 0;
  const kept = groups.map((group) => {
    const { candidate, score, match } = latestOf(group, changedAt);
    return { ...candidate, score, match };
  });
  return [...kept, ...rest];
}

async function comparedOf(
  candidates: readonly PlacedCandidate[],
  { identity }: Pick<World["embedder"], "identity">,
): Promise<Compared[]> {
  const vectors = new Map<PlacedCandidate, Float32Array | null>();
  for (const [{ store, shelf }, own] of byPlace(candidates)) {
    const found = await store.passageVectors(
      shelf,
      identity,
      own.map(({ passages }) => passages[0]!),
    );
    for (const [index, candidate] of own.entries()) vectors.set(candidate, found[index] ?? null);
  }
  const isComplete = candidates.every((candidate) => vectors.get(candidate));
  const texts = isComplete ? null : await bestPassages(candidates);
  return candidates.map((candidate) => ({
    candidate,
    score: candidate.score,
    match: candidate.match,
    vector: vectors.get(candidate) ?? null,
    text: texts?.get(candidate)?.text ?? candidate.key,
  }));
}
