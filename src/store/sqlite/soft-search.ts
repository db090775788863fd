/**
 * Soft keywords on one shelf: stored wordpieces against those of a question.
 *
 * Wordpieces were cut when the passage was written and their frequencies counted, so neither
 * a model nor a tokenizer is needed here.
 */
import { maxSim } from "../../logic/max-sim.ts";
import { inverseFrequency } from "../../logic/relevance.ts";
import type { Shelf } from "../../model/shelf.ts";
import type { SoftQuery } from "../../ports.ts";
import { tokenVectors } from "../kernel/token-vectors.ts";
import type { Database } from "./database.ts";
import { passageTotal, pieceFrequency, wordpiecesOf } from "./wordpieces.ts";

/** A longer question is judged by its most telling pieces. */
const WEIGHED_PIECES = 64;

export function softSearch(db: Database, shelf: Shelf): (query: SoftQuery, passages: readonly number[]) => number[] {
  const total = passageTotal(db, shelf);
  const frequency = pieceFrequency(db, shelf);
  const pieces = storedPieces(db, shelf);

  function weighed(pieces: readonly number[]): { piece: number; weight: number }[] {
    const count = total();
    const counts = frequency(pieces);
    const weights = [...new Set(pieces)].map((piece) => ({
      piece,
      weight: inverseFrequency(counts.get(piece) ?? 0, count),
    }));
    return weights.sort((a, b) => b.weight - a.weight).slice(0, WEIGHED_PIECES);
  }

  return (query, passages) => {
    if (query.pieces.length === 0 || passages.length === 0) return passages.map(() => 0);
    const wanted = weighed(query.pieces);
    const weights = wanted.map(({ weight }) => weight);
    const stored = pieces(passages);
    const meet = tokenVectors().compare(
      wanted.map(({ piece }) => piece),
      [...stored.values()],
    );
    const scores = new Map<number, number>();
    for (const [index, [passage, { length }]] of [...stored].entries()) {
      const within = (start: number, end: number) => meet(index, start, end);
      scores.set(passage, maxSim(weights, within, length, query.stretchPieces));
    }
    return passages.map((passage) => scores.get(passage) ?? 0);
  };
}

/** The wordpieces of passages; one without any is left out. */
function storedPieces(db: Database, shelf: Shelf): (passages: readonly number[]) => Map<number, Uint16Array> {
  // All in one blob: a buffer for each of a hundred rows takes longer than everything else about them.
  const together = db
    .prepare<[string], [string, Buffer | null]>(
      `select json_group_array(json_array(seq, length(tokens))), cast(group_concat(tokens, '') as blob)
      from json_each(?) wanted cross join ${shelf}_passage on seq = wanted.value
      where tokens is not null`,
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
