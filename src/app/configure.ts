/**
 * The settings in force.
 *
 * Where neither a file nor a variable nor a flag sets anything they are the defaults, and the schema that would judge
 * settings is not even loaded: building it takes longer than most commands.
 */
import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Config, ConfigSources } from "./config.ts";
import { DEFAULTS } from "./config-defaults.ts";
import { ENVIRONMENT, PROJECT_FILE, userFile } from "./environment.ts";

/** Variables of ours that are no settings. */
const NO_SETTINGS = ["STELE_HOME", "STELE_SESSION", "STELE_RERUN"];

export async function configure(sources: ConfigSources): Promise<Config> {
  if (saysNothing(sources)) return DEFAULTS;
  const { loadConfig } = await import("./config.ts");
  return loadConfig(sources);
}

function saysNothing({ home, projectRoot, env = ENVIRONMENT, flags = {} }: ConfigSources): boolean {
  const files = [userFile(home, env), ...(projectRoot === undefined ? [] : [join(projectRoot, PROJECT_FILE)])];
  // Windows does not tell upper from lower case in the names of variables.
  const isSetting = (name: string) => /^STELE_/i.test(name) && !NO_SETTINGS.includes(name.toUpperCase());
  return Object.keys(flags).length === 0 && !Object.keys(env).some(isSetting) && files.every(isMissing);
}

/** A file that cannot be looked at is for the reader of settings to complain about. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
