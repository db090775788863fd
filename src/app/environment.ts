/**
 * The only reader of the environment, which names folders, sessions and hosts.
 *
 * Small and without libraries, because it is needed before anything large is loaded.
 */
import { existsSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, parse, resolve } from "node:path";
import type { DataFolder, Places } from "../agents/connection.ts";
import { Failure } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export const ENVIRONMENT: Environment = process.env;

/** The settings file of a project. */
export const PROJECT_FILE = ".stele.json";

interface AgentVariables {
  /** Set in every shell that the agent runs, and in no shell of a person's. */
  markers: readonly string[];
  /** Names the session, and is a marker as well. */
  session?: string;
}

/**
 * What hosts set in the shells and servers they start. A variable that is also set in a person's own terminal inside the
 * host (CURSOR_TRACE_ID, ZED_TERM, TERM_PROGRAM) tells nothing, and a setting of theirs (CODEX_HOME) no more.
 */
export const AGENTS: Readonly<Record<string, AgentVariables>> = {
  "claude-code": {
    markers: ["CLAUDECODE", "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_REMOTE"],
    session: "CLAUDE_CODE_SESSION_ID",
  },
  codex: { markers: ["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_CI"], session: "CODEX_THREAD_ID" },
  cursor: { markers: ["CURSOR_AGENT"], session: "CURSOR_CONVERSATION_ID" },
  vscode: { markers: ["COPILOT_CLI", "COPILOT_AGENT"], session: "COPILOT_AGENT_SESSION_ID" },
  gemini: { markers: ["GEMINI_CLI", "ANTIGRAVITY_AGENT"], session: "GEMINI_SESSION_ID" },
  opencode: { markers: ["OPENCODE", "OPENCODE_CLIENT"], session: "OPENCODE_SESSION_ID" },
  kimi: { markers: ["KIMI_CLI"], session: "KIMI_SESSION_ID" },
  cline: { markers: ["CLINE_ACTIVE"] },
  // These set none of their own in shells; what their agents run is told by the words all agents may use.
  zed: { markers: [] },
  windsurf: { markers: [] },
  "claude-desktop": { markers: [] },
  any: { markers: ["AI_AGENT", "AGENT"] },
};
/** A build machine, where nobody is either. */
const BUILD_MARKERS = ["CI"];

const AGENT_SESSIONS = Object.values(AGENTS).flatMap(({ session }) => session ?? []);
/** Variables that mean nobody is at the terminal. */
export const UNATTENDED: readonly string[] = [
  ...Object.values(AGENTS).flatMap(({ markers }) => markers),
  ...AGENT_SESSIONS,
  ...BUILD_MARKERS,
];
const SESSION_VARIABLES = ["STELE_SESSION", ...AGENT_SESSIONS];

export interface Surroundings {
  cwd: string;
  /** The project a host names for its servers and hooks. */
  hostProject: string | null;
  session: string | null;
  /** A person is likely at the terminal: no agent or build machine runs this shell. */
  attended: boolean;
  /** The terminal understands no codes that move the cursor or colour text. */
  isDumb: boolean;
  /** Colours are wanted even in a pipe. */
  isColourForced: boolean;
  /** The command that opens the person's editor. */
  editor: string | null;
}

export function readSurroundings(env: Environment = ENVIRONMENT): Surroundings {
  const session = SESSION_VARIABLES.map((name) => env[name]).find((value) => value);
  return {
    cwd: process.cwd(),
    hostProject: env["CLAUDE_PROJECT_DIR"] || null,
    session: session ?? null,
    attended: !UNATTENDED.some((name) => env[name]),
    isDumb: env["TERM"] === "dumb",
    isColourForced: /^(?:[1-3]|true|)$/.test(env["FORCE_COLOR"] ?? "0") && !env["NO_COLOR"],
    editor: env["VISUAL"]?.trim() || env["EDITOR"]?.trim() || null,
  };
}

/** The key of a remote provider, from the variable that the settings name. */
export function keyIn(variable: string, env: Environment = ENVIRONMENT): string | null {
  return env[variable]?.trim() || null;
}

/** The file with the token of programs, for a server that is started with variables: a container's. */
export const tokenFileIn = (env: Environment = ENVIRONMENT): string | undefined => env["STELE_TOKEN_FILE"] || undefined;

/** The folders in which hosts keep their transcripts. */
export function hostFolders(env: Environment = ENVIRONMENT): { claude: string; codex: string } {
  return {
    claude: absoluteOr(env["CLAUDE_CONFIG_DIR"], join(homedir(), ".claude")),
    codex: absoluteOr(env["CODEX_HOME"], join(homedir(), ".codex")),
  };
}

/** Where hosts keep their configurations; `project` is the one to connect. */
export function hostPlaces(
  project: string,
  env: Environment = ENVIRONMENT,
  platform: string = process.platform,
): Places {
  const home = knownHome();
  const dotConfig = absoluteOr(env["XDG_CONFIG_HOME"], join(home, ".config"));
  const { claude, codex } = hostFolders(env);
  const config = {
    win32: env["APPDATA"] || join(home, "AppData", "Roaming"),
    darwin: join(home, "Library", "Application Support"),
  };
  return {
    platform,
    home,
    project,
    claude,
    codex,
    dotConfig,
    config: platform === "win32" || platform === "darwin" ? config[platform] : dotConfig,
    claudeState: join(isAbsolute(env["CLAUDE_CONFIG_DIR"] ?? "") ? claude : home, ".claude.json"),
    copilot: absoluteOr(env["COPILOT_HOME"], join(home, ".copilot")),
    gemini: join(absoluteOr(env["GEMINI_CLI_HOME"], home), ".gemini"),
  };
}

/** Where other tools keep their memories by default, or where their own variables say. */
export function foreignPlaces(env: Environment = ENVIRONMENT, platform: string = process.platform): ForeignPlaces {
  const home = homedir();
  const named = (variable: string) => (isAbsolute(env[variable] ?? "") ? [env[variable]!] : []);
  const local = {
    win32: env["LOCALAPPDATA"] || join(home, "AppData", "Local"),
    darwin: join(home, "Library", "Application Support"),
  };
  const data = platform === "win32" || platform === "darwin" ? local[platform] : join(home, ".local", "share");
  return {
    "server-memory": named("MEMORY_FILE_PATH"),
    "claude-mem": [...named("CLAUDE_MEM_DATA_DIR"), join(home, ".claude-mem")],
    agentmemory: [join(home, ".agentmemory")],
    mem0: [],
    "basic-memory": [...named("BASIC_MEMORY_HOME"), join(home, "basic-memory")],
    "mcp-memory-service": [
      ...named("MCP_MEMORY_SQLITE_PATH"),
      ...named("MCP_MEMORY_BASE_DIR"),
      join(data, "mcp-memory"),
    ],
    markdown: [],
  };
}

type ForeignPlaces = Record<
  "server-memory" | "claude-mem" | "agentmemory" | "mem0" | "basic-memory" | "mcp-memory-service" | "markdown",
  string[]
>;

/** The folders in which the system looks for programs, and the endings it tries. */
export const programPath = (env: Environment = ENVIRONMENT): { searched: string; extensions: string } => ({
  searched: env["PATH"] ?? env["Path"] ?? "",
  extensions: env["PATHEXT"] ?? "",
});

function knownHome(): string {
  const home = homedir();
  if (isAbsolute(home)) return home;
  throw new Failure("unavailable", "The folder of this user is not known.", "Set HOME to its absolute path.");
}

/** The data folder: the caller's, `STELE_HOME`, or the platform's default. */
export function homeFolder(flag?: string, env: Environment = ENVIRONMENT, platform: string = process.platform): string {
  const named = flag ?? env["STELE_HOME"];
  // A shell expands `~`, a settings file does not; a relative path would depend on the working folder.
  if (named && !isAbsolute(named)) {
    throw new Failure(
      "invalid_input",
      `STELE_HOME must be an absolute path, not "${named}".`,
      `For example ${resolve(named)}.`,
    );
  }
  if (named) return ownFolder(resolve(named));
  return defaultHome(env, platform);
}

function defaultHome(env: Environment, platform: string): string {
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "stele");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "stele");
  return join(absoluteOr(env["XDG_DATA_HOME"], join(homedir(), ".local", "share")), "stele");
}

/** Files of which one is in every data folder, encrypted or not. */
const HELD = ["global.db", "encryption.json"];

/**
 * Refuses a folder that holds all sorts of other things: our files would be scattered among them, and the doctor would
 * close it to others. One that already holds a memory stays usable.
 */
function ownFolder(path: string): string {
  const real = realPath(path);
  const isRoot = parse(real).root === real;
  const isOwn = !isRoot && real !== realPath(personFolder());
  if (isOwn || HELD.some((name) => existsSync(join(path, name)))) return path;
  throw new Failure(
    "invalid_input",
    `The data folder must be a folder of its own, and ${path} is ${isRoot ? "the root of a file system" : "your home folder"}.`,
    `Set STELE_HOME to ${join(personFolder(), ".stele")}, for example, or unset it to use the default one.`,
  );
}

/** Empty for a user whom the system does not know. */
function personFolder(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/** As it is if it does not exist. Asked of the system, which knows whether letters of either case are the same. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Where the built model is kept: `STELE_MODELS`, or a folder in the data folder. It may be one that nobody can write. */
export const modelsFolder = (home: string, env: Environment = ENVIRONMENT): string =>
  absoluteOr(env["STELE_MODELS"], join(home, "models"));

/** The data folder, and what names it if it is not the default. */
export function dataFolder(env: Environment = ENVIRONMENT, platform: string = process.platform): DataFolder {
  const path = homeFolder(undefined, env, platform);
  const plain = { ...env, STELE_HOME: undefined, XDG_DATA_HOME: undefined };
  if (path === homeFolder(undefined, plain, platform)) return { path, variable: null };
  return { path, variable: env["STELE_HOME"] ? "STELE_HOME" : "XDG_DATA_HOME" };
}

/** Where keys of encrypted data folders are kept unless a person says otherwise: not in the data folder, which may be copied. */
export function keysFolder(env: Environment = ENVIRONMENT, platform: string = process.platform): string {
  const roaming = platform === "win32" ? env["APPDATA"] || join(homedir(), "AppData", "Roaming") : undefined;
  return join(roaming ?? absoluteOr(env["XDG_CONFIG_HOME"], join(homedir(), ".config")), "stele", "keys");
}

/** The key file, where it is not where it was made. */
export const keyFileNamed = (env: Environment = ENVIRONMENT): string | null => env["STELE_KEY_FILE"] || null;

/** The password of the team's server. */
export const teamPassword = (env: Environment = ENVIRONMENT): string | undefined =>
  env["STELE_TEAM_PASSWORD"] || undefined;

/** For a host that starts us without its person's variables. */
export function nameHome(path: string): void {
  process.env["STELE_HOME"] = path;
}

/** A folder of this user with a short path, for sockets. */
export function runtimeFolder(env: Environment = ENVIRONMENT): string {
  const named = env["XDG_RUNTIME_DIR"];
  return named && isAbsolute(named) ? join(named, "stele") : join(tmpdir(), `stele-${process.getuid?.() ?? "run"}`);
}

export function userFile(flag?: string, env: Environment = ENVIRONMENT, platform: string = process.platform): string {
  const isOwnHome = Boolean(flag ?? env["STELE_HOME"]) || platform !== "linux";
  if (isOwnHome) return join(homeFolder(flag, env, platform), "config.json");
  return join(absoluteOr(env["XDG_CONFIG_HOME"], join(homedir(), ".config")), "stele", "config.json");
}

/** A relative path in an XDG variable is invalid and ignored. */
const absoluteOr = (path: string | undefined, otherwise: string) => (path && isAbsolute(path) ? path : otherwise);
