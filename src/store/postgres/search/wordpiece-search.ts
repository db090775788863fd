/** Search by wordpieces on one shelf: compares stored wordpieces with those of a question, similar ones included. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked, WordpieceQuery } from "../../../model/recall/search.ts";
import { wordpiecesOf } from "../../rows/search/wordpiece-bytes.ts";
import { SOUGHT_PASSAGES, bestCovering, coverageScores } from "../../vectors/wordpiece-scores.ts";
import type { Database, OpenDatabase } from "../connection/database.ts";
import { pageWalk } from "./page-walk.ts";
import { pieceStatistics } from "./wordpieces.ts";

export interface WordpieceSearch {
  /** How much of the question each passage covers, between 0 and 1. */
  scores(query: WordpieceQuery, passages: readonly number[]): Promise<number[]>;
  /** Among the newest passages, those that cover it best. */
  nearest(query: WordpieceQuery, filter: Filter, limit: number): Promise<Ranked[]>;
}

export function wordpieceSearch(db: OpenDatabase, shelf: Shelf): WordpieceSearch {
  const statistics = pieceStatistics(db, shelf);
  const paged = pageWalk(db, shelf);
  const newest = db.prepareColumn<number>(
    `select seq from ${shelf}_passage order by seq desc limit ${SOUGHT_PASSAGES}`,
  );
  // In the order in which they are asked for: of equal scores, the first one counts.
  const stored = (on: Database) =>
    on.prepareRaw<[number, Buffer]>(`
    select passage.seq, passage.tokens from unnest(@passages::bigint[]) with ordinality wanted (number, place)
    join ${shelf}_passage passage on passage.seq = wanted.number
    where passage.tokens is not null and octet_length(passage.tokens) % 2 = 0 order by wanted.place`);

  async function scores(query: WordpieceQuery, passages: readonly number[]): Promise<number[]> {
    if (query.pieces.length === 0 || passages.length === 0) return passages.map(() => 0);
    const [counts, rows] = await db.together((one) =>
      Promise.all([statistics(query.pieces, one), stored(one).all({ passages: [...new Set(passages)] })]),
    );
    return coverageScores(query, counts, passages, new Map(rows.map(([seq, tokens]) => [seq, wordpiecesOf(tokens)])));
  }

  return {
    scores,
    async nearest(query, filter, limit) {
      if (query.pieces.length === 0) return [];
      const passages = await newest.all();
      const met = bestCovering(await scores(query, passages), passages);
      const fetch = (size: number, offset: number) => ({ scored: met.slice(offset, offset + size) });
      return paged(fetch, filter, { limit, eachPassage: query.eachPassage });
    },
  };
}
