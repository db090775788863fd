/**
 * The Postgres server of the tests: the one that `STELE_TEST_POSTGRES` names, or one that is started from the packaged
 * binaries and ends with the tests of this process.
 */
import { after } from "node:test";
import pg from "pg";
import { type PackagedServer, packagedServer } from "./packaged-server.ts";

export interface Server extends Omit<PackagedServer, "end"> {
  /** Does something before the server ends, or, if it is not ours, before the tests do. */
  atEnd(work: () => Promise<void>): void;
}

let running: Promise<Server | null> | undefined;

/** Null where there is neither a server that is named nor one that can be started. */
export const postgresServer = (): Promise<Server | null> => (running ??= namedServer() ?? ownServer());

function namedServer(): Promise<Server> | null {
  const url = process.env["STELE_TEST_POSTGRES"];
  if (!url) return null;
  // Tests end only servers that they have started; of others they end the connections, which is all that clients notice.
  const endConnections = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'stele'`);
    await client.end();
  };
  return Promise.resolve({ url, atEnd: (work) => after(work), kill: endConnections, start: async () => undefined });
}

async function ownServer(): Promise<Server | null> {
  const server = await packagedServer();
  if (server === null) return null;
  const last: (() => Promise<void>)[] = [];
  after(async () => {
    for (const work of last) await work();
    await server.end();
  });
  return { ...server, atEnd: (work) => void last.push(work) };
}
