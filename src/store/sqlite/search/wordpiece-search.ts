/**
 * Search by wordpieces on one shelf: compares stored wordpieces with those of a question, similar ones included.
 *
 * Passages are tokenized and their wordpieces counted when they are written, so neither
 * a model nor a tokenizer is needed here.
 */
import { maxSim } from "../../../logic/recall/max-sim.ts";
import { inverseFrequency } from "../../../logic/recall/coverage.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Filter, Ranked, WordpieceOverlap, WordpieceQuery } from "../../../model/recall/search.ts";
import { tokenVectors, type TokenVectors, vectorsOf } from "../../vectors/token-vectors.ts";
import type { Database } from "../connection/database.ts";
import { pageWalk } from "./page-walk.ts";
import { knownFrequencies, passageTotal, pieceFrequency, wordpiecesOf } from "./wordpieces.ts";

/** As many passages as can be compared in a few milliseconds. */
const SOUGHT_PASSAGES = 2_000;
/** Passages that cover less of a question than this have no more in common with it than any text. */
const LEAST_COVERED = 0.1;
/** A longer question is reduced to its rarest pieces. */
const WEIGHED_PIECES = 64;

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

  function weighed(pieces: readonly number[]): { piece: number; weight: number }[] {
    const count = total();
    const counts = frequency(pieces, count);
    const weights = [...new Set(pieces)].map((piece) => ({
      piece,
      weight: inverseFrequency(counts.get(piece) ?? 0, count),
    }));
    return weights.sort((a, b) => b.weight - a.weight).slice(0, WEIGHED_PIECES);
  }

  function scores(query: WordpieceQuery, passages: readonly number[]): number[] {
    if (query.pieces.length === 0 || passages.length === 0) return passages.map(() => 0);
    const wanted = weighed(query.pieces);
    const weights = wanted.map(({ weight }) => weight);
    const whole = weights.reduce((sum, weight) => sum + weight, 0);
    const stored = pieces(passages);
    const meet = tokenVectors().compare(
      wanted.map(({ piece }) => piece),
      [...stored.values()],
    );
    const met = new Map<number, number>();
    for (const [index, [passage, { length }]] of [...stored].entries()) {
      const within = (start: number, end: number) => meet(index, start, end);
      met.set(passage, maxSim(weights, within, length, query.stretchPieces) / whole);
    }
    return passages.map((passage) => met.get(passage) ?? 0);
  }

  function nearest(query: WordpieceQuery, filter: Filter, limit: number): Ranked[] {
    if (query.pieces.length === 0) return [];
    const passages = newest.all();
    const met = scores(query, passages)
      .map((score, index) => ({ passage: passages[index]!, score }))
      .filter(({ score }) => score >= LEAST_COVERED)
      .sort((a, b) => b.score - a.score || b.passage - a.passage);
    const fetch = (size: number, offset: number) => met.slice(offset, offset + size);
    return paged(fetch, filter, { limit, eachPassage: query.eachPassage });
  }

  return { scores, nearest };
}

export function wordpieceOverlap(
  pieces: readonly number[],
  others: readonly (readonly number[])[],
): WordpieceOverlap[] {
  const { vectors, numberOf } = vectorsOf([...pieces, ...others.flat()]);
  const distinct = (some: readonly number[]): number[] => [...new Set(some)].map(numberOf);
  const [own, texts] = [distinct(pieces), others.map(distinct)];
  return texts.map((other) => ({ own: coverage(own, other, vectors), other: coverage(other, own, vectors) }));
}

/** The mean nearness of the nearest piece. */
function coverage(wanted: readonly number[], by: readonly number[], vectors: TokenVectors): number {
  if (wanted.length === 0 || by.length === 0) return 0;
  const meet = vectors.compare(wanted, [Uint16Array.from(by)]);
  const weights = wanted.map(() => 1 / wanted.length);
  return maxSim(weights, (start, end) => meet(0, start, end), by.length);
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
