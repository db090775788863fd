/** Reads data about files that their items do not contain: state, definitions and references. */
import type { FileState, LastLook } from "../../model/corpus/corpus.ts";
import type {
  FileQuery,
  FoundSymbol,
  FoundTogether,
  Linked,
  Reference,
  SymbolQuery,
} from "../../model/recall/search.ts";

export interface CorpusReads {
  /** By path; all files when omitted. */
  fileStates(which?: FileQuery): Promise<FileState[]>;
  /** The last check of the whole project; null before the first indexing. */
  lastLook(): Promise<LastLook | null>;
  /** Definitions in active files. */
  symbols(query: SymbolQuery, limit: number): Promise<FoundSymbol[]>;
  /** All definitions of these files, ordered by line. */
  symbolsOf(itemIds: readonly string[]): Promise<FoundSymbol[]>;
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
