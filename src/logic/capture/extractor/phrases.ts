/**
 * Tables of phrases: by what words a sentence is recognised, row by row, with sentences that each row is for.
 *
 * A row lists alternatives by where they stand in the sentence. They are regular expressions in which parentheses only
 * group. All rows of a table become one expression, built once; a test runs the examples of each row by itself.
 */

export interface Row {
  /** The sentence begins with it. */
  opening?: readonly string[];
  /** Whole words, wherever they stand. */
  anywhere?: readonly string[];
  /** The sentence ends with it, and perhaps a full stop. */
  closing?: readonly string[];
  /** The sentence is nothing else, but for a full stop. */
  whole?: readonly string[];
  /** Tells itself where it begins and ends. */
  pattern?: readonly string[];
  /** Sentences that this row finds. */
  like: readonly string[];
  /** Sentences that come close, and that no row of the table finds. */
  unlike?: readonly string[];
}

/** By what each row is about. */
export type Rows = Readonly<Record<string, Row>>;

export interface Phrases {
  rows: Rows;
  pattern: RegExp;
}

/** The flags: upper and lower case are the same unless they are named. */
export function phrases(rows: Rows, flags = "i"): Phrases {
  return { rows, pattern: new RegExp(Object.values(rows).map(sourceOf).join("|"), flags) };
}

export function sourceOf({ opening, anywhere, closing, whole, pattern = [] }: Row): string {
  const placed = [
    ...(opening ? [`^${anyOf(...opening)}\\b`] : []),
    ...(anywhere ? [`\\b${anyOf(...anywhere)}\\b`] : []),
    ...(closing ? [`\\b${anyOf(...closing)}[.!]?$`] : []),
    ...(whole ? [`^${anyOf(...whole)}[.!]?$`] : []),
  ];
  return [...placed, ...pattern].map(grouped).join("|");
}

/** One of these, as a part of a phrase. */
export const anyOf = (...alternatives: readonly string[]): string => `(?:${alternatives.join("|")})`;

/** A part of a phrase with backslashes. */
export const raw = String.raw;

/** A regular expression in the notation of the rows. */
export const expression = (source: string, flags = "i"): RegExp => new RegExp(grouped(source), flags);

/** Parentheses group and capture nothing; those in a class of characters stand for themselves. */
const grouped = (source: string): string =>
  source.replace(/\\.|\[(?:\\.|[^\]\\])*\]|\((?!\?)/g, (found) => (found === "(" ? "(?:" : found));
