/**
 * Whether hooks may capture and inject, learnt without the schema of settings: a hook has no time to load it.
 *
 * In doubt they may not: a person who has written something unreadable may have meant "off".
 */
import { readFileSync, statSync } from "node:fs";
import { ENVIRONMENT, type Environment, nameHome, userFile } from "./environment.ts";

const FILE_LIMIT_BYTES = 1_000_000;

export interface HookSettings {
  mayCapture: boolean;
  /** By event: when a session starts, with a prompt, and after a tool that failed. */
  mayInject: { session_start: boolean; prompt: boolean; failure: boolean };
}

const NOTHING: HookSettings = { mayCapture: false, mayInject: { session_start: false, prompt: false, failure: false } };

export function hookSettings(env: Environment = ENVIRONMENT): HookSettings {
  // For whoever runs a host from within a hook, so that the hooks of that host do nothing. We start none.
  if (env["STELE_HOOK"]?.trim() === "off") return NOTHING;
  const file = fromFile(userFile(undefined, env));
  if (file === "unreadable") return NOTHING;
  const captures = env["STELE_CAPTURE"]?.trim() || (file.capture?.enabled ?? "on");
  const injects = env["STELE_CONTEXT_INJECTION"]?.trim() || (file.context?.injection ?? "on");
  return {
    mayCapture: captures === "on",
    mayInject: {
      session_start: injects === "on" || injects === "start",
      prompt: injects === "on",
      failure: injects === "on",
    },
  };
}

interface SettingsFile {
  capture?: { enabled?: unknown } | undefined;
  context?: { injection?: unknown } | undefined;
}

function fromFile(path: string): SettingsFile | "unreadable" {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return {};
  if (!found.isFile() || found.size > FILE_LIMIT_BYTES) return "unreadable";
  return (JSON.parse(readFileSync(path, "utf8")) as SettingsFile | null) ?? {};
}

// The flags of `stele hook`, which are read before anything is loaded that could check them.

/** Null if it is not given. */
export function flagOf(flag: string, argv: readonly string[]): string | null {
  const at = argv.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at === -1) return null;
  return argv[at] === flag ? (argv[at + 1] ?? null) : argv[at]!.slice(flag.length + 1);
}

/** Uses the data folder that a host names, from here on. */
export function takeHome(argv: readonly string[]): void {
  const home = flagOf("--home", argv);
  if (home !== null) nameHome(home);
}
