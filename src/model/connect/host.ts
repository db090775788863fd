/** A host that Stele can be connected to: where its configuration lies, and what is written there. */
import type { Json } from "./json.ts";

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
