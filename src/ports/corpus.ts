/** What the engine needs for a project's files: reading, parsing and searching them, and their stored state. */
import type {
  Chunk,
  CorpusShelf,
  FileState,
  FileText,
  FormerBytes,
  LastLook,
  ParsedFile,
  SkippedFile,
  Walk,
  WalkLimits,
  DocumentRule,
} from "../model/corpus/corpus.ts";
import type { FileQuery, FoundSymbol, FoundTogether, Linked, Reference, SymbolQuery } from "../model/recall/search.ts";

/** Stored data about files that is not in their items: state, definitions and references. */
export type { FoundSymbol, Reference, SymbolQuery };

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

export interface Watching {
  /** Whether it notices changes at once and has reported all of them. */
  isQuiet(): boolean;
  close(): Promise<void>;
}

/** The files of a project that are worth reading. A hostile file can harm only its own result. */
export interface ProjectFiles {
  walk(limits: WalkLimits): Promise<Walk>;
  /** Why a walk would skip this path, or null; decided by names and ignore files, not by content. */
  leftOut(path: string, limits: Pick<WalkLimits, "excludes">): Promise<string | null>;
  /** Never reads outside the project, whatever the path. */
  read(path: string, limitBytes: number, since?: FormerBytes): Promise<FileText | SkippedFile>;
  /** Reports that something has changed, once per burst. */
  watch(limits: WalkLimits, onChange: () => void): Promise<Watching>;
}

/** The user's own notes, by full paths. Nothing is ever written there. */
export interface NoteFiles {
  /** With forward slashes, without a trailing one. */
  readonly folder: string;
  walk(): Promise<Walk>;
  read(path: string): Promise<FileText | SkippedFile>;
  watch(onChange: () => void): Promise<Watching>;
}

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
  /** A pattern may take for ever; after this time the lines found so far are returned. */
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

export interface CorpusSettings {
  readonly index: WalkLimits & {
    /** How long a search trusts the last check of all files. */
    readonly freshMs: number;
    /** How long a search waits for the index to become current. */
    readonly waitMs: number;
    /** How a long-lived process notices changes. */
    readonly watch: "events" | "polling" | "off";
    readonly code: "on" | "off";
    readonly chunkLines: number;
    readonly chunkOverlap: number;
  };
  readonly labels: { readonly rules: readonly DocumentRule[] };
}
