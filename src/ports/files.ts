/** Reads and writes files that a person names. */

/** A file written under a temporary name, not yet moved into place. */
export interface Draft {
  readonly lines: number;
  readonly bytes: number;
  /** Moves it into place. Replaces an earlier file, unless it must be new: then one that somebody else wrote stays. */
  keep(as?: { isNew: boolean }): Promise<void>;
  drop(): Promise<void>;
}

/** What the bytes of a file pass on their way from the disk. */
export type Through = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

export interface LineLimits {
  lineBytes: number;
  fileBytes: number;
  through?: Through;
}

export type FileKind = "file" | "folder" | "absent" | "link" | "other";

/** Text files that a person names. Relative paths start at the working folder. */
export interface Files {
  /** The absolute path. */
  resolve(path: string): string;
  /** Links are not followed, because others may control where they lead. */
  kindOf(path: string): Promise<FileKind>;
  /** The same with size and modification time, without opening it. Anything unreadable is "other". */
  look(path: string): Promise<{ kind: FileKind; bytes: number; modifiedAt: number }>;
  beginsWith(path: string, text: string): Promise<boolean>;
  /** The entries of a folder, by name. */
  names(path: string): Promise<string[]>;
  /** A whole file. Refuses text that is not UTF-8 or too large. */
  text(path: string, limits: { fileBytes: number }): Promise<string>;
  /** Lines without line ends. Refuses text that is not UTF-8, overlong lines, and an unterminated last line. */
  lines(path: string, limits: LineLimits): AsyncIterable<string>;
  /** Writes a private file and creates the folders it needs. */
  draft(path: string, lines: AsyncIterable<string>): Promise<Draft>;
  /** Adds a line to the end of a file, in one write; creates it, and the folders it needs. */
  append(path: string, line: string): Promise<void>;
  remove(path: string): Promise<void>;
}
