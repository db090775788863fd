/**
 * Connections to one schema of a Postgres database: several for reading, one at a time for writing.
 *
 * Statements that are sent without waiting for each other share a round trip. Reads are repeated when a connection was
 * lost. A transaction is repeated too, unless the server may have committed it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { Failure } from "../../errors.ts";
import { isLost, leavesOpen, translate, unknownOutcome } from "./failures.ts";
import { type Freshness, freshnessOn, type Topic } from "./freshness.ts";
import { type Database, driving, numbering, type OnClient, type Query, sending, statements } from "./statements.ts";

/**
 * Transactions: begin, take the lock of the space, work, tell others, commit.
 *
 * Nothing waits for an answer that is not needed: a transaction that reads nothing is one round trip. The first failure
 * is the one that counts, because the server refuses whatever follows it.
 */
interface TransactOptions {
  /** Gives up at once when another transaction is under way. */
  impatient?: boolean;
  /** Rolls back what is good as well. */
  dryRun?: boolean | undefined;
  /** Does not wait for whoever holds the way: it is this process. */
  isFirst?: boolean;
  /** Takes another lock than that of the space, whose tables may not be there yet. */
  lockSql?: string;
}

interface Terms extends TransactOptions {
  /** Collects what the transaction changes. */
  topics: Set<Topic>;
  /** Called when the server may commit from now on. */
  committing(): void;
}

/**
 * One writer at a time in a space: everything a transaction reads stays true until it is committed. Locks of rows and tables
 * need rights to them. An advisory lock needs none, so any login of the database could keep everybody from writing.
 */
const LOCK = `select from journal_head where one = 1 for update`;
const WAY = `lock table right_of_way in`;

/** A lock that is not free must be an error, because statements are sent before anybody knows whether it was. */
const beginning = ({ impatient, isFirst, lockSql }: TransactOptions): string => {
  if (lockSql !== undefined) return `begin; ${lockSql}`;
  if (impatient) return `begin; ${LOCK} nowait`;
  return `begin; ${isFirst ? "" : `${WAY} row share mode; `}${LOCK}`;
};

async function inTransaction(query: Query, work: (db: Database) => Promise<boolean>, terms: Terms): Promise<void> {
  const failures: unknown[] = [];
  const sent: Promise<unknown>[] = [];
  // Answers come in the order of the statements, so the first failure is the cause of the others.
  const noting: Query = async (...statement) => {
    try {
      return await query(...statement);
    } catch (thrown) {
      failures.push(thrown);
      throw thrown;
    }
  };
  const send: Query = (...statement) => {
    const answer = noting(...statement);
    sent.push(answer.catch(() => undefined));
    return answer.catch(() => ({ rows: [], rowCount: null }));
  };
  const note = (topic: Topic) => void terms.topics.add(topic);
  const begun = send(beginning(terms));
  try {
    const isGood = await work(statements(noting, { send, note }));
    const isKept = isGood && !terms.dryRun;
    if (isKept) {
      if (terms.topics.size > 0) void send(NOTIFY, { topics: [...terms.topics].join("\n") });
      terms.committing();
    } else terms.topics.clear();
    void send(isKept ? "commit" : "rollback");
    await Promise.all([begun, ...sent]);
    // What was refused may have failed as well.
    const failure = isGood ? failures[0] : failures.find(isLost);
    if (failure !== undefined) throw failure;
  } catch (thrown) {
    // A failure of our own says more than what the server refused afterwards.
    const cause = thrown instanceof Failure ? thrown : (failures[0] ?? thrown);
    if (!isLost(cause)) await query("rollback");
    throw cause;
  }
}

/** The channel is named like the schema. */
const NOTIFY = `select pg_notify(current_schema(), @topics)`;

/** Whoever cannot hold the way, because the server is away or others write for too long, goes on without. */
function holdWay(onClient: OnClient, pause: () => Promise<unknown>): { taken: Promise<void>; released: Promise<void> } {
  const { promise: taken, resolve } = Promise.withResolvers<void>();
  const released = onClient(async (client) => {
    try {
      await client.query(`begin; ${WAY} exclusive mode`);
      resolve();
      await pause().catch(() => undefined);
    } finally {
      await client.query("rollback");
    }
  });
  return { taken, released: released.catch(() => resolve()) };
}

export type { Database, Statement } from "./statements.ts";

export interface OpenDatabase extends Database, Pick<Freshness, "kept"> {
  /** Runs `work` with statements that all see the same moment. */
  atOneMoment<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction and commits if it returns true, unless that is only tried. */
  transact(work: (db: Database) => Promise<boolean>, options?: TransactOptions): Promise<void>;
  /** Lets no other transaction begin until the pause is over, except those that go first. */
  holdWay(pause: () => Promise<unknown>): { taken: Promise<void>; released: Promise<void> };
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** As libpq reads it: `postgres://user@host:port/database`. */
  url: string;
  password?: string | undefined;
  /** Null, or left out, if the connection is not encrypted; else the authority that signs the server's certificate. */
  tls?: { ca: string | null } | null | undefined;
  /** Who one says to be, in the journal. */
  author?: string | null | undefined;
  /** Objects are made as this role, which then owns them; the user of the URL when omitted. */
  actsAs?: string | undefined;
  schema: string;
  /** How long to wait for the lock of the space, and for a server that cannot be reached. */
  patienceMs?: number | undefined;
  /** How many connections may be open at once. */
  connections?: number | undefined;
  /** Whether one more connection is kept to hear what others change. Only a process that lives on gains by it. */
  listens?: boolean | undefined;
}

const PATIENCE_MS = 5_000;
const CONNECTIONS = 4;
const LONGEST_PAUSE_MS = 500;

export async function openDatabase(options: ConnectionOptions): Promise<OpenDatabase> {
  const { patienceMs = PATIENCE_MS, schema } = options;
  const pool = await createPool(options, patienceMs);
  const number = numbering();
  let isClosed = false;

  const patiently: Patiently = (work, mayRepeat = () => true) =>
    untilConnected(patienceMs, mayRepeat, () => {
      if (isClosed) throw new Failure("unavailable", "The store is closed.", "Open it again.");
      return work();
    });
  const onClient: OnClient = (work) => withClient(pool, work);
  const onOne = <T>(work: (db: Database) => Promise<T>) =>
    patiently(() => onClient((client) => work(statements(sending(client, number)))));
  const freshness = freshnessOn({ connect: () => pool.connect(), channel: schema, patienceMs });
  if (options.listens) freshness.listen();

  const query: Query = (...statement) => patiently(() => onClient((client) => sending(client, number)(...statement)));
  return {
    ...statements(query),
    drive: driving({ query, together: (work) => patiently(() => onClient((client) => work(sending(client, number)))) }),
    together: onOne,
    kept: freshness.kept,
    atOneMoment: (work) =>
      onOne(async (db) => {
        const begun = db.exec("begin transaction isolation level repeatable read read only");
        try {
          return (await Promise.all([work(db), begun]))[0];
        } finally {
          await db.exec("rollback");
        }
      }),
    holdWay: (pause) => holdWay(onClient, pause),
    async transact(work, transactOptions = {}) {
      let mayBeDone = false;
      const topics = new Set<Topic>();
      const run = (client: PoolClient) => {
        topics.clear();
        const terms = { ...transactOptions, topics, committing: () => (mayBeDone = true) };
        return inTransaction(sending(client, number), work, terms);
      };
      try {
        await patiently(
          () => onClient(run),
          () => !mayBeDone,
        );
      } catch (thrown) {
        const cause = thrown instanceof Failure ? thrown.cause : thrown;
        throw mayBeDone && leavesOpen(cause) ? unknownOutcome(cause) : thrown;
      } finally {
        // Own changes are known before the server tells.
        freshness.changed(topics);
      }
    },
    async close() {
      isClosed = true;
      freshness.close();
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

async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
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

const INT8 = 20;
const FLOAT8 = 701;
const NUMERIC = 1700;

/** An option of the driver that its types do not know: statements are sent before earlier ones are answered. */
const PIPELINED: object = { pipeline: true };

/**
 * Every statement is planned once, without its values, and walks indexes. Planning takes longer than most of them, and
 * what it knows of a new table is too little to choose well: it would read all of it.
 */
const PLANNING = {
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  max_parallel_workers_per_gather: "0",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** Spaces and backslashes end a value unless they are escaped. */
const optionsOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replace(/[\s\\]/g, "\\$&")}`)
    .join(" ");

async function createPool(
  { url, password, tls, author, actsAs, schema, connections, listens }: ConnectionOptions,
  patienceMs: number,
): Promise<Pool> {
  const { default: pg } = await import("pg");
  const numbers = new Set([INT8, FLOAT8, NUMERIC]);
  const pool = new pg.Pool({
    connectionString: withPassword(url, password),
    ...PIPELINED,
    // Said explicitly, so that no variable of the environment weakens it.
    ssl: tls ? { rejectUnauthorized: true, ...(tls.ca !== null && { ca: tls.ca }) } : false,
    max: (connections ?? CONNECTIONS) + (listens ? 1 : 0),
    connectionTimeoutMillis: patienceMs,
    application_name: "stele",
    // An object of our own schema is found before one that somebody else put into another.
    options: optionsOf({
      search_path: `"${schema}"`,
      lock_timeout: String(patienceMs),
      ...PLANNING,
      ...(author && { "stele.author": author }),
      ...(actsAs !== undefined && { role: actsAs }),
    }),
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

/** The driver prefers what the address says to what stands beside it, even if it says nothing. */
function withPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const address = new URL(url);
  address.password = encodeURIComponent(password);
  return address.href;
}
