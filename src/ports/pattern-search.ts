/** Searches texts for a regular expression. */
/** A line that matches a pattern; `text` is shortened. */
export interface FoundLine {
  id: string;
  line: number;
  text: string;
}

export interface PatternOptions {
  /** Maximum number of lines in all. */
  limit: number;
  /** Maximum number of lines per text. */
  limitPerText?: number;
  /** A pattern may take forever; after this time the lines found so far are returned. */
  limitMs: number;
}

/** Searches texts for a regular expression without ever blocking the caller. */
export interface PatternSearch {
  /** Rejects with `invalid_input` for an invalid pattern. `ended` says why the search stopped early. */
  search(
    pattern: string,
    texts: AsyncIterable<readonly { id: string; text: string }[]>,
    options: PatternOptions,
  ): Promise<{ lines: FoundLine[]; ended: "time" | "limit" | null }>;
}
