/**
 * Carries the data folder into a host's configuration when it is not the default one.
 *
 * A host may be started without its person's variables, and would then write to another memory than their terminal. A server
 * gets the folder through its environment, a hook through a flag: no host lets every hook have variables, and shells set them
 * in different ways.
 */
import type { DataFolder } from "../../model/connect/host.ts";
import { type Json, isObject } from "../../model/connect/json.ts";

export const HOME_VARIABLE = "STELE_HOME";
const HOME_FLAG = "--home";
/** What hosts call the variables of a server. */
const VARIABLES = ["env", "environment"];

/** What a server's environment must say; null if nothing. */
export const variablesFor = ({ path, variable }: DataFolder): Record<string, string> | null =>
  variable === HOME_VARIABLE ? { [HOME_VARIABLE]: path } : null;

/** What a hook's command must say. */
export const wordsFor = ({ path, variable }: DataFolder): string[] =>
  variable === HOME_VARIABLE ? [HOME_FLAG, path] : [];

/** The folder that an entry names; null if it names none. `rest`: the words of its command behind the program. */
export function homeNamedIn(value: { [key: string]: Json }, rest: readonly string[]): string | null {
  const named = VARIABLES.map((key) => value[key])
    .filter(isObject)
    .map((variables) => variables[HOME_VARIABLE])
    .find((one) => typeof one === "string");
  return named ?? rest[rest.indexOf(HOME_FLAG) + 1 || rest.length] ?? null;
}

/** The words with this folder instead of another one. */
export function withHomeWords(rest: readonly string[], path: string): string[] {
  const at = rest.indexOf(HOME_FLAG);
  const others = at === -1 ? rest : [...rest.slice(0, at), ...rest.slice(at + 2)];
  return [...others, HOME_FLAG, path];
}

/** Whether an entry must be told of our folder. One that a person has named is left alone while we use the default. */
export const lacksHome = (home: string | null, data: DataFolder): boolean =>
  data.variable === HOME_VARIABLE && !isSame(home, data.path);

/** Whether an entry leads to another folder than ours, as far as its configuration tells. */
export const isElsewhere = (home: string | null, data: DataFolder): boolean =>
  lacksHome(home, data) || (home !== null && !isSame(home, data.path));

const isSame = (home: string | null, path: string): boolean => trimmed(home ?? "") === trimmed(path);
const trimmed = (path: string): string => path.replace(/(?<=.)[\\/]+$/, "");
