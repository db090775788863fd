/**
 * The model's vocabulary: pieces that begin a word, pieces that continue one, and markers.
 *
 * Packed into bytes once and used in place, so that loading it costs no more than reading a file.
 */
import { type PieceTable, packPieceTable, readPieceTable } from "./piece-table.ts";

const CONTINUATION = "##";
const MARKERS = ["[UNK]", "[CLS]", "[SEP]"] as const;

export interface Vocabulary {
  readonly leading: PieceTable;
  readonly continuing: PieceTable;
  /** The id of unknown words. */
  readonly unknown: number;
  /** The ids before and after a text that the model reads. */
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

/** Throws a RangeError if the bytes are not a complete vocabulary. */
export function readVocabulary(bytes: Uint8Array): Vocabulary {
  // Numbers are read in place, so the buffer must begin with them.
  const buffer = bytes.slice().buffer as ArrayBuffer;
  const [unknown = 0, start = 0, end = 0] = new Uint32Array(buffer, 0, MARKERS.length);
  const leading = readPieceTable(buffer, 4 * MARKERS.length);
  const continuing = readPieceTable(buffer, leading.end);
  if (continuing.end !== buffer.byteLength) throw new RangeError("a vocabulary ends with its second table");
  return { leading: leading.table, continuing: continuing.table, unknown, start, end };
}
