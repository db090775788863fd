/**
 * Lays paragraphs out on a sheet: wrapped if it has a width, coloured if it shows colours.
 *
 * Text may come from others: it is made visible before it is measured, so no escape code of theirs reaches the screen.
 */
import { styleText } from "node:util";
import { type Paragraph, type Span, type Style, visible } from "../text/paragraph.ts";

/**
 * How many columns a text takes on a terminal.
 *
 * Chinese, Japanese and Korean characters and emoji take two, marks that combine with the character before them none.
 * What a person sees as one character is measured as one, so a family of emoji is two columns wide, not eight.
 */
const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}.*\ufe0f|[0-9#*]\ufe0f)/u;
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as single characters. */
export function charactersIn(text: string): string[] {
  if (ASCII.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return charactersIn(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) || EMOJI.test(character) ? 2 : 1;
}

/** The beginning of a text that fits, with an ellipsis if it was cut. */
export function fitted(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const characters = charactersIn(text);
  let width = 1;
  let end = 0;
  for (; end < characters.length; end++) {
    width += characterWidth(characters[end]!);
    if (width > columns) break;
  }
  return columns < 1 ? "" : `${characters.slice(0, end).join("").trimEnd()}…`;
}

/**
 * Wraps a text into rows, each given as the part of the text that it shows.
 *
 * Rows end at spaces where they can, except at those that do not break. A word wider than a row is divided between
 * characters; so is text without spaces, such as Chinese. Offsets instead of strings, so that styles can be applied to
 * the rows afterwards.
 */
interface Row {
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

export interface Sheet {
  /** Null if rows are not wrapped. */
  readonly columns: number | null;
  readonly colours: boolean;
}

/** Lines longer than this are hard to read, however wide the terminal is. */
const MOST_COLUMNS = 120;
const LEAST_COLUMNS = 20;

const LOOKS = {
  handle: "yellow",
  match: "bold",
  fact: "dim",
  name: "bold",
  warning: "yellow",
} as const satisfies Record<Style, Parameters<typeof styleText>[0]>;

export const layOut = (paragraphs: readonly Paragraph[], sheet: Sheet): string =>
  paragraphs.flatMap((paragraph) => rowsOf(paragraph, sheet)).join("\n");

/** Plain text, wrapped: each line hangs where its text begins. */
export function layOutText(text: string, sheet: Sheet): string {
  const lines = visible(text).split("\n");
  return layOut(lines.map(paragraphOf), sheet);
}

/** What stands before the text of a line: a bullet, a handle, or the name of a row. */
const LEAD = /^\s*(?:(?:[-*>•]|\d+\.) +|[0-9a-f]{8}  |[a-z][a-z ]{0,12}  +)?/;
const LONGEST_LEAD = 24;

function paragraphOf(line: string): Paragraph {
  const indent = /^ */.exec(line)![0].length;
  const lead = LEAD.exec(line)![0].length;
  return { spans: [{ text: line.slice(indent) }], indent, hang: lead <= LONGEST_LEAD ? lead : indent };
}

function rowsOf({ spans, indent = 0, hang = indent }: Paragraph, { columns, colours }: Sheet): string[] {
  const shown = spans.map((span) => ({ ...span, text: visible(span.text).replaceAll("\t", "  ") }));
  const text = shown.map((span) => span.text).join("");
  if (text.trim() === "") return [""];
  const width = columns === null ? Infinity : Math.max(LEAST_COLUMNS, Math.min(columns, MOST_COLUMNS));
  const rows = wrap(text, width - indent, width - hang);
  return rows.map((row, index) => " ".repeat(index === 0 ? indent : hang) + painted(shown, row, colours));
}

/** The part of the spans that a row shows. */
function painted(spans: readonly Span[], { from, to }: Row, colours: boolean): string {
  let at = 0;
  return spans
    .map(({ text, style }) => {
      const part = text.slice(Math.max(0, from - at), Math.max(0, to - at));
      at += text.length;
      return style !== undefined && colours && part.trim() !== ""
        ? styleText(LOOKS[style], part, { validateStream: false })
        : part;
    })
    .join("");
}
