/**
 * Text for showing: cut to what a screen takes, broken characters made whole, and matched words told apart.
 *
 * The result is text, never markup. A page that shows it as text nodes cannot be made to run any of it.
 */
export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** More than this is shown only on request: a megabyte of text would hold up the page. */
export const SHOWN_MOST = 20_000;

/** Cut between characters, never within one. */
export function cutText(text: string, most: number): { text: string; isCut: boolean } {
  const whole = text.toWellFormed();
  if (whole.length <= most) return { text: whole, isCut: false };
  const end = /[\uD800-\uDBFF]/.test(whole[most - 1]!) ? most - 1 : most;
  return { text: whole.slice(0, end), isCut: true };
}

const WORD = /[\p{L}\p{N}_]+/gu;
const SHORTEST_WORD = 3;
const MOST_WORDS = 20;

/** The words of a question, as they may be found in an answer. */
export function wordsOf(query: string): string[] {
  const words = [...query.toLowerCase().matchAll(WORD)].map(([word]) => word);
  return [...new Set(words)]
    .filter((word) => word.length >= SHORTEST_WORD || /[^\x00-\x7f]/.test(word))
    .slice(0, MOST_WORDS);
}

/** Divides a text where it has words of the question. A longer word counts if it begins with one. */
export function matchedPieces(text: string, words: readonly string[]): Piece[] {
  if (words.length === 0) return [{ text, isMatch: false }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const lower = word.toLowerCase();
    if (!words.some((wanted) => lower.startsWith(wanted))) continue;
    if (index > from) pieces.push({ text: text.slice(from, index), isMatch: false });
    pieces.push({ text: word, isMatch: true });
    from = index + word.length;
  }
  if (from < text.length || pieces.length === 0) pieces.push({ text: text.slice(from), isMatch: false });
  return pieces;
}

/** On one line, for a row of a list. */
export const oneLine = (text: string, most: number): string => {
  const { text: cut, isCut } = cutText(text.replace(/\s+/g, " ").trim(), most);
  return isCut ? `${cut}…` : cut;
};
