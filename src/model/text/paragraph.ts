/**
 * Paragraphs: text for a terminal, before it is wrapped and coloured.
 *
 * A style says what a piece of text is, not what it looks like. Text may come from others; whoever lays it out removes
 * what could move the cursor.
 */
export type Style = "handle" | "match" | "fact" | "name" | "warning";

export interface Span {
  readonly text: string;
  readonly style?: Style;
}

export interface Paragraph {
  readonly spans: readonly Span[];
  /** Spaces before the first row. */
  readonly indent?: number;
  /** Spaces before the other rows; those of the first when omitted. */
  readonly hang?: number;
}

export const EMPTY_LINE: Paragraph = { spans: [] };

/** One paragraph of one style. */
export const line = (text: string, style?: Style, indent = 0): Paragraph => ({
  spans: [style === undefined ? { text } : { text, style }],
  indent,
});

const TAB = "    ";

/** A line of code, or of any text whose lines are kept: all of its rows are indented as it is. */
export function verbatim(text: string, indent = 0, style?: Style): Paragraph {
  const begins = /^[ \t]*/.exec(text)![0].replaceAll("\t", TAB).length;
  return line(text.trim(), style, indent + begins);
}
