/**
 * The settings in force.
 *
 * When no file, variable or flag sets anything, these are the defaults and the schema is not even loaded: building it
 * takes longer than most commands.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Config, ConfigSources } from "./config.ts";
import { DEFAULTS } from "./config-defaults.ts";
import { ENVIRONMENT, PROJECT_FILE, userFile } from "./environment.ts";

/** Variables of ours that are not settings. */
const NOT_SETTINGS = [
  ...["STELE_HOME", "STELE_MODELS", "STELE_SESSION", "STELE_RERUN", "STELE_HOOK", "STELE_TEAM_PASSWORD"],
];

export async function configure(sources: ConfigSources): Promise<Config> {
  if (setsNothing(sources)) return DEFAULTS;
  const { loadConfig } = await import("./config.ts");
  return loadConfig(sources);
}

function setsNothing({ home, projectRoot, env = ENVIRONMENT, flags = {} }: ConfigSources): boolean {
  const files = [userFile(home, env), ...(projectRoot === undefined ? [] : [join(projectRoot, PROJECT_FILE)])];
  // Variable names are case-insensitive on Windows.
  const isSetting = (name: string) => /^STELE_/i.test(name) && !NOT_SETTINGS.includes(name.toUpperCase());
  return Object.keys(flags).length === 0 && !Object.keys(env).some(isSetting) && files.every(isMissing);
}

/** An unreadable file does not count as missing: `loadConfig` reports it. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
