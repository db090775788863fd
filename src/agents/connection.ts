/** What connecting a host changed, kept so that it can be undone exactly. */
import type { Json } from "./json-text.ts";

// A host that Stele can be connected to: where its configuration lies, and what is written there.

/** Hosts that `init` sets up, and hosts for which it only prints what to write. */
export const HOSTS = ["claude-code", "codex", "cursor", "vscode", "gemini"] as const;
export const PRINTED_HOSTS = ["opencode", "zed", "windsurf", "kimi", "cline", "claude-desktop"] as const;
export type HostId = (typeof HOSTS)[number];
export type PrintedHostId = HostId | (typeof PRINTED_HOSTS)[number];

/** `user`: in every project of this user. */
export type ConnectScope = "user" | "project";

/** What a host starts: the Node that runs now, the entry of this installation, and where that keeps its data. */
export interface Program {
  node: string;
  entry: string;
  data: DataFolder;
  /** The server to reach over HTTP instead of starting one. */
  url?: string;
}

/** Names the project of a request over HTTP. */
export const PROJECT_HEADER = "Stele-Project";

export interface DataFolder {
  path: string;
  /** What names it; null if it is the default of this system, which every program finds by itself. */
  variable: "STELE_HOME" | "XDG_DATA_HOME" | null;
}

/** Where hosts keep their configurations: absolute folders, and one file that has no folder of its own. */
export interface Places {
  platform: string;
  /** The folder of this user. */
  home: string;
  /** Where programs keep their settings on this system, and `~/.config`, which some use on every system. */
  config: string;
  dotConfig: string;
  claude: string;
  claudeState: string;
  codex: string;
  copilot: string;
  gemini: string;
  /** The project to connect. */
  project: string;
}

/** An entry that a configuration should have. */
export interface Wanted {
  kind: "server" | "hook" | "constant";
  /** The list it stands in. */
  path: string[];
  /** Its name in an object; null for an element of an array. */
  key: string | null;
  value: Json;
  /** The words of its command. */
  words: string[];
}

export interface WantedFile {
  path: string;
  format: "json" | "toml";
  entries: Wanted[];
  /** How one string becomes a command where the host takes no list of arguments. */
  shell: Shell;
}

export type Shell = "sh" | "cmd" | "powershell" | "either";

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
