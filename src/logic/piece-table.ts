/**
 * Pieces of words, and the longest of them that stands at a place in a text.
 *
 * Every beginning of the rest of a word is hashed in one pass, then looked up from the
 * longest down. Cutting a string for each try, as a Map wants it, costs ten times as much.
 */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
const PLACE_BITS = 16;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

export interface PieceTable {
  readonly ids: readonly number[];
  readonly texts: readonly string[];
  /** The place in the lists above of the longest piece that `word` has at `start`; -1 when there is none. */
  longest(word: string, start: number): number;
}

export function pieceTable(pieces: readonly (readonly [text: string, id: number])[]): PieceTable {
  if (pieces.length >= PLACE_MASK) throw new RangeError(`a table holds fewer than ${PLACE_MASK} pieces`);
  const texts = pieces.map(([text]) => text);
  const ids = pieces.map(([, id]) => id);
  const longestLength = texts.reduce((length, text) => Math.max(length, text.length), 0);
  const hashes = new Int32Array(longestLength + 1);
  // Half full at most. A slot holds the place of a piece, one more than it is, and above it half of its hash.
  const slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * (texts.length + 1))));
  const mask = slots.length - 1;

  function hashBeginnings(word: string, start: number, length: number): void {
    let hash = SEED;
    for (let at = 0; at < length; at++) {
      hash = Math.imul(hash ^ word.charCodeAt(start + at), PRIME);
      hashes[at + 1] = hash ^ (hash >>> 15);
    }
  }

  function find(word: string, start: number, length: number): number {
    const hash = hashes[length]!;
    for (let slot = hash & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
      const held = slots[slot]!;
      if (held >>> PLACE_BITS !== hash >>> PLACE_BITS) continue;
      const index = (held & PLACE_MASK) - 1;
      const text = texts[index]!;
      if (text.length === length && word.startsWith(text, start)) return index;
    }
    return -1;
  }

  for (const [index, text] of texts.entries()) {
    hashBeginnings(text, 0, text.length);
    const hash = hashes[text.length]!;
    let slot = hash & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = (hash & ~PLACE_MASK) | (index + 1);
  }

  return {
    ids,
    texts,
    longest(word, start) {
      const most = Math.min(longestLength, word.length - start);
      hashBeginnings(word, start, most);
      for (let length = most; length > 0; length--) {
        const found = find(word, start, length);
        if (found >= 0) return found;
      }
      return -1;
    },
  };
}
