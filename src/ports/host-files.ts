/** The configuration files of hosts, and what we keep about those we changed. */
import type { Connection } from "../model/connect/connection.ts";
import type { HostId } from "../model/connect/host.ts";

export interface HostFile {
  /** The file itself, behind any link. */
  target: string;
  /** Null if there is none. */
  text: string | null;
  /** Folders to make before it can be written, outermost first. */
  folders: string[];
}

export interface HostFiles {
  /** Fails if it is no readable text file. `within`: links may not lead out of this folder. */
  read(path: string, within: string | null): HostFile;
  /** Replaces the whole file at once, unless it is no longer as expected. */
  write(file: HostFile, text: string): void;
  /** Removes the file unless it is no longer as expected, then those of the folders that are empty. */
  remove(file: HostFile, folders: readonly string[]): void;
  isThere(path: string): boolean;
  /** Whether the system finds a program of this name. */
  isOnPath(program: string): boolean;
}

export interface ConnectRecords {
  read(host: HostId, project: string | null): Connection | null;
  /** `texts`: what was in the files before, by the name of the copy. */
  write(connection: Connection, texts: ReadonlyMap<string, string>): void;
  /** Null if the copy is gone. */
  backup(connection: Connection, name: string): string | null;
  drop(connection: Connection): void;
}
