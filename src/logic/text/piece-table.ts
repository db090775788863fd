/**
 * Pieces of words, and the longest of them that stands at a place in a text.
 *
 * Every beginning of the rest of a word is hashed in one pass, then looked up from the longest down. Cutting a string
 * for each try, as a Map wants it, costs ten times as much. A table is packed into bytes once and used as it lies
 * there, because building one takes longer than anything that a single command asks of it.
 */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const PLACE_BITS = 16;
const PLACE_MASK = (1 << PLACE_BITS) - 1;
const HEAD_NUMBERS = 4;

export interface PieceTable {
  /** The place of the longest piece that `word` has at `start`; -1 when there is none. */
  longest(word: string, start: number): number;
  idAt(place: number): number;
  lengthAt(place: number): number;
}

/** Where the parts of a packed table lie, in bytes, and how long they are. */
function layout(pieces: number, slots: number, units: number) {
  const slotsAt = 4 * HEAD_NUMBERS;
  const endsAt = slotsAt + 4 * slots;
  const idsAt = endsAt + 4 * pieces;
  const unitsAt = idsAt + 2 * pieces;
  // Tables lie one behind the other, and each begins with whole numbers of four bytes.
  return { slotsAt, endsAt, idsAt, unitsAt, bytes: Math.ceil((unitsAt + 2 * units) / 4) * 4 };
}

function hashBeginnings(word: string, start: number, hashes: Int32Array, length: number): void {
  let hash = SEED;
  for (let at = 0; at < length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(start + at), PRIME);
    hashes[at + 1] = hash ^ (hash >>> 15);
  }
}

/** The table of these pieces, as `readPieceTable` wants it. */
export function packPieceTable(pieces: readonly (readonly [text: string, id: number])[]): Uint8Array<ArrayBuffer> {
  if (pieces.length >= PLACE_MASK) throw new RangeError(`a table holds fewer than ${PLACE_MASK} pieces`);
  const units = pieces.reduce((sum, [text]) => sum + text.length, 0);
  const longest = pieces.reduce((length, [text]) => Math.max(length, text.length), 0);
  // Half full at most. A slot holds the place of a piece, one more than it is, and above it half of its hash.
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
    hashBeginnings(piece, 0, hashes, piece.length);
    const hash = hashes[piece.length]!;
    let slot = hash & (slotCount - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (slotCount - 1);
    slots[slot] = (hash & ~PLACE_MASK) | (place + 1);
  }
  return new Uint8Array(buffer);
}

/** A packed table that begins at `start`, a multiple of four, and where it ends. */
export function readPieceTable(buffer: ArrayBuffer, start: number): { table: PieceTable; end: number } {
  const head = new Uint32Array(buffer, start, HEAD_NUMBERS);
  const [pieces = 0, slotCount = 0, units = 0, longestLength = 0] = head;
  const { slotsAt, endsAt, idsAt, unitsAt, bytes } = layout(pieces, slotCount, units);
  const slots = new Uint32Array(buffer, start + slotsAt, slotCount);
  const ends = new Uint32Array(buffer, start + endsAt, pieces);
  const ids = new Uint16Array(buffer, start + idsAt, pieces);
  const text = new Uint16Array(buffer, start + unitsAt, units);
  const hashes = new Int32Array(longestLength + 1);
  const beginningOf = (place: number) => (place === 0 ? 0 : ends[place - 1]!);
  const lengthAt = (place: number) => ends[place]! - beginningOf(place);

  function isAt(place: number, word: string, from: number): boolean {
    const [first, last] = [beginningOf(place), ends[place]!];
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
      hashBeginnings(word, from, hashes, most);
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
