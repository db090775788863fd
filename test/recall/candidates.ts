/** Candidates as gathering and judging hand them on, for tests of the stages after them. */
import type { Ranker } from "../../src/recall/ranking.ts";
import type { Candidate, Outline } from "../../src/recall/search.ts";

export interface TestPlace {
  name: string;
  filter: { now: number };
}

export const PLACE: TestPlace = { name: "project", filter: { now: Date.UTC(2026, 0, 15) } };

const OUTLINE: Omit<Outline, "id"> = {
  scope: "project",
  priority: 5,
  confidence: 1,
  path: null,
  createdAt: 0,
  validFrom: null,
  context: { branch: null, commits: [], files: [], symbols: [], language: null },
  subject: null,
  rank: null,
  fadesSince: null,
  type: null,
  accessCount: 0,
};

/** A neutral candidate; its key is its id unless told otherwise. */
export function candidate(
  id: string,
  { outline, ...set }: Partial<Omit<Candidate<TestPlace>, "outline">> & { outline?: Partial<Outline> } = {},
): Candidate<TestPlace> {
  const plain = {
    key: id,
    id,
    place: PLACE,
    passages: [1],
    cosine: null,
    scores: {},
    score: 0,
    match: 0,
    why: {},
  };
  return { ...plain, ...set, outline: { ...OUTLINE, id, ...outline } };
}

/** What each ranker scores, in the order in which they are asked. */
export function candidatesOf(scored: readonly (readonly [id: string, Ranker, number])[]): Candidate<TestPlace>[] {
  return [...Map.groupBy(scored, ([id]) => id)].map(([id, own]) =>
    candidate(id, { scores: Object.fromEntries(own.map(([, ranker, score]) => [ranker, score])) }),
  );
}
