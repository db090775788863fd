/** Reads file states, symbols and references: what the store knows about a project's files besides their items. */
import type { CorpusReads } from "../../../ports/store/corpus.ts";
import type { Database } from "../connection/database.ts";
import { conventionReader } from "./convention-reader.ts";
import { corpusReader } from "./corpus-reader.ts";
import { symbolReader } from "./symbol-reader.ts";

export function corpusReads(db: Database): CorpusReads {
  return { ...corpusReader(db), ...symbolReader(db), ...conventionReader(db) };
}
