/**
 * Corpus: the files of a project as they are known, and what parsing one of them gives.
 *
 * Paths are relative to the project's root, with forward slashes. A note may lie anywhere: its path is the whole one.
 */
import type { Passage } from "../memory/shelf.ts";

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
  /** The class or module around it, outermost first, joined by dots. */
  container: string | null;
  startLine: number;
  endLine: number;
  /** Its head, on one line. */
  signature: string;
  /** The first paragraph of its documentation. */
  doc: string | null;
}

export type CorpusShelf = "document" | "code";
/** Where a file's item lies: notes are memories. */
export type FileShelf = CorpusShelf | "memory";

/** What parsing one file gives. Text that could not be parsed still has passages; `fault` says why there is no more. */
export interface ParsedFile {
  title: string | null;
  /** What it says of itself in its front matter, or first. */
  summary?: string | null;
  language: string | null;
  passages: Omit<Passage, "tokens">[];
  symbols: CodeSymbol[];
  /** What it refers to, as it is written. */
  references: string[];
  tags: string[];
  fault: string | null;
}

/** A file as it was when it was last looked at. */
export interface FileState {
  path: string;
  shelf: FileShelf;
  /** Null where it was skipped. */
  itemId: string | null;
  /** Why it was skipped, or taken in as plain text. */
  reason: string | null;
  bytes: number;
  modifiedAt: number;
  /** SHA-256 of its bytes; empty where they were not read, or where they are to be read once more. */
  hash: string;
  /** What decided how it was taken in. */
  rules: string;
  /** When the look began that read it. */
  lookedAt: number;
}

/** When all of a project's files were last looked at, and which checkout of it they were. */
export interface LastLook {
  at: number;
  checkout: string;
}

/** A file that a walk has met. */
export interface FoundFile {
  path: string;
  bytes: number;
  modifiedAt: number;
}

export interface SkippedFile {
  path: string;
  reason: string;
}

/** What a walk through the project gives, in the order of paths. */
export interface Walk {
  found: FoundFile[];
  /** What would have been taken in, and why it was not. What is ignored on purpose is not named. */
  skipped: SkippedFile[];
  /** Folders and files that could not be looked at, "" being the project itself: what is known of them stays as it is. */
  unread: string[];
}

/** How text without structure is cut: lines of a chunk, and how many of them the next one repeats. */
export interface Chunk {
  readonly lines: number;
  readonly overlap: number;
}

export interface WalkLimits {
  /** Files that are larger are skipped. */
  fileBytes: number;
  /** How many are taken; those nearest to the root come first. */
  files: number;
  /** Further things to leave out, written as in an ignore file. */
  excludes: readonly string[];
  /** off: files of code are left out. */
  code?: "on" | "off";
}

/** The text of a file, and the file as it was when it was read. */
export interface FileText extends FoundFile {
  /** Without a byte order mark. */
  text: string;
  /** SHA-256 of its bytes. */
  hash: string;
  /** Where only something was added to the bytes it had: how many characters it had. */
  grownFrom?: number;
}

/** A file as it was read before. */
export type FormerBytes = Pick<FileState, "bytes" | "hash">;

/** How a document is read: as steps to follow, or for what it says. */
export const DOCUMENT_TYPES = ["procedural", "semantic"] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Which label and which type a document gets, or that it is left out, by its path. */
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
  /** False when it was to end; what is left is done next time. */
  isComplete: boolean;
}
