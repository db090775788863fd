/** What the store knows of a project's files beside their items: how they were, what they define and refer to. */
import type { FileState, LastLook } from "../model/corpus/corpus.ts";
import type { FileQuery, FoundSymbol, FoundTogether, Linked, Reference, SymbolQuery } from "../model/recall/search.ts";

export interface CorpusReads {
  /** By path; all of them where none are named. */
  fileStates(which?: FileQuery): Promise<FileState[]>;
  /** When the whole project was last looked at; null where it has no index yet. */
  lastLook(): Promise<LastLook | null>;
  /** Definitions in active files. */
  symbols(query: SymbolQuery, limit: number): Promise<FoundSymbol[]>;
  /** All of these files, in the order of their lines. */
  symbolsOf(itemIds: readonly string[]): Promise<FoundSymbol[]>;
  /** What every active document refers to. */
  references(): Promise<Reference[]>;
  /** The count of changes to documents, where not all of them went into the ranks; else null. */
  unranked(): Promise<number | null>;
  /** Active documents that refer to this path. */
  linkedTo(path: string): Promise<Linked[]>;
  /** Paths of the documents that this one refers to. */
  linksFrom(itemId: string): Promise<string[]>;
  /** Active documents that questions found together with this one, most often first. */
  foundTogetherWith(itemId: string, limit: number): Promise<FoundTogether[]>;
}
