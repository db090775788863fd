/** Files that a person names, to read from and to write to. */

/** A file that was written beside its place and is not there yet. */
export interface Draft {
  readonly lines: number;
  readonly bytes: number;
  /** Moves it to its place; what was there goes. */
  keep(): Promise<void>;
  drop(): Promise<void>;
}

export type FileKind = "file" | "folder" | "absent" | "link" | "other";

/** Text files that a person names. Relative paths start where the person is. */
export interface Files {
  /** The path as an absolute one. */
  resolve(path: string): string;
  /** Links are not followed: where they lead is for somebody else to choose. */
  kindOf(path: string): Promise<FileKind>;
  /** The same with size and time of change, without opening it. What cannot be looked at is "other". */
  look(path: string): Promise<{ kind: FileKind; bytes: number; modifiedAt: number }>;
  beginsWith(path: string, text: string): Promise<boolean>;
  /** What lies in a folder, by name. */
  names(path: string): Promise<string[]>;
  /** The whole of a file. Refuses what is no UTF-8 and what is too large. */
  text(path: string, limits: { fileBytes: number }): Promise<string>;
  /** Lines without their ends. Refuses what is no UTF-8, what is too long, and a last line that has no end. */
  lines(path: string, limits: { lineBytes: number; fileBytes: number }): AsyncIterable<string>;
  /** Writes a private file; makes the folders it needs. */
  draft(path: string, lines: AsyncIterable<string>): Promise<Draft>;
  remove(path: string): Promise<void>;
}
