/**
 * Stele as a library: `open()` gives one method for each verb.
 *
 * Nothing else is loaded before `open()`, so that a Node that is too old gets an error, not a crash in native code.
 */
import { isNewEnough, tooOld } from "../bin/node-version.js";
import { Failure } from "./errors.ts";
import type { Stele, SteleOptions } from "./library.ts";
import type { RemoteOptions } from "./remote-library.ts";

export { Failure, type FailureCode } from "./errors.ts";
export type { Stele, SteleOptions } from "./library.ts";
export type { RemoteOptions } from "./remote-library.ts";
export type { Hit } from "./recall/hit.ts";
export type { Memory } from "./memory/view.ts";
export type { Question, Reply } from "./catalog/question.ts";

/** Opens the stores of this machine, or with `url` and `token` a server's. */
export async function open(options: SteleOptions | RemoteOptions = {}): Promise<Stele> {
  if ("url" in options) return (await import("./remote-library.ts")).openRemote(options);
  const how = { fromSource: import.meta.url.endsWith(".ts") };
  if (!isNewEnough(process.versions.node, how)) {
    throw new Failure("unavailable", `Stele cannot run: ${tooOld(how)}.`, "Install it from https://nodejs.org.");
  }
  const { openLibrary } = await import("./library.ts").catch((thrown: unknown) => {
    throw notInstalled(thrown) ?? thrown;
  });
  return openLibrary(options);
}

/** In a clone without installed packages, tells the user what to run. */
function notInstalled(thrown: unknown): Failure | null {
  const { code } = thrown as NodeJS.ErrnoException;
  if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") return null;
  const hint = "Run `npm ci` in its folder; `npm run build` as well, if it is to be copied.";
  return new Failure("unavailable", "Packages that Stele needs are not installed.", hint, { cause: thrown });
}
