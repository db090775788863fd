/** Removes candidates whose passage nearly repeats that of a better one; the passage of the newer file stays. */
import { type ComparedPassage, latestOf, repeatGroups } from "../../logic/recall/repeats.ts";
import type { World } from "../../ports/world.ts";
import { type PlacedCandidate, byPlace } from "./places.ts";
import { bestPassages } from "./read-candidates.ts";

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
    const found = await store.passageVectors(shelf, identity, own.map(({ passages }) => passages[0]!)); // prettier-ignore
    for (const [index, candidate] of own.entries()) vectors.set(candidate, found[index] ?? null);
  }
  const isComplete = candidates.every((candidate) => vectors.get(candidate));
  const texts = isComplete ? null : await bestPassages(candidates);
  return candidates.map((candidate) => ({
    ...{ candidate, score: candidate.score, match: candidate.match },
    vector: vectors.get(candidate) ?? null,
    text: texts?.get(candidate)?.text ?? candidate.key,
  }));
}
