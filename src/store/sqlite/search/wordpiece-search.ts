/** Search by wordpieces on one shelf: compares stored wordpieces with those of a question, similar ones included. */
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked, WordpieceQuery } from "../../../model/recall/search.ts";
import { SOUGHT_PASSAGES, bestCovering, coverageScores } from "../../vectors/wordpiece-scores.ts";
import type { Database } from "../connection/database.ts";
import { pageWalk } from "./page-walk.ts";
import { knownFrequencies, passageTotal, pieceFrequency, wordpiecesOf } from "./wordpieces.ts";

export interface WordpieceSearch {
  /** How much of the question each passage covers, between 0 and 1. */
  scores(query: WordpieceQuery, passages: readonly number[]): number[];
  /** Among the newest passages, those that cover it best. */
  nearest(query: WordpieceQuery, filter: Filter, limit: number): Ranked[];
}

export function wordpieceSearch(db: Database, shelf: Shelf): WordpieceSearch {
  const total = passageTotal(db, shelf);
  const frequency = knownFrequencies(db, shelf, pieceFrequency(db, shelf));
  const pieces = storedPieces(db, shelf);
  const paged = pageWalk(db, shelf);
  const newest = db
    .prepare<[], number>(`select seq from ${shelf}_passage order by seq desc limit ${SOUGHT_PASSAGES}`)
    .pluck();

  function scores(query: WordpieceQuery, passages: readonly number[]): number[] {
    if (query.pieces.length === 0 || passages.length === 0) return passages.map(() => 0);
    const count = total();
    const counts = { frequency: frequency(query.pieces, count), total: count };
    return coverageScores(query, counts, passages, pieces(passages));
  }

  function nearest(query: WordpieceQuery, filter: Filter, limit: number): Ranked[] {
    if (query.pieces.length === 0) return [];
    const passages = newest.all();
    const met = bestCovering(scores(query, passages), passages);
    const fetch = (size: number, offset: number) => met.slice(offset, offset + size);
    return paged(fetch, filter, { limit, eachPassage: query.eachPassage });
  }

  return { scores, nearest };
}

/** The wordpieces of passages; those without any are left out. */
function storedPieces(db: Database, shelf: Shelf): (passages: readonly number[]) => Map<number, Uint16Array> {
  // All in one blob: a buffer per row would take longer than everything else.
  const together = db
    .prepare<[string], [string, Buffer | null]>(
      `select json_group_array(json_array(seq, length(tokens))), cast(group_concat(tokens, '') as blob)
      from json_each(?) wanted cross join ${shelf}_passage on seq = wanted.value
      where tokens is not null and length(tokens) % 2 = 0`,
    )
    .raw();
  return (passages) => {
    const [lengths, bytes] = together.get(JSON.stringify([...new Set(passages)]))!;
    const found = new Map<number, Uint16Array>();
    if (!bytes) return found;
    const all = wordpiecesOf(bytes);
    let start = 0;
    for (const [passage, byteLength] of JSON.parse(lengths) as [number, number][]) {
      found.set(passage, all.subarray(start, (start += byteLength / 2)));
    }
    return found;
  };
}
