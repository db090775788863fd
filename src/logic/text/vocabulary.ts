/**
 * The model's vocabulary: the pieces that begin a word, those that go on with one, and what stands for the rest.
 *
 * Packed into bytes once and used as it lies there, so that reading it costs what reading a file costs.
 */
import { type PieceTable, packPieceTable, readPieceTable } from "./piece-table.ts";

const CONTINUATION = "##";
const MARKERS = ["[UNK]", "[CLS]", "[SEP]"] as const;

export interface Vocabulary {
  readonly leading: PieceTable;
  readonly continuing: PieceTable;
  /** The id of a word that nobody knows. */
  readonly unknown: number;
  /** The ids that stand before and behind a text that the model reads. */
  readonly start: number;
  readonly end: number;
}

export function packVocabulary(pieces: ReadonlyMap<string, number>): Uint8Array {
  const markers = MARKERS.map((marker) => {
    const id = pieces.get(marker);
    if (id === undefined) throw new RangeError(`a wordpiece vocabulary needs ${marker}`);
    return id;
  });
  const all = [...pieces];
  const continuing = all
    .filter(([piece]) => piece.startsWith(CONTINUATION))
    .map(([piece, id]) => [piece.slice(CONTINUATION.length), id] as const);
  const head = new Uint8Array(Uint32Array.from(markers).buffer);
  return Buffer.concat([head, packPieceTable(all), packPieceTable(continuing)]);
}

/** Throws a RangeError where the bytes are not a whole vocabulary. */
export function readVocabulary(bytes: Uint8Array): Vocabulary {
  // Numbers are read where they lie, which takes a buffer that begins with them.
  const buffer = bytes.slice().buffer as ArrayBuffer;
  const [unknown = 0, start = 0, end = 0] = new Uint32Array(buffer, 0, MARKERS.length);
  const leading = readPieceTable(buffer, 4 * MARKERS.length);
  const continuing = readPieceTable(buffer, leading.end);
  if (continuing.end !== buffer.byteLength) throw new RangeError("a vocabulary ends with its second table");
  return { leading: leading.table, continuing: continuing.table, unknown, start, end };
}
