/** Reading and watching the files of a project, and a person's notes. */
import type { FileText, FormerBytes, SkippedFile, Walk, WalkLimits } from "../model/corpus/corpus.ts";

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
