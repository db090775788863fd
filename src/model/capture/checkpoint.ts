/** How far a transcript has been read, so that the next reader continues there. */
export interface Checkpoint {
  /** The path of its file. */
  transcript: string;
  session: string;
  /** The extractor that made the state, with its version: another one cannot continue from it. */
  extractor: string;
  /** In bytes, at the beginning of a line. */
  offset: number;
  /** The number of lines before the offset. */
  lines: number;
  /** How many of them could not be read. */
  skipped: number;
  /** What the extractor carries over, as JSON; null if nothing, as after an erasure. */
  state: unknown;
  /** Whether the state holds anything that waits for the end of a stretch of work. */
  isOpen: boolean;
  updatedAt: number;
}
