/**
 * That a person may only read what the team shares, as the server said last: a mark in the project's spool, which stops
 * hooks from recording what nobody could take in.
 *
 * It holds since when, so that what was said meanwhile is not read from a transcript later.
 */
import { beginPause, endPause } from "../capture/pauses.ts";
import { READER, createFolder, distrust, isMarked } from "../capture/spool-folder.ts";

export interface ReaderMark {
  /** What the server says now. A folder that cannot be written keeps nobody from reading. */
  note(isReader: boolean, at: number): void;
  /** Whether another process has learnt otherwise since. */
  isOther(): boolean;
}

/** A project that is not shared has no mark, except one from when it was: that is looked for first, with one call. */
export function createReaderMark(folder: string): ReaderMark {
  let noted: boolean | null = null;
  const isThere = () => isMarked(folder, READER) && distrust(folder) === null;
  return {
    note(isReader, at) {
      try {
        if (isReader !== isThere()) write(folder, isReader, at);
        noted = isReader;
      } catch {
        noted = null;
      }
    },
    isOther: () => noted !== null && isThere() !== noted,
  };
}

function write(folder: string, isReader: boolean, at: number): void {
  if (!isReader) return endPause(folder, at, READER);
  createFolder(folder);
  const reason = distrust(folder);
  if (reason !== null) throw new Error(reason);
  beginPause(folder, at, READER);
}
