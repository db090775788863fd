/**
 * The folder that keeps compiled code between runs; null when there is none.
 *
 * It is in the data folder and private to its owner: anyone able to write there could make us run their code.
 */
import { join } from "node:path";
import { Failure } from "../errors.ts";
import { claimPrivateFolder } from "../machine/private-files.ts";
import { homeFolder } from "./environment.ts";

export function compiledFolder(): string | null {
  try {
    return claimPrivateFolder(join(homeFolder(), "compiled"));
  } catch (thrown) {
    // A wrong STELE_HOME is reported by the command that needs it.
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
