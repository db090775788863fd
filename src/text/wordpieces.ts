/**
 * Converts text to wordpiece ids, as BERT uncased was trained to read it.
 *
 * Cleans, separates ideographs, lower-cases, strips accents, splits at punctuation; then takes the longest known piece
 * first. Never truncates, never adds markers, and reads a literal "[SEP]" as text: no input can produce a marker.
 */

/**
 * Word pieces, with a lookup for the longest one at a position in a text.
 *
 * Every prefix of the rest of a word is hashed in one pass, then looked up from the longest down. Slicing a string for
 * each attempt, as a Map requires, costs ten times as much. A table is packed into bytes once and used in place,
 * because building one takes longer than any single command needs it.
 */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const PLACE_BITS = 16;
const PLACE_MASK = (1 << PLACE_BITS) - 1;
const HEAD_NUMBERS = 4;

interface PieceTable {
  /** The index of the longest piece of `word` at `start`; -1 if there is none. */
  longest(word: string, start: number): number;
  idAt(place: number): number;
  lengthAt(place: number): number;
}

/** Byte offsets of the parts of a packed table. */
function layout(pieces: number, slots: number, units: number) {
  const slotsAt = 4 * HEAD_NUMBERS;
  const endsAt = slotsAt + 4 * slots;
  const idsAt = endsAt + 4 * pieces;
  const unitsAt = idsAt + 2 * pieces;
  // Tables follow each other, and each begins at a multiple of four bytes.
  return { slotsAt, endsAt, idsAt, unitsAt, bytes: Math.ceil((unitsAt + 2 * units) / 4) * 4 };
}

function hashPrefixes(word: string, start: number, hashes: Int32Array, length: number): void {
  let hash = SEED;
  for (let at = 0; at < length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(start + at), PRIME);
    hashes[at + 1] = hash ^ (hash >>> 15);
  }
}

/** Packs these pieces for `readPieceTable`. */
export function packPieceTable(pieces: readonly (readonly [text: string, id: number])[]): Uint8Array<ArrayBuffer> {
  if (pieces.length >= PLACE_MASK) throw new RangeError(`a table holds fewer than ${PLACE_MASK} pieces`);
  const units = pieces.reduce((sum, [text]) => sum + text.length, 0);
  const longest = pieces.reduce((length, [text]) => Math.max(length, text.length), 0);
  // At most half full. A slot holds the index of a piece plus one, and half of its hash above that.
  const slotCount = 2 ** Math.ceil(Math.log2(2 * (pieces.length + 1)));
  const { slotsAt, endsAt, idsAt, unitsAt, bytes } = layout(pieces.length, slotCount, units);
  const buffer = new ArrayBuffer(bytes);
  new Uint32Array(buffer).set([pieces.length, slotCount, units, longest]);
  const slots = new Uint32Array(buffer, slotsAt, slotCount);
  const ends = new Uint32Array(buffer, endsAt, pieces.length);
  const text = new Uint16Array(buffer, unitsAt, units);
  new Uint16Array(buffer, idsAt, pieces.length).set(pieces.map(([, id]) => id));
  const hashes = new Int32Array(longest + 1);
  let end = 0;
  for (const [place, [piece]] of pieces.entries()) {
    for (let at = 0; at < piece.length; at++) text[end++] = piece.charCodeAt(at);
    ends[place] = end;
    hashPrefixes(piece, 0, hashes, piece.length);
    const hash = hashes[piece.length]!;
    let slot = hash & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = (hash & ~PLACE_MASK) | (place + 1);
  }
  return new Uint8Array(buffer);
}

/** Reads a packed table at `start`, a multiple of four; returns it with its end. */
export function readPieceTable(buffer: ArrayBuffer, start: number): { table: PieceTable; end: number } {
  const head = new Uint32Array(buffer, start, HEAD_NUMBERS);
  const [pieces = 0, slotCount = 0, units = 0, longestLength = 0] = head;
  const { slotsAt, endsAt, idsAt, unitsAt, bytes } = layout(pieces, slotCount, units);
  const slots = new Uint32Array(buffer, start + slotsAt, slotCount);
  const ends = new Uint32Array(buffer, start + endsAt, pieces);
  const ids = new Uint16Array(buffer, start + idsAt, pieces);
  const text = new Uint16Array(buffer, start + unitsAt, units);
  const hashes = new Int32Array(longestLength + 1);
  const startOf = (place: number) => (place === 0 ? 0 : ends[place - 1]!);
  const lengthAt = (place: number) => ends[place]! - startOf(place);

  function isAt(place: number, word: string, from: number): boolean {
    const [first, last] = [startOf(place), ends[place]!];
    for (let at = first; at < last; at++) if (word.charCodeAt(from + at - first) !== text[at]) return false;
    return true;
  }

  function find(word: string, from: number, length: number): number {
    const hash = hashes[length]!;
    for (let slot = hash & (slotCount - 1); slots[slot] !== 0; slot = (slot + 1) & (slotCount - 1)) {
      const held = slots[slot]!;
      if (held >>> PLACE_BITS !== hash >>> PLACE_BITS) continue;
      const place = (held & PLACE_MASK) - 1;
      if (lengthAt(place) === length && isAt(place, word, from)) return place;
    }
    return -1;
  }

  const table: PieceTable = {
    longest(word, from) {
      const most = Math.min(longestLength, word.length - from);
      hashPrefixes(word, from, hashes, most);
      for (let length = most; length > 0; length--) {
        const found = find(word, from, length);
        if (found >= 0) return found;
      }
      return -1;
    },
    idAt: (place) => ids[place]!,
    lengthAt,
  };
  return { table, end: start + bytes };
}

/**
 * The model's vocabulary: pieces that begin a word, pieces that continue one, and markers.
 *
 * Packed into bytes once and used in place, so that loading it costs no more than reading a file.
 */
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

const LONGEST_WORD_CHARACTERS = 100;
/** The id of an unknown word in the packaged vocabulary; stored passages hold it, so it is fixed. */
export const UNKNOWN_PIECE = 100;

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

export type Wordpiece = (text: string) => Uint16Array;

export function createWordpiece(vocabulary: Vocabulary): Wordpiece {
  return (text) => {
    const ids: number[] = [];
    for (const word of wordsAndMarks(text) ?? []) split(word, vocabulary, ids);
    return new Uint16Array(ids);
  };
}

function wordsAndMarks(text: string): string[] | null {
  // Gives what the pattern below does, several times faster; that one is also slow to build.
  if (PLAIN.test(text)) return text.toLowerCase().match(/[a-z0-9]+|[!-/:-@[-`{-~]/g);
  // ASCII symbols count as punctuation although Unicode classifies some ("$", "+", "^") otherwise.
  return normalize(text).match(/[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu);
}

/** Cleaned, lower-cased text in which every ideograph is separate. */
function normalize(text: string): string {
  const seen = text.replace(/[\p{Cf}\p{Co}\p{Cs}\ufffd\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/gu, "");
  const spaced = seen.replace(/[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g, " $& ");
  const accents = /\p{Mn}/gu;
  return spaced.toLowerCase().normalize("NFD").replace(accents, "");
}

/** Greedy, longest first. A word with an unknown remainder is unknown as a whole. */
function split(word: string, { leading, continuing, unknown }: Vocabulary, ids: number[]): void {
  if (isTooLong(word)) return void ids.push(unknown);
  const before = ids.length;
  let start = 0;
  while (start < word.length) {
    const table = start === 0 ? leading : continuing;
    const found = table.longest(word, start);
    if (found < 0) break;
    ids.push(table.idAt(found));
    start += table.lengthAt(found);
  }
  if (start === word.length) return;
  ids.length = before;
  ids.push(unknown);
}

/** The limit is in characters; only a string longer than it in UTF-16 units needs counting. */
function isTooLong(word: string): boolean {
  return word.length > LONGEST_WORD_CHARACTERS && [...word].length > LONGEST_WORD_CHARACTERS;
}

/** Share of a text that the model cannot read, 0 to 1. Vectors of unknown words resemble only each other. */
export function unknownShare(pieces: Uint16Array): number {
  if (pieces.length === 0) return 1;
  return pieces.reduce((count, piece) => count + (piece === UNKNOWN_PIECE ? 1 : 0), 0) / pieces.length;
}
