/**
 * The only reader of the environment, which names folders, sessions and hosts.
 *
 * Small and without libraries, because it is needed before anything large is loaded.
 */
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { Failure } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;
export const ENVIRONMENT: Environment = process.env;

/** The settings file of a project. */
export const PROJECT_FILE = ".stele.json";

/** Variables that hosts set in the shells and servers they start. */
const AGENT_MARKERS = ["CLAUDECODE", "CURSOR_AGENT", "CODEX_SANDBOX", "GEMINI_CLI", "OPENCODE", "CI"];
const SESSION_VARIABLES = ["STELE_SESSION", "CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"];

export interface Surroundings {
  cwd: string;
  /** The project a host names for its servers and hooks. */
  hostProject: string | null;
  session: string | null;
  /** A person is likely at the terminal: no agent or build machine runs this shell. */
  attended: boolean;
}

export function readSurroundings(env: Environment = ENVIRONMENT): Surroundings {
  const session = SESSION_VARIABLES.map((name) => env[name]).find((value) => value);
  return {
    cwd: process.cwd(),
    hostProject: env["CLAUDE_PROJECT_DIR"] || null,
    session: session ?? null,
    attended: !AGENT_MARKERS.some((name) => env[name]),
  };
}

/** The key of a remote provider, from the variable that the settings name. */
export function keyIn(variable: string, env: Environment = ENVIRONMENT): string | null {
  return env[variable]?.trim() || null;
}

/** The folders in which hosts keep their transcripts. */
export function hostFolders(env: Environment = ENVIRONMENT): { claude: string; codex: string } {
  return {
    claude: absoluteOr(env["CLAUDE_CONFIG_DIR"], join(homedir(), ".claude")),
    codex: absoluteOr(env["CODEX_HOME"], join(homedir(), ".codex")),
  };
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
  if (named) return resolve(named);
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "stele");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "stele");
  return join(absoluteOr(env["XDG_DATA_HOME"], join(homedir(), ".local", "share")), "stele");
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
