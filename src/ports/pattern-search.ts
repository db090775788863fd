/** Searching texts for a regular expression. */
/** A line in which a pattern was found; `text` is cut to a width. */
export interface FoundLine {
  id: string;
  line: number;
  text: string;
}

export interface PatternOptions {
  /** No more lines than this in all. */
  limit: number;
  /** No more lines than this from one text. */
  limitPerText?: number;
  /** A pattern may take for ever; it gets this long, then what it found until then is the answer. */
  limitMs: number;
}

/** Searches texts for a regular expression without ever blocking the caller. */
export interface PatternSearch {
  /** Rejects with `invalid_input` where the pattern is none. `ended` says why it did not come to the end. */
  search(
    pattern: string,
    texts: AsyncIterable<readonly { id: string; text: string }[]>,
    options: PatternOptions,
  ): Promise<{ lines: FoundLine[]; ended: "time" | "limit" | null }>;
}
