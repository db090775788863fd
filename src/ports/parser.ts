/** Cutting a project's files into passages. */
import type { Chunk, CorpusShelf, ParsedFile } from "../model/corpus/corpus.ts";

/** What a parser reads: one file, its text already decoded. */
export interface SourceText {
  path: string;
  text: string;
  shelf: CorpusShelf;
  /** As settings have it by default when omitted. */
  chunk?: Chunk;
}

/** Cuts files into passages and finds the symbols in them, beside the caller's thread. */
export interface Parser {
  /** Never rejects because of a file: what could not be parsed comes back as plain passages with a `fault`. */
  parse(file: SourceText): Promise<ParsedFile>;
  close(): Promise<void>;
}
