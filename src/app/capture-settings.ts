/**
 * Whether hooks may capture, learnt without the schema of settings: a hook has no time to load it.
 *
 * In doubt they may not: a person who has written something unreadable may have meant "off".
 */
import { readFileSync, statSync } from "node:fs";
import { ENVIRONMENT, type Environment, userFile } from "./environment.ts";

const FILE_LIMIT_BYTES = 1_000_000;

export function mayCapture(env: Environment = ENVIRONMENT): boolean {
  // For whoever runs a host from within a hook, so that the hooks of that host record nothing. We start none.
  if (env["STELE_HOOK"]?.trim() === "off") return false;
  const set = env["STELE_CAPTURE"]?.trim() || fromFile(userFile(undefined, env));
  return set === undefined || set === "on";
}

function fromFile(path: string): unknown {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile() || found.size > FILE_LIMIT_BYTES) return "unreadable";
  const settings = JSON.parse(readFileSync(path, "utf8")) as { capture?: { enabled?: unknown } } | null;
  return settings?.capture?.enabled;
}
