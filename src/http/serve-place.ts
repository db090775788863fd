/**
 * Where the HTTP server of a data folder is found: a note with its address, its token, and the lock of the one that runs.
 *
 * All of it is readable by its owner alone. The lock ends with the process that holds it, so a note that a killed server
 * left behind is known to be stale.
 */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { type RequestOptions, request as requestPlain } from "node:http";
import { request as requestEncrypted } from "node:https";
import { dirname, isAbsolute, join, relative } from "node:path";
import { Failure } from "../errors.ts";
import { claimPrivateFolder, readPrivate, readSecret, writePrivate } from "../machine/private-files.ts";

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

// Which folders clients may name as projects. A folder that is named has its files indexed and found, so it matters.

/** `served`: these and all below them; any folder if there are none. Links are followed first. */
export function isServed(project: string, served: readonly string[]): boolean {
  if (served.length === 0) return true;
  const path = realPath(project);
  return path !== null && served.some((folder) => isWithin(path, realPath(folder)));
}

function isWithin(path: string, folder: string | null): boolean {
  if (folder === null) return false;
  const between = relative(folder, path);
  return between !== ".." && !/^\.\.[\\/]/.test(between) && !isAbsolute(between);
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // What is not there is served to nobody.
    return null;
  }
}

/**
 * Whose process is at the other end of a connection within this machine, as far as the system tells.
 *
 * The address that a browser is started with can be seen by every user of the machine, and the code in it is good for
 * whoever comes first. Linux says who owns a connection; elsewhere nobody is told apart.
 */
interface Ends {
  /** The port of ours, and the one of theirs. */
  localPort: number;
  remotePort: number;
}

/**
 * Null if it is not known: another system, a connection from elsewhere, or one whose process has closed it already. The
 * table says of those that nobody has them any more (no inode), and that root owns them, which need not be true.
 */
export function peerUser({ localPort, remotePort }: Ends, tables: readonly string[] = TABLES): number | null {
  const [ours, theirs] = [portText(localPort), portText(remotePort)];
  for (const table of tables) {
    for (const line of linesOf(table)) {
      const [, local = "", remote = "", , , , , uid = "", , inode = "0"] = line.trim().split(/\s+/);
      if (!local.endsWith(theirs) || !remote.endsWith(ours) || !isLoopback(local)) continue;
      return inode === "0" ? null : Number(uid);
    }
  }
  return null;
}

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];
const portText = (port: number): string => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;

/** As the tables write 127.0.0.0/8, also within IPv6, and ::1: each word of the address in the machine's own byte order. */
const isLoopback = (address: string): boolean =>
  /^(?:0{16}(?:0000FFFF|FFFF0000))?[\dA-F]{6}7F:/.test(address) || /^0{24}01000000:/.test(address);

function linesOf(table: string): string[] {
  try {
    return readFileSync(table, "utf8").split("\n").slice(1);
  } catch {
    // Another system.
    return [];
  }
}

/** The server that runs, as the commands of the same machine speak to it: with the owner's key, from its note. */
interface RunningServer {
  readonly url: string;
  readonly key: string;
}

const ASKED_MS = 2_000;
const LARGEST_ANSWER_BYTES = 65_536;

/** The answer's JSON. */
export async function askServer({ url, key }: RunningServer, method: "GET" | "POST", route: string): Promise<unknown> {
  const { status, text } = await exchange(new URL(route, url), { method, headers: { authorization: `Bearer ${key}` } });
  if (status === 200) return JSON.parse(text);
  throw new Failure("unavailable", `The server at ${url} answers ${status}.`, "Stop it by its process number.");
}

async function exchange(address: URL, options: RequestOptions): Promise<{ status: number; text: string }> {
  // The note of a private folder says where it is, so its certificate, often one of its own making, proves nothing more.
  const isEncrypted = address.protocol === "https:";
  const trust = isEncrypted ? { rejectUnauthorized: false } : {};
  const signal = AbortSignal.timeout(ASKED_MS);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const request = (isEncrypted ? requestEncrypted : requestPlain)(
    address,
    { ...options, ...trust, signal },
    (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (text = (text + part).slice(0, LARGEST_ANSWER_BYTES)));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.on("error", reject);
    },
  );
  request.on("error", reject);
  request.end();
  return promise.catch((cause: unknown) => {
    const hint = "It may be starting or stopping; try again.";
    throw new Failure("unavailable", `The server at ${address.origin} does not answer.`, hint, { cause });
  });
}
