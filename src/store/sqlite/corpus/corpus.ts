/** What the store knows of the project's files beside their items. */
import type { CorpusReads } from "../../../ports/corpus.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import { corpusReader } from "./corpus-reader.ts";
import { symbolReader } from "./symbol-reader.ts";

export function corpusReads(db: Database): Sync<CorpusReads> {
  return { ...corpusReader(db), ...symbolReader(db) };
}
