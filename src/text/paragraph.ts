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

/**
 * Text without characters that move the cursor, change colours, reverse the text direction, fake a line break or show
 * nothing at all: a model reads what a person does not see. Those that join letters and emoji stay.
 */
export function visible(text: string): string {
  // Almost every text, and the other patterns take longer to build than this one.
  if (/^[\t\n -~]*$/.test(text)) return text;
  return text
    .replaceAll("\r\n", "\n")
    .replace(/[\v\f\r\u0085\u2028\u2029]/g, " ")
    .replace(/[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(UNSEEN, "")
    .replace(/[\u200c\u200d\ufe00-\ufe0f]{2,}/g, (run) => (PRESENTED_AND_JOINED.test(run) ? run : run[0]!));
}

/** As in one emoji made of two. Any other run of them shows nothing, and could spell a hidden text. */
const PRESENTED_AND_JOINED = /^[\ufe0e\ufe0f]\u200d$/;

/** What Unicode lets programs ignore, beyond the Basic Multilingual Plane as pairs. */
const UNSEEN =
  /[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]/g;
