/**
 * Converts text to wordpiece ids, as BERT uncased was trained to read it.
 *
 * Cleans, separates ideographs, lower-cases, strips accents, splits at punctuation; then takes the longest known piece
 * first. Never truncates, never adds markers, and reads a literal "[SEP]" as text: no input can produce a marker.
 */
import type { Vocabulary } from "./vocabulary.ts";

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
