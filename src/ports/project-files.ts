/** Reads and watches the files of a project, and a person's notes. */
import type { FileText, FormerBytes, SkippedFile, Walk, WalkLimits } from "../model/corpus/corpus.ts";

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
