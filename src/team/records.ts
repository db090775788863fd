/**
 * Which projects are shared with a team: one small file for each, in the data folder.
 *
 * Only a command that a person runs writes one. Nothing in a repository does, so a cloned one cannot share itself.
 */
import { lstatSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { readPrivate, writePrivate } from "../machine/private-files.ts";
import { createFolder, distrust, isMarked, READER } from "../sessions/inbox-writer.ts";
import { beginPause, endPause } from "../sessions/pauses.ts";
import { isSchemaName, type SharedProject } from "./team.ts";

interface SharedProjects {
  /** Null if the project of this space is not shared. */
  find(space: string): SharedProject | null;
  share(space: string, project: SharedProject): void;
  unshare(space: string): void;
}

export function createSharedProjects(home: string): SharedProjects {
  const fileOf = (space: string) => join(home, "team", `${space}.json`);
  return {
    find(space) {
      const path = fileOf(space);
      return lstatSync(path, { throwIfNoEntry: false }) === undefined ? null : parsed(path);
    },
    share(space, { schema, own }) {
      mkdirSync(join(home, "team"), { recursive: true, mode: 0o700 });
      writePrivate(fileOf(space), `${JSON.stringify({ schema, own })}\n`);
    },
    unshare: (space) => rmSync(fileOf(space), { force: true }),
  };
}

/** One that cannot be read is a fault: whoever went on without would write to another memory. */
function parsed(path: string): SharedProject {
  const { schema, own } = fieldsIn(path);
  const isWhole = typeof schema === "string" && isSchemaName(schema) && typeof own === "string" && /^[\w-]+$/.test(own);
  if (isWhole) return { schema, own };
  throw new Failure(
    "unavailable",
    `${path} says that this project is shared, but cannot be used.`,
    "Make it private (0600), or remove it and run `stele team join` again.",
  );
}

function fieldsIn(path: string): Record<string, unknown> {
  try {
    return (JSON.parse(readPrivate(path) ?? "null") ?? {}) as Record<string, unknown>;
  } catch (thrown) {
    throw new Failure("unavailable", `${path} cannot be read.`, "Run `stele team join` again.", { cause: thrown });
  }
}

/**
 * That a person may only read what the team shares, as the server said last: a mark in the project's spool, which stops
 * hooks from recording what nobody could take in.
 *
 * It holds since when, so that what was said meanwhile is not read from a transcript later.
 */
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
