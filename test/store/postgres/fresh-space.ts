/**
 * Spaces for tests, each as good as new.
 *
 * Making the tables of a space takes a second, so a few spaces are made once and emptied between tests.
 */
import pg from "pg";
import { openPostgresStore, type PostgresStoreOptions } from "../../../src/store/postgres/store.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Server } from "./server.ts";

type StoreOptions = Pick<PostgresStoreOptions, "clock" | "kind"> & Partial<PostgresStoreOptions>;

export interface Spaces {
  /** An empty space for as long as a test needs it; `open` may be called more than once. */
  take(): Promise<{ schema: string; open(options?: Partial<StoreOptions>): Promise<Store>; giveBack(): Promise<void> }>;
}

/** Empties every table that holds something, without triggers and rules, and puts back what the migrations put there. */
const EMPTY = `
set local session_replication_role = replica;
do $$
declare
  one record;
  is_filled boolean;
begin
  for one in select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
    and relname not in ('schema_version', 'journal_head') and relname not like '%\\_total' loop
    execute format('select exists (select 1 from %I)', one.relname) into is_filled;
    if is_filled then execute format('delete from %I', one.relname); end if;
  end loop;
  for one in select relname from pg_class where relnamespace = current_schema()::regnamespace and relname like '%\\_total' loop
    execute format('update %I set passages = 0, words = 0 where passages <> 0 or words <> 0', one.relname);
  end loop;
  perform setval(oid::regclass, 1, false) from pg_class
  where relnamespace = current_schema()::regnamespace and relkind = 'S';
  update journal_head set length = 0, hash = decode(repeat('00', 32), 'hex');
end $$`;

export function spacesOn(server: Server, defaults: StoreOptions): Spaces {
  const pool = new pg.Pool({ connectionString: server.url, max: 2 });
  const run = `${process.pid.toString(36)}_${Date.now().toString(36)}`;
  const free: string[] = [];
  let made = 0;
  // Tests may end the server.
  pool.on("error", () => undefined);
  server.atEnd(async () => {
    for (let number = 1; number <= made; number += 1)
      await pool.query(`drop schema if exists test_${run}_${number} cascade`);
    await pool.end();
  });

  async function empty(schema: string): Promise<void> {
    const client = await pool.connect();
    try {
      await client.query(`begin; set local search_path = ${schema}; ${EMPTY}; commit`);
    } finally {
      client.release();
    }
  }

  return {
    async take() {
      const schema = free.pop() ?? `test_${run}_${(made += 1)}`;
      const open = (options: Partial<StoreOptions> = {}) =>
        openPostgresStore({ url: server.url, schema, ...defaults, ...options });
      return {
        schema,
        open,
        async giveBack() {
          await empty(schema);
          free.push(schema);
        },
      };
    },
  };
}
