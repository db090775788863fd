/**
 * Text to wordpiece ids, as BERT uncased was trained to read it.
 *
 * Clean, space ideographs, lower-case, strip accents, split at punctuation; then the
 * longest known piece first. Never truncates, never adds markers, and reads a literal
 * "[SEP]" as the text it is: no input can produce a marker.
 */
const LONGEST_WORD_CHARACTERS = 100;
const CONTINUATION = "##";
const UNKNOWN = "[UNK]";
/** The id of an unknown word in the packaged vocabulary; stored passages hold it, so it is fixed. */
export const UNKNOWN_PIECE = 100;

const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\ufffd\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/gu;
const IDEOGRAPH = /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/g;
const ACCENT = /\p{Mn}/gu;
// Symbols of ASCII count as punctuation although Unicode files some ("$", "+", "^") elsewhere.
const WORD_OR_MARK = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;

export type Wordpiece = (text: string) => Uint16Array;

interface Pieces {
  readonly leading: ReadonlyMap<string, number>;
  readonly continuing: ReadonlyMap<string, number>;
  readonly longest: number;
  readonly unknown: number;
}

export function createWordpiece(vocabulary: ReadonlyMap<string, number>): Wordpiece {
  const pieces = toPieces(vocabulary);
  return (text) => {
    const words = normalize(text).match(WORD_OR_MARK);
    if (words === null) return new Uint16Array(0);
    const ids: number[] = [];
    for (const word of words) {
      const whole = vocabulary.get(word);
      if (whole !== undefined) ids.push(whole);
      else ids.push(...(split(word, pieces) ?? [pieces.unknown]));
    }
    return new Uint16Array(ids);
  };
}

/** Cleaned, lower-cased text in which every ideograph stands alone. */
function normalize(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  const spaced = text.replace(INVISIBLE, "").replace(IDEOGRAPH, " $& ");
  return spaced.toLowerCase().normalize("NFD").replace(ACCENT, "");
}

function toPieces(vocabulary: ReadonlyMap<string, number>): Pieces {
  const continuing = new Map<string, number>();
  let longest = 0;
  for (const [piece, id] of vocabulary) {
    longest = Math.max(longest, piece.length);
    // Kept without their prefix, so that matching allocates no strings but the slices it looks up.
    if (piece.startsWith(CONTINUATION)) continuing.set(piece.slice(CONTINUATION.length), id);
  }
  const unknown = vocabulary.get(UNKNOWN);
  if (unknown === undefined) throw new RangeError(`a wordpiece vocabulary needs ${UNKNOWN}`);
  return { leading: vocabulary, continuing, longest, unknown };
}

/** Greedy, longest first. A word with a remainder nobody knows is unknown as a whole. */
function split(word: string, { leading, continuing, longest }: Pieces): number[] | undefined {
  if (isTooLong(word)) return undefined;
  const ids: number[] = [];
  let start = 0;
  while (start < word.length) {
    const known = start === 0 ? leading : continuing;
    let end = Math.min(word.length, start + longest);
    let id = known.get(word.slice(start, end));
    while (id === undefined && end - start > 1) {
      end -= 1;
      id = known.get(word.slice(start, end));
    }
    if (id === undefined) return undefined;
    ids.push(id);
    start = end;
  }
  return ids;
}

/** The limit counts characters; only a string beyond it in UTF-16 units needs counting. */
function isTooLong(word: string): boolean {
  return word.length > LONGEST_WORD_CHARACTERS && [...word].length > LONGEST_WORD_CHARACTERS;
}

/** How much of a text the model cannot read, 0 to 1. Vectors of unread words resemble each other and nothing else. */
export function unknownShare(pieces: Uint16Array): number {
  if (pieces.length === 0) return 1;
  return pieces.reduce((count, piece) => count + (piece === UNKNOWN_PIECE ? 1 : 0), 0) / pieces.length;
}
