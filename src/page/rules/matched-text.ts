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

/**
 * The flags of England, Scotland and Wales, which consist of such characters; and what nobody sees, or what shows other
 * characters in another order: controls, changes of direction, tags, and more than one variation, joiner, mark of direction
 * or empty space in a row.
 */
const UNSEEN =
  /\u{1F3F4}[\u{E0020}-\u{E007E}]{1,8}\u{E007F}|((?:[\u0000-\u0008\v\f\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb\u{E0000}-\u{E007F}]|[\ufe00-\ufe0f\u{E0100}-\u{E01EF}]{2,}|[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2060-\u2065\u3164\ufeff\uffa0]{2,})+)/gu;

/** With a name in place of what nobody would see: an agent reads it, so a person must know of it before they agree. */
export const seenText = (text: string): string =>
  text.toWellFormed().replace(UNSEEN, (found, unseen: string | undefined) => {
    if (unseen === undefined) return found;
    const [first = "", ...others] = unseen;
    if (others.length > 0) return `⟨${others.length + 1} unseen characters⟩`;
    return `⟨U+${first.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });

/** Cut between characters, never within one. */
export function cutText(text: string, most: number): { text: string; isCut: boolean } {
  const whole = seenText(text);
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
