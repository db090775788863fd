/**
 * Soft keywords: finds and scores passages by the question's wordpieces and similar ones.
 *
 * If the wordpiece table is missing, recall works without them.
 */
import { toFailure } from "../../errors.ts";
import type { Ranked, WordpieceQuery } from "../../model/recall/search.ts";
import type { SearchPlace } from "./places.ts";
import type { KindQuestion } from "./question.ts";

export function nearestByWordpieces(
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
