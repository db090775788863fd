/**
 * Transactions: begin, take the lock of the space, work, tell others, commit.
 *
 * Nothing waits for an answer that is not needed: a transaction that reads nothing is one round trip. The first failure
 * is the one that counts, because the server refuses whatever follows it.
 */
import { Failure } from "../../../errors.ts";
import { isLost } from "./failures.ts";
import type { Topic } from "./freshness.ts";
import type { Query } from "./sql.ts";
import { type Database, type OnClient, statements } from "./statements.ts";

export interface TransactOptions {
  /** Gives up at once when another transaction is under way. */
  impatient?: boolean;
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

export async function inTransaction(
  query: Query,
  work: (db: Database) => Promise<boolean>,
  terms: Terms,
): Promise<void> {
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
    if (isGood) {
      if (terms.topics.size > 0) void send(NOTIFY, { topics: [...terms.topics].join("\n") });
      terms.committing();
    } else terms.topics.clear();
    void send(isGood ? "commit" : "rollback");
    await Promise.all([begun, ...sent]);
    // What is rolled back anyway may have failed.
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
export function holdWay(
  onClient: OnClient,
  pause: () => Promise<unknown>,
): { taken: Promise<void>; released: Promise<void> } {
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
