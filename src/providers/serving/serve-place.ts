/**
 * Where the HTTP server of a data folder is found: a note with its address, its token, and the lock of the one that runs.
 *
 * All of it is readable by its owner alone. The lock ends with the process that holds it, so a note that a killed server
 * left behind is known to be stale.
 */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../errors.ts";
import { claimPrivateFolder } from "../files/private-folder.ts";
import { readPrivate, readSecret, writePrivate } from "../files/private-file.ts";

export interface ServeNote {
  url: string;
  /** Where people find the page. */
  pageUrl: string;
  pid: number;
  tokenFile: string;
  /** Whoever can read it owns the data: it stops the server, and makes the codes that people open the page with. */
  key: string;
}

export interface ServePlace {
  lockFile: string;
  /**
   * The token of programs: in the file that was named, else in one of our own. That one is made if it is missing; only
   * for the holder of the lock, so that nobody makes another one at the same time.
   */
  token(named: string | undefined, make: (() => string) | null): { token: string; file: string };
  read(): ServeNote | null;
  write(note: ServeNote): void;
  clear(): void;
}

/** Letters that a header carries as they are, and enough of them that nobody guesses. */
const TOKEN = /^[\w~+/.=-]{16,512}$/;

const NOTE = "http.json";
const LOCK = "http.lock";

/** Where the token is, unless another file was named. */
export const tokenFileOf = (home: string): string => join(home, "run", "http-token");

/** Whether a server has ever run here. Makes no folder. */
export const hasServed = (home: string): boolean => existsSync(join(home, "run", LOCK));

export function servePlace(home: string): ServePlace {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const folder = claimPrivateFolder(join(home, "run"));
  if (folder === null) {
    const hint = "Make its folders yours alone: `stele doctor --recover`.";
    throw new Failure("unavailable", `${join(home, "run")} is not private, so no token is kept there.`, hint);
  }
  const [note, own] = [join(folder, NOTE), join(folder, "http-token")];
  return {
    lockFile: join(folder, LOCK),
    token(named, make) {
      if (named === undefined && make !== null && !existsSync(own)) writePrivate(own, make());
      const file = named ?? own;
      if (!existsSync(file)) {
        const hint = named === undefined ? "`stele serve` makes it." : "Put the token into it.";
        throw new Failure("not_found", `There is no file ${file}.`, hint);
      }
      const token = trusted(file, named === undefined ? readPrivate : readSecret).trim();
      if (TOKEN.test(token)) return { token, file };
      const hint =
        "It must be one line of 16 to 512 letters, digits or ~+/.=-_, such as `openssl rand -hex 32` prints.";
      throw new Failure("invalid_input", `${file} holds no token.`, hint);
    },
    read: () => noteIn(home),
    write: (said) => writePrivate(note, JSON.stringify(said)),
    clear: () => rmSync(note, { force: true }),
  };
}

/** What the server of a data folder left, running or not; null if nothing. Makes no folder. */
export function noteIn(home: string): ServeNote | null {
  const note = join(home, "run", NOTE);
  if (!existsSync(note)) return null;
  const { url, pageUrl, pid, tokenFile, key } = JSON.parse(trusted(note, readPrivate)) as ServeNote;
  return { url, pageUrl, pid, tokenFile, key };
}

function trusted(path: string, read: (path: string) => string | null): string {
  const text = read(path);
  if (text !== null) return text;
  const hint = `Run \`chmod 600\` on it, or name another one than in ${dirname(path)}.`;
  throw new Failure("refused", `${path} is not a file that only you can read.`, hint);
}
