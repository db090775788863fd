/** Reads data about files that their items do not contain: state, definitions and references. */
import type { ConventionCounts } from "../../model/corpus/convention.ts";
import type { FileState, LastLook } from "../../model/corpus/corpus.ts";
import type {
  FileQuery,
  FoundSymbol,
  FoundTogether,
  Linked,
  Reference,
  SymbolQuery,
} from "../../model/recall/search.ts";

export type WrittenFile = Pick<FileState, "path" | "modifiedAt">;

export interface CorpusReads {
  /** By path; all files when omitted. */
  fileStates(which?: FileQuery): Promise<FileState[]>;
  /** The last check of the whole project; null before the first indexing. */
  lastLook(): Promise<LastLook | null>;
  /** Definitions in active files. */
  symbols(query: SymbolQuery, limit: number): Promise<FoundSymbol[]>;
  /** All definitions of these files, ordered by line. */
  symbolsOf(itemIds: readonly string[]): Promise<FoundSymbol[]>;
  /** How code is named, over so many of the files that were indexed last; all of their paths. */
  conventionCounts(files: number): Promise<ConventionCounts>;
  /** Indexed files that were written after this time, the latest first, and how many there are. */
  filesWrittenAfter(time: number, limit: number): Promise<{ files: WrittenFile[]; total: number }>;
  /** The references of every active document. */
  references(): Promise<Reference[]>;
  /** The number of document changes, if some are not in the ranks yet; else null. */
  unranked(): Promise<number | null>;
  /** Active documents that refer to this path. */
  linkedTo(path: string): Promise<Linked[]>;
  /** Paths of the documents that this one refers to. */
  linksFrom(itemId: string): Promise<string[]>;
  /** Active documents that questions found together with this one, most often first. */
  foundTogetherWith(itemId: string, limit: number): Promise<FoundTogether[]>;
}
