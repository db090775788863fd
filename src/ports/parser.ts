/** Splits a project's files into passages. */
import type { Chunk, CorpusShelf, ParsedFile } from "../model/corpus/corpus.ts";

/** The input of a parser: one file, already decoded. */
export interface SourceText {
  path: string;
  text: string;
  shelf: CorpusShelf;
  /** The default of the settings when omitted. */
  chunk?: Chunk;
}

/** Splits files into passages and finds their symbols, off the caller's thread. */
export interface Parser {
  /** Never rejects because of a file: an unparsable one is returned as plain passages with a `fault`. */
  parse(file: SourceText): Promise<ParsedFile>;
  close(): Promise<void>;
}
