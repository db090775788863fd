/**
 * Connections to one schema of a Postgres database: several for reading, one at a time for writing.
 *
 * Reads are repeated when a connection was lost. A transaction is repeated too, unless the server may have committed it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { Failure } from "../../../errors.ts";
import { isLost, lockedFailure, translate } from "./failures.ts";
import { type Numbering, type Parameters, numbering, valuesOf } from "./sql.ts";

export interface Statement<Row> {
  all(parameters?: Parameters): Promise<Row[]>;
  get(parameters?: Parameters): Promise<Row | undefined>;
  /** Returns the number of rows that were changed. */
  run(parameters?: Parameters): Promise<number>;
}

/** What readers and writers work with: the statements run on whichever connection is meant. */
export interface Database {
  /** Rows are objects. */
  prepare<Row = never>(sql: string): Statement<Row>;
  /** Rows are arrays. */
  prepareRaw<Row extends unknown[]>(sql: string): Statement<Row>;
  /** Rows are the values of the first column. */
  prepareColumn<Value>(sql: string): Statement<Value>;
  /** Runs any number of statements without parameters. */
  exec(sql: string): Promise<void>;
}

export interface OpenDatabase extends Database {
  /** Runs `work` with statements that all see the same moment. */
  atOneMoment<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction and commits if it returns true. */
  transact(work: (db: Database) => Promise<boolean>, options?: TransactOptions): Promise<void>;
  /** Lets no other transaction begin until the pause is over, except those that go first. */
  holdWay(pause: () => Promise<unknown>): { taken: Promise<void>; released: Promise<void> };
  close(): Promise<void>;
}

export interface TransactOptions {
  /** Gives up at once when another transaction is under way. */
  impatient?: boolean;
  /** Does not wait for whoever holds the way: it is this process. */
  isFirst?: boolean;
}

export interface ConnectionOptions {
  /** As libpq reads it: `postgres://user@host:port/database`. */
  url: string;
  password?: string | undefined;
  schema: string;
  /** How long to wait for the lock of the space, and for a server that cannot be reached. */
  patienceMs?: number | undefined;
  /** How many connections may be open at once. */
  connections?: number | undefined;
}

const PATIENCE_MS = 5_000;
const CONNECTIONS = 4;
const LONGEST_PAUSE_MS = 500;

/** Without parameters the text may hold several statements. */
type Query = (sql: string, parameters?: Parameters, rowMode?: "array") => Promise<Answer>;
interface Answer {
  rows: unknown[];
  rowCount: number | null;
}

export async function openDatabase(options: ConnectionOptions): Promise<OpenDatabase> {
  const { patienceMs = PATIENCE_MS } = options;
  const pool = await createPool(options, patienceMs);
  const number = numbering();
  let isClosed = false;

  const patiently: Patiently = (work, mayRepeat = () => true) =>
    untilConnected(patienceMs, mayRepeat, () => {
      if (isClosed) throw new Failure("unavailable", "The store is closed.", "Open it again.");
      return work();
    });

  async function onClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let lost: Error | undefined;
    try {
      return await work(client);
    } catch (thrown) {
      if (isLost(thrown)) lost = thrown as Error;
      throw thrown;
    } finally {
      client.release(lost);
    }
  }

  return {
    ...statements((sql, parameters, rowMode) =>
      patiently(() => onClient((client) => send(client, number, sql, parameters, rowMode))),
    ),
    atOneMoment: (work) =>
      patiently(() =>
        onClient(async (client) => {
          await client.query("begin transaction isolation level repeatable read read only");
          try {
            return await work(statements((...query) => send(client, number, ...query)));
          } finally {
            await client.query("rollback");
          }
        }),
      ),
    holdWay: (pause) => holding(onClient, pause),
    async transact(work, options = {}) {
      let mayBeDone = false;
      const run = (client: PoolClient) =>
        inTransaction(client, number, work, { ...options, committing: () => (mayBeDone = true) });
      await patiently(
        () => onClient(run),
        () => !mayBeDone,
      );
    },
    async close() {
      isClosed = true;
      await pool.end();
    },
  };
}

/** Tries again while connections are lost; `mayRepeat` says whether that is safe. */
type Patiently = <T>(work: () => Promise<T>, mayRepeat?: () => boolean) => Promise<T>;

async function untilConnected<T>(patienceMs: number, mayRepeat: () => boolean, work: () => Promise<T>): Promise<T> {
  const started = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      if (!isLost(thrown) || !mayRepeat() || Date.now() - started >= patienceMs) throw translate(thrown);
      await sleep(Math.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt));
    }
  }
}

/** One writer at a time in a space: everything a transaction reads stays true until it is committed. */
const LOCK = `hashtextextended(current_schema(), 0)`;
const WAY = `hashtextextended(current_schema(), 1)`;

type OnClient = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

/** Whoever cannot hold the way, because the server is away or others write for too long, goes on without. */
function holding(onClient: OnClient, pause: () => Promise<unknown>): { taken: Promise<void>; released: Promise<void> } {
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  const released = onClient(async (client) => {
    try {
      await client.query(`begin; select pg_advisory_xact_lock(${WAY})`);
      resolve();
      await pause().catch(() => undefined);
    } finally {
      await client.query("rollback");
    }
  });
  return { taken, released: released.catch(() => resolve()) };
}

async function inTransaction(
  client: PoolClient,
  number: Numbering,
  work: (db: Database) => Promise<boolean>,
  { impatient, isFirst, committing }: TransactOptions & { committing: () => void },
): Promise<void> {
  await client.query("begin");
  try {
    if (impatient) {
      const { rows } = await client.query<{ held: boolean }>(`select pg_try_advisory_xact_lock(${LOCK}) as held`);
      if (!rows[0]!.held) throw lockedFailure();
    } else {
      const way = isFirst ? "" : `pg_advisory_xact_lock_shared(${WAY}), `;
      await client.query(`select ${way}pg_advisory_xact_lock(${LOCK})`);
    }
    const isGood = await work(statements((...query) => send(client, number, ...query)));
    if (isGood) committing();
    await client.query(isGood ? "commit" : "rollback");
  } catch (thrown) {
    if (!isLost(thrown)) await client.query("rollback");
    throw thrown;
  }
}

async function send(
  client: PoolClient,
  number: Numbering,
  sql: string,
  parameters?: Parameters,
  rowMode?: "array",
): Promise<Answer> {
  if (parameters === undefined) {
    await client.query(sql);
    return { rows: [], rowCount: null };
  }
  const numbered = number(sql);
  const query = { name: numbered.name, text: numbered.text, values: valuesOf(numbered, parameters) };
  return rowMode ? client.query({ ...query, rowMode }) : client.query(query);
}

function statements(query: Query): Database {
  const statement = <Row>(all: (parameters: Parameters) => Promise<Row[]>, sql: string): Statement<Row> => ({
    all: (parameters = {}) => all(parameters),
    get: async (parameters = {}) => (await all(parameters))[0],
    run: async (parameters = {}) => (await query(sql, parameters)).rowCount ?? 0,
  });
  return {
    prepare: <Row>(sql: string) => statement(async (parameters) => (await query(sql, parameters)).rows as Row[], sql),
    prepareRaw: <Row extends unknown[]>(sql: string) =>
      statement(async (parameters) => (await query(sql, parameters, "array")).rows as Row[], sql),
    prepareColumn: <Value>(sql: string) =>
      statement(async (parameters) => {
        const { rows } = await query(sql, parameters, "array");
        return (rows as [Value][]).map(([value]) => value);
      }, sql),
    exec: async (sql) => void (await query(sql)),
  };
}

const INT8 = 20;
const FLOAT8 = 701;
const NUMERIC = 1700;

async function createPool(
  { url, password, schema, connections }: ConnectionOptions,
  patienceMs: number,
): Promise<Pool> {
  const { default: pg } = await import("pg");
  const numbers = new Set([INT8, FLOAT8, NUMERIC]);
  const pool = new pg.Pool({
    connectionString: url,
    ...(password !== undefined && { password }),
    max: connections ?? CONNECTIONS,
    connectionTimeoutMillis: patienceMs,
    application_name: "stele",
    // An object of our own schema is found before one that somebody else put into another.
    options: `-c search_path="${schema}" -c lock_timeout=${patienceMs} -c jit=off`,
    types: {
      getTypeParser: ((oid: number, format?: "text") =>
        numbers.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  });
  // A connection that is lost fails the query that it was used for, and is replaced when the next one is needed.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}
