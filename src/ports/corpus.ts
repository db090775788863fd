/** What the engine needs from the world to know a project's files: reading, parsing and searching them, and what is known. */
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

/** What a store knows of files beside their items: how they were, what they define and refer to. */
export type { FoundSymbol, Reference, SymbolQuery };

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

export interface Watching {
  /** Whether it is told of changes at once, and has handed on all that it was told of. */
  isQuiet(): boolean;
  close(): Promise<void>;
}

/** The files of a project, as far as they are worth reading. Whatever they hold harms nobody but themselves. */
export interface ProjectFiles {
  walk(limits: WalkLimits): Promise<Walk>;
  /** Why a walk would not take this path in, or null; told by names and ignore files, not by what lies there. */
  leftOut(path: string, limits: Pick<WalkLimits, "excludes">): Promise<string | null>;
  /** Never leads out of the project, whatever the path says. */
  read(path: string, limitBytes: number, since?: FormerBytes): Promise<FileText | SkippedFile>;
  /** Tells that something has changed, once a burst. */
  watch(limits: WalkLimits, onChange: () => void): Promise<Watching>;
}

/** Notes that a person keeps in a folder of their own, by whole paths. Nothing is ever written there. */
export interface NoteFiles {
  /** With forward slashes, without one at its end. */
  readonly folder: string;
  walk(): Promise<Walk>;
  read(path: string): Promise<FileText | SkippedFile>;
  watch(onChange: () => void): Promise<Watching>;
}

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

export interface CorpusSettings {
  readonly index: WalkLimits & {
    /** So long after a look at all files a search does not look again. */
    readonly freshMs: number;
    /** How long a search waits for the index to become current. */
    readonly waitMs: number;
    /** How a long-lived process learns of changes. */
    readonly watch: "events" | "polling" | "off";
    readonly code: "on" | "off";
    readonly chunkLines: number;
    readonly chunkOverlap: number;
  };
  readonly labels: { readonly rules: readonly DocumentRule[] };
}
