/**
 * One vector per wordpiece, to measure how near the pieces of passages are to those of a question.
 *
 * The table is distilled from the embedding model, so synonyms are near each other without
 * loading a model. Each distinct piece of the passages is compared once, because a hundred
 * passages share most of their pieces.
 */
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { Failure } from "../../errors.ts";
import { growTo, instantiateKernel } from "./row-blocks.ts";

const FILE = new URL("./token-vectors.bin", import.meta.url);
const HEAD_BYTES = 8;
/** Pieces of a question the kernel compares at once, and columns whose best it finds at once. */
const AT_ONCE = 4;
const LANES = 16;
/** Number of a piece missing from the table, which is near nothing. */
const UNKNOWN = 0;

/**
 * For each wanted piece, the nearness of the nearest piece between `start` and `end` of a
 * passage: the squared cosine times 255, or 0 for a negative cosine. Overwritten by the next call.
 */
export type Meet = (passage: number, start: number, end: number) => Uint8Array;

export interface TokenVectors {
  readonly pieces: number;
  /** The result is valid until the next call. */
  compare(wanted: readonly number[], passages: readonly Uint16Array[]): Meet;
}

/** Weak, so that the eight megabytes of a server that nobody asks go with its next full collection. */
let loaded: WeakRef<TokenVectors> | undefined;
/** More single rows than this take as long to read as the whole table. */
export const FEW_ROWS = 600;
/** How many this process has read. */
let rowsRead = 0;

/** Read on first use, and again after it was collected. */
export function tokenVectors(): TokenVectors {
  const kept = loaded?.deref();
  if (kept) return kept;
  const vectors = createTokenVectors(readTable());
  loaded = new WeakRef(vectors);
  return vectors;
}

function readTable(): Buffer {
  try {
    return readFileSync(FILE);
  } catch (thrown) {
    throw damaged({ cause: thrown });
  }
}

/** The vectors of a few pieces, by their places in the list. */
export interface FewVectors {
  vectors: TokenVectors;
  numberOf: (piece: number) => number;
  /** Every piece has its own number. */
  isWhole?: boolean;
}

/**
 * A command compares a handful of texts and need not load the whole table. A process that goes on comparing is a
 * server: it loads the table, because reading rows for every comparison would soon take longer.
 */
export function vectorsOf(texts: readonly Iterable<number>[]): FewVectors {
  const few = loaded ? null : distinctIn(texts, FEW_ROWS - rowsRead);
  if (few === null) return { vectors: tokenVectors(), numberOf: (piece) => piece, isWhole: true };
  rowsRead += few.size;
  return readVectors(few);
}

/** Null if there are more. */
function distinctIn(texts: readonly Iterable<number>[], most: number): Set<number> | null {
  const distinct = new Set<number>();
  for (const text of texts) {
    for (const piece of text) distinct.add(piece);
    if (distinct.size > most) return null;
  }
  return distinct;
}

/** Reads only the rows of these pieces: loading the whole table takes as long as the rest of a command. */
export function readVectors(pieces: Iterable<number>, path: URL | string = FILE): FewVectors {
  const places = new Map([...new Set(pieces)].map((piece, place) => [piece, place]));
  return { vectors: createTokenVectors(readRows([...places.keys()], path)), numberOf: (piece) => places.get(piece)! };
}

/** A table of some pieces only; a piece missing from the file has a vector of zeros, which is near nothing. */
function readRows(wanted: readonly number[], path: URL | string): Buffer {
  try {
    const file = openSync(path, "r");
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      readWhole(file, head, 0);
      const [pieces, dimensions] = [head.readUInt32LE(0), head.readUInt32LE(4)];
      const table = Buffer.alloc(HEAD_BYTES + (4 + dimensions) * wanted.length);
      table.writeUInt32LE(wanted.length, 0);
      table.writeUInt32LE(dimensions, 4);
      for (const [place, piece] of wanted.entries()) {
        if (piece >= pieces) continue;
        const row = HEAD_BYTES + 4 * wanted.length + place * dimensions;
        readWhole(file, table.subarray(HEAD_BYTES + 4 * place, HEAD_BYTES + 4 * place + 4), HEAD_BYTES + 4 * piece);
        readWhole(file, table.subarray(row, row + dimensions), HEAD_BYTES + 4 * pieces + piece * dimensions);
      }
      return table;
    } finally {
      closeSync(file);
    }
  } catch (thrown) {
    throw damaged({ cause: thrown });
  }
}

/** Fills the buffer; a file that ends before is damaged. */
function readWhole(file: number, into: Buffer, position: number): void {
  if (readSync(file, into, 0, into.length, position) !== into.length) throw damaged();
}

const damaged = (options?: ErrorOptions) =>
  new Failure("unavailable", "The wordpiece table is missing or damaged.", "Reinstall Stele.", options);

/** File layout: number of pieces, dimensions (a multiple of 16), a float32 scale per piece, an int8 row per piece. */
export function createTokenVectors(file: Buffer): TokenVectors {
  if (file.length < HEAD_BYTES) throw damaged();
  const pieces = file.readUInt32LE(0);
  const dimensions = file.readUInt32LE(4);
  if (file.length !== HEAD_BYTES + (4 + dimensions) * pieces) throw damaged();
  const kernel = instantiateKernel();
  const layout = layoutFor(pieces, dimensions);
  growTo(kernel, layout.room);
  const table = file.subarray(HEAD_BYTES);
  new Uint8Array(kernel.memory.buffer, layout.scales).set(table.subarray(0, 4 * pieces));
  new Uint8Array(kernel.memory.buffer, layout.vectors).set(table.subarray(4 * pieces, (4 + dimensions) * pieces));
  const number = numbering(pieces);

  /** Fills four columns of shares: the nearness of wanted pieces to each distinct piece. */
  function fill(wanted: readonly number[], distinct: number, shares: number, width: number): void {
    const { buffer } = kernel.memory;
    const scalesOf = new Float32Array(buffer, layout.scales, pieces);
    const units = new Float32Array(buffer, layout.units, AT_ONCE).fill(0);
    for (const [column, piece] of wanted.entries()) {
      if (piece >= pieces) continue;
      const vector = new Int8Array(buffer, layout.vectors + piece * dimensions, dimensions);
      new Int16Array(buffer, layout.queries + 2 * column * dimensions, dimensions).set(vector);
      units[column] = scalesOf[piece]!;
    }
    const { vectors, scales, rows, queries } = layout;
    kernel.nearness(vectors, scales, rows, distinct, queries, layout.units, shares, width, dimensions);
  }

  return {
    pieces,
    compare(wanted, passages) {
      const starts = [0];
      for (const { length } of passages) starts.push(starts.at(-1)! + length);
      const written = layout.room;
      const shares = aligned(written + 2 * starts.at(-1)!);
      const width = Math.max(LANES, Math.ceil(wanted.length / LANES) * LANES);
      const best = shares + (1 + Math.min(pieces, starts.at(-1)!)) * width;
      growTo(kernel, best + width);
      const { buffer } = kernel.memory;
      const rows = new Uint16Array(buffer, layout.rows, pieces);
      const distinct = number(passages, rows, new Uint16Array(buffer, written, starts.at(-1)));
      new Uint8Array(buffer, shares, width).fill(0);
      for (let column = 0; column < wanted.length; column += AT_ONCE) {
        fill(wanted.slice(column, column + AT_ONCE), distinct, shares + width + column, width);
      }
      const found = new Uint8Array(buffer, best, wanted.length);
      return (passage, start, end) => {
        const first = written + 2 * starts[passage]!;
        kernel.best(shares, first + 2 * start, first + 2 * end, width, best);
        return found;
      };
    },
  };
}

type Numbering = (passages: readonly Uint16Array[], rows: Uint16Array, written: Uint16Array) => number;

/** Numbers the distinct pieces of the passages, lists them in `rows`, and returns how many there are. */
function numbering(pieces: number): Numbering {
  const numbers = new Uint16Array(pieces);
  return (passages, rows, written) => {
    let distinct = 0;
    let position = 0;
    for (const passage of passages) {
      for (let index = 0; index < passage.length; index++) {
        const piece = passage[index]!;
        let number = piece < pieces ? numbers[piece]! : UNKNOWN;
        if (number === UNKNOWN && piece < pieces) {
          rows[distinct] = piece;
          number = ++distinct;
          numbers[piece] = number;
        }
        written[position++] = number;
      }
    }
    for (let index = 0; index < distinct; index++) numbers[rows[index]!] = UNKNOWN;
    return distinct;
  };
}

const aligned = (address: number) => Math.ceil(address / 64) * 64;

/** Addresses of the table, the queries and the rows to compare; from `room` on, scratch space of a comparison. */
function layoutFor(pieces: number, dimensions: number) {
  const scales = 64;
  const vectors = aligned(scales + 4 * pieces);
  const units = aligned(vectors + dimensions * pieces);
  const queries = aligned(units + 4 * AT_ONCE);
  const rows = aligned(queries + 2 * AT_ONCE * dimensions);
  return { scales, vectors, units, queries, rows, room: aligned(rows + 2 * pieces) };
}
