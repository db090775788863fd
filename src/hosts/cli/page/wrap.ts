/**
 * Wraps a text into rows, each given as the part of the text that it shows.
 *
 * Rows end at spaces where they can, except at those that do not break. A word wider than a row is divided between
 * characters; so is text without spaces, such as Chinese. Offsets instead of strings, so that styles can be applied to
 * the rows afterwards.
 */
import { charactersIn, displayWidth } from "./display-width.ts";

export interface Row {
  readonly from: number;
  readonly to: number;
}

interface Piece extends Row {
  readonly width: number;
}

interface Widths {
  readonly first: number;
  readonly later: number;
}

const WIDE_COLUMNS = 2;

/** The first row may have another width than the rest. */
export function wrap(text: string, first: number, rest: number): Row[] {
  const rows: Row[] = [];
  let row: Piece | null = null;
  const later = Math.max(1, rest);
  for (const { index, 0: word } of text.matchAll(/[^ \t\n]+/g)) {
    const whole: number = rows.length === 0 ? Math.max(1, first) : later;
    const gap: number = row === null ? 0 : displayWidth(text.slice(row.to, index));
    const room: number = row === null ? whole : whole - row.width - gap;
    const width = displayWidth(word);
    if (row !== null && width <= room) {
      row = { from: row.from, to: index + word.length, width: row.width + gap + width };
      continue;
    }
    let begun: Piece | null = row !== null && width > later && mayBegin(word, room) ? row : null;
    if (row !== null && begun === null) rows.push(row);
    const widths: Widths = { first: begun !== null ? room : rows.length === 0 ? whole : later, later };
    row = null;
    for (const piece of piecesOf(word, index, widths)) {
      if (row !== null) rows.push(row);
      row = begun === null ? piece : { from: begun.from, to: piece.to, width: begun.width + gap + piece.width };
      begun = null;
    }
  }
  if (row !== null) rows.push(row);
  return rows.map(({ from, to }) => ({ from, to }));
}

/** Text without spaces continues the row; a long name or address begins one, to stay in as few parts as it can. */
const mayBegin = (word: string, room: number): boolean => {
  const width = displayWidth(charactersIn(word)[0]!);
  return width === WIDE_COLUMNS && width <= room;
};

/** The word itself, or parts of it that fit. */
function* piecesOf(word: string, at: number, widths: Widths): Generator<Piece> {
  let [from, to, width, most] = [at, at, 0, widths.first];
  for (const character of charactersIn(word)) {
    const own = displayWidth(character);
    if (width > 0 && width + own > most) {
      yield { from, to, width };
      [from, width, most] = [to, 0, widths.later];
    }
    to += character.length;
    width += own;
  }
  yield { from, to, width };
}
