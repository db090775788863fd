/**
 * A folder of notes: its Markdown files, by absolute paths.
 *
 * It is walked, read and watched like a project; all other files in it are ignored.
 */
import { posix } from "node:path";
import type { Walk, WalkLimits } from "../../model/corpus/corpus.ts";
import type { NoteFiles } from "../../ports/project-files.ts";
import { isIgnoreFile } from "./ignore-rules.ts";
import { type ProjectFilesOptions, createProjectFiles } from "./project-files.ts";

const IS_NOTE = /\.(?:md|markdown)$/i;

export interface NoteFilesOptions extends ProjectFilesOptions {
  limits: WalkLimits;
}

/** `named` is an absolute path. */
export function createNoteFiles(named: string, { limits, ...options }: NoteFilesOptions): NoteFiles {
  const files = createProjectFiles(named, options);
  const folder = named.replaceAll("\\", "/").replace(/\/+$/, "");
  const whole = (path: string) => (path === "" || path === "." ? folder : `${folder}/${path}`);
  const inside = (path: string) => path.slice(folder.length + 1);
  return {
    folder,
    async walk(): Promise<Walk> {
      const { found, skipped, unread } = await files.walk(limits);
      const matters = (path: string) =>
        IS_NOTE.test(path) || isIgnoreFile(posix.basename(path)) || unread.includes(path === "." ? "" : path);
      return {
        found: found.filter(({ path }) => IS_NOTE.test(path)).map((file) => ({ ...file, path: whole(file.path) })),
        skipped: skipped.filter(({ path }) => matters(path)).map(({ path, reason }) => ({ path: whole(path), reason })),
        unread: unread.map(whole),
      };
    },
    async read(path) {
      const read = await files.read(inside(path), limits.fileBytes);
      return { ...read, path };
    },
    watch: (onChange) => files.watch(limits, onChange),
  };
}
