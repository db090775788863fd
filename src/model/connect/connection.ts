/** What connecting a host changed, kept so that it can be undone exactly. */
import type { ConnectScope, HostId } from "./host.ts";

/** What the text of a configuration cannot tell when our entries are removed again. */
export interface Undo {
  /** Lists that did not exist (`empty` is null), or how they were written while they were empty. */
  traces: { path: string[]; empty: string | null }[];
  /** Names that were added because the format asks for them. */
  constants: string[];
  /** The text between what was there and a table added behind it. */
  lead: string;
  /** The whole text, if it had no content. */
  blank: string | null;
}

export interface ConnectedFile {
  path: string;
  /** Hashes of the text; `before` is null if there was no file. */
  before: string | null;
  after: string;
  /** The name of the copy of what was there before. */
  backup: string | null;
  /** As long as the file is as we left it, removing goes back to what was there before. */
  isExact: boolean;
  /** Folders that were made for the file, outermost first. */
  folders: string[];
  undo: Undo;
}

export interface Connection {
  host: HostId;
  scope: ConnectScope;
  /** The project, if only that was connected. */
  project: string | null;
  files: ConnectedFile[];
}

export const NO_UNDO: Undo = { traces: [], constants: [], lead: "", blank: null };

/** A plan as people see it. */
export interface PlannedHost {
  host: HostId;
  title: string;
  scope: ConnectScope;
  kind: "connect" | "remove";
  changes: { path: string; diff: string }[];
  /** Paths of another installation that are replaced. */
  stale: string[];
  /** Other data folders that are replaced; "" where none was named. */
  homes: string[];
  /** What a person should know afterwards. */
  advice: string[];
}
