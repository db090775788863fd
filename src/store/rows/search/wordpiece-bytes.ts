/** Wordpieces of passages as bytes, and in how many passages each occurs. */

/** The piece that counts passages themselves. */
export const ALL_PASSAGES = -1;
/** All values of 16 bits. */
const PIECE_NUMBERS = 65_536;

/** Adds, for each of these pieces, in how many of the passages it occurs. */
export function countPieces(
  pieces: readonly number[],
  passages: readonly Buffer[],
  frequency: Map<number, number>,
): void {
  // The last passage, numbered from 1, in which each wanted piece was seen: a piece counts once per passage.
  const seen = new Uint16Array(PIECE_NUMBERS);
  const isWanted = new Uint8Array(PIECE_NUMBERS);
  for (const piece of pieces) isWanted[piece] = 1;
  for (const [index, tokens] of passages.entries()) {
    for (const piece of wordpiecesOf(tokens)) {
      if (isWanted[piece] === 0 || seen[piece] === index + 1) continue;
      seen[piece] = index + 1;
      frequency.set(piece, (frequency.get(piece) ?? 0) + 1);
    }
  }
}

export function distinctPieces(tokens: Buffer | null): Set<number> {
  return new Set([ALL_PASSAGES, ...(tokens ? wordpiecesOf(tokens) : [])]);
}

export function bytesOf(tokens: Uint16Array): Buffer {
  return Buffer.from(tokens.buffer, tokens.byteOffset, tokens.byteLength);
}

export function wordpiecesOf(bytes: Buffer): Uint16Array {
  // A blob may start at an odd address; a copy does not. An odd byte at its end is ignored.
  return new Uint16Array(new Uint8Array(bytes.subarray(0, bytes.length - (bytes.length % 2))).buffer);
}
