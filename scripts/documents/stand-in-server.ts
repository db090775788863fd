/**
 * A Postgres server in place of the one that a document starts with `docker compose`, where no engine can run it.
 *
 * The server is a real one, from the packaged binaries, and wants a password as the other would. Only the engine and the
 * file of compose stay untried. This file is also the program that then runs as `docker`: it understands what documents
 * say of compose and nothing else.
 */
import { fileURLToPath } from "node:url";
import pg from "pg";
import { packagedServer } from "../../test/store/postgres/packaged-server.ts";

export interface StandIn {
  port: string;
  /** The command that runs in place of `docker`. */
  command: string[];
  end(): Promise<void>;
}

export async function standInServer(): Promise<StandIn> {
  const server = await packagedServer();
  if (server === null) throw new Error("No Postgres is packaged for this system.");
  const command = [process.execPath, fileURLToPath(import.meta.url), server.url];
  return { port: new URL(server.url).port, command, end: () => server.end() };
}

/** What compose would do, on the server that runs already. */
async function standInFor(words: readonly string[], admin: string): Promise<void> {
  const said = words.join(" ");
  const psql = /^compose exec --no-TTY postgres psql --username (\w+) (\w+) --command (.+)$/s.exec(said);
  if (psql) await run(psql[3]!, addressOf(admin, psql[1]!, psql[2]!));
  else if (said === "compose up --detach --wait") await prepare(admin);
  else if (said !== "compose down --volumes") throw new Error(`Nothing stands in for docker ${said}`);
}

/** As the image does: a manager with the password of the environment, and a database. */
async function prepare(admin: string): Promise<void> {
  const password = pg.escapeLiteral(process.env["STELE_TEAM_PASSWORD"]!);
  await run(`create role postgres superuser login password ${password}`, admin);
  await run("create database stele owner postgres", admin);
  const own = new URL(admin).username;
  const lines = [`host all ${own} 127.0.0.1/32 trust`, "host all all 127.0.0.1/32 scram-sha-256"];
  const rows = lines.map((line) => `(${pg.escapeLiteral(line)})`).join(", ");
  await run(
    `do $$ begin execute format('copy (values ${rows.replaceAll("'", "''")}) to %L', current_setting('hba_file')); end $$`,
    admin,
  );
  await run("select pg_reload_conf()", admin);
  // The server reads its file a moment later.
  while (await isOpen(addressOf(admin, "postgres", "stele", "")));
}

function addressOf(admin: string, user: string, database: string, password = process.env["STELE_TEAM_PASSWORD"]!) {
  const address = new URL(admin);
  Object.assign(address, { username: user, password, pathname: `/${database}` });
  return address.href;
}

async function run(sql: string, address: string): Promise<void> {
  const client = new pg.Client(address);
  try {
    await client.connect();
    await client.query(sql);
  } finally {
    // One that was refused, too: it stays connected otherwise, for as long as a server waits for a password.
    await client.end();
  }
}

const isOpen = (address: string): Promise<boolean> =>
  run("select 1", address).then(
    () => true,
    () => false,
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , admin, ...words] = process.argv;
  await standInFor(words, admin!);
}
