/**
 * Where compiled code is kept between runs, or null where there is no such place.
 *
 * It lies in the data folder and nobody else can write to it: whoever can put a file there decides what we run.
 */
import { join } from "node:path";
import { homeFolder } from "./environment.ts";
import { Failure } from "../errors.ts";
import { claimPrivateFolder } from "../providers/files/private-folder.ts";

export function compiledFolder(): string | null {
  try {
    return claimPrivateFolder(join(homeFolder(), "compiled"));
  } catch (thrown) {
    // A wrong STELE_HOME is reported by the command that needs it.
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
