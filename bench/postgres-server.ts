/** The Postgres server of a bench: the one that STELE_TEST_POSTGRES names, or one from the packaged binaries. */
import pg from "pg";
import { openPostgresStore } from "../src/store/postgres/store.ts";
import type { Store } from "../src/store/store.ts";
import type { Clock } from "../src/world.ts";
import { packagedServer } from "../test/store/postgres/packaged-server.ts";

export interface BenchServer {
  url: string;
  /** A store that lives as long as a server of ours does; `url` may lead there by a detour. */
  open(name: string, clock: Clock, url?: string): Promise<Store>;
  /** Does what the server does by itself soon after many writes. */
  tidy(name: string): Promise<void>;
  schemaOf(name: string): string;
  /** Removes every store, and ends the server if it was started here. */
  end(): Promise<void>;
}

/** Null where there is no server. */
export async function benchServer(): Promise<BenchServer | null> {
  const named = process.env["STELE_TEST_POSTGRES"];
  const server = named ? { url: named, end: async () => undefined } : await packagedServer();
  if (!server) return null;
  const schemas = new Set<string>();
  const schemaOf = (name: string) => `bench_${process.pid}_${name}`;

  async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: server!.url });
    await client.connect();
    return work(client).finally(() => client.end());
  }

  return {
    url: server.url,
    schemaOf,
    open(name, clock, url = server.url) {
      schemas.add(schemaOf(name));
      return openPostgresStore({ url, schema: schemaOf(name), kind: "project", clock, listens: true });
    },
    tidy: (name) =>
      withClient(async (client) => {
        const { rows } = await client.query<{ table: string }>(
          `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = $1`,
          [schemaOf(name)],
        );
        for (const { table } of rows) await client.query(`vacuum analyze ${table}`);
      }),
    async end() {
      await withClient(async (client) => {
        for (const schema of schemas) await client.query(`drop schema if exists ${schema} cascade`);
      });
      await server.end();
    },
  };
}
