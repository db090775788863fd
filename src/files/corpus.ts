/**
 * Corpus: the known files of a project, and the result of parsing one.
 *
 * Paths are relative to the project's root, with forward slashes. A note may be anywhere, so its path is absolute.
 */
import type { Passage } from "../memory/shelves.ts";

/** Why a search may be incomplete. Until the first index has finished, finding nothing means nothing. */
export const FIRST_INDEX = "the first index has not finished";

export const SYMBOL_KINDS = [
  "function",
  "method",
  "class",
  "interface",
  "type",
  "enum",
  "constant",
  "export",
  "module",
] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A named definition in a source file. */
export interface CodeSymbol {
  kind: SymbolKind;
  name: string;
  /** The enclosing classes and modules, outermost first, joined by dots. */
  container: string | null;
  startLine: number;
  endLine: number;
  /** Its signature, on one line. */
  signature: string;
  /** The first paragraph of its documentation. */
  doc: string | null;
}

export type CorpusShelf = "document" | "code";
/** The shelf of a file's item: notes are memories. */
export type FileShelf = CorpusShelf | "memory";

/**
 * The result of parsing one file. Text that could not be parsed still has passages; `fault` says why there is no more.
 */
export interface ParsedFile {
  title: string | null;
  /** Its own summary, from the front matter or the first paragraph. */
  summary?: string | null;
  language: string | null;
  passages: Omit<Passage, "tokens">[];
  symbols: CodeSymbol[];
  /** References as they are written in the file. */
  references: string[];
  tags: string[];
  fault: string | null;
}

/** The state of a file when it was last checked. */
export interface FileState {
  path: string;
  shelf: FileShelf;
  /** Null if it was skipped. */
  itemId: string | null;
  /** Why it was skipped, or indexed as plain text. */
  reason: string | null;
  bytes: number;
  modifiedAt: number;
  /** SHA-256 of its bytes; empty if they were not read or must be read again. */
  hash: string;
  /** The rules by which it was indexed. */
  rules: string;
  /** Start of the run that read it. */
  lookedAt: number;
}

/** When all files of a project were last checked, and in which checkout. */
export interface LastLook {
  at: number;
  checkout: string;
  /** What runs of the index found added, changed or deleted, the latest first; only so many are kept. */
  changes?: FileChange[];
}

/** How a file differs from what is known of it. */
export interface FileChange {
  path: string;
  change: "added" | "changed" | "deleted";
  /** When it was written; when this was noticed if its own time does not tell, as for one that was deleted or moved. */
  at: number;
}

/** A file found by a walk. */
export interface FoundFile {
  path: string;
  bytes: number;
  modifiedAt: number;
}

export interface SkippedFile {
  path: string;
  reason: string;
}

/** The result of a walk through the project, in path order. */
export interface Walk {
  found: FoundFile[];
  /** Files that were skipped, and why. Deliberately ignored files are not listed. */
  skipped: SkippedFile[];
  /** Folders and files that could not be read ("" is the project itself); their known state stays. */
  unread: string[];
}

/** How text without structure is split: lines per chunk, and how many of them the next one repeats. */
export interface Chunk {
  readonly lines: number;
  readonly overlap: number;
}

export interface WalkLimits {
  /** Larger files are skipped. */
  fileBytes: number;
  /** Maximum number of files; those nearest to the root come first. */
  files: number;
  /** Further exclusions, written as in an ignore file. */
  excludes: readonly string[];
  /** off: code files are left out. */
  code?: "on" | "off";
}

/** The text of a file, and its state when it was read. */
export interface FileText extends FoundFile {
  /** Without a byte order mark. */
  text: string;
  /** SHA-256 of its bytes. */
  hash: string;
  /** If the file only grew: its former length in characters. */
  grownFrom?: number;
}

/** A file as it was last read. */
export type FormerBytes = Pick<FileState, "bytes" | "hash">;

/** The purpose of a document: steps to follow, or information. */
export const DOCUMENT_TYPES = ["procedural", "semantic"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** The label and type of a document, or that it is left out, decided by its path. */
export interface DocumentRule {
  glob: string;
  label?: string | undefined;
  docType?: DocumentType | undefined;
  /** Not indexed at all. */
  skip?: boolean | undefined;
}

/** Which files a run takes in: notes alone, or notes and the project's own. */
export type OnlyNotes = "notes" | undefined;

export interface FileCounts {
  added: number;
  updated: number;
  removed: number;
  unchanged: number;
}

/** What a run of the index did. */
export interface Indexed {
  documents: FileCounts;
  code: FileCounts;
  notes: FileCounts;
  skipped: SkippedFile[];
  /** How many known files nobody could look at; they count as unchanged. */
  hidden: number;
  ms: number;
  /** False if the run was stopped early; the next run does the rest. */
  isComplete: boolean;
}

// Counts of the code index from which conventions are read.

/** How a name is written; "other" is anything else, "plain" a single word in lower case, which fits several. */
const NAME_STYLES = ["camelCase", "PascalCase", "snake_case", "UPPER_CASE", "kebab-case", "plain", "other"] as const;
export type NameStyle = (typeof NAME_STYLES)[number];

export interface StyleCount {
  language: string | null;
  /** functions: and methods; types: also classes, interfaces and enums. */
  named: "functions" | "types" | "constants";
  style: NameStyle;
  names: number;
  files: number;
  /** One place of this style. */
  path: string;
  line: number;
}

export interface ExportCount {
  language: string | null;
  isDefault: boolean;
  files: number;
  path: string;
  line: number;
}

export interface ConventionCounts {
  /** Of indexed code, in order. */
  paths: string[];
  styles: StyleCount[];
  exports: ExportCount[];
}
