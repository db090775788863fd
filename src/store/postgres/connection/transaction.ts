/**
 * Transactions: begin, take the lock of the space, work, tell others, commit.
 *
 * Nothing waits for an answer that is not needed: a transaction that reads nothing is one round trip. The first failure
 * is the one that counts, because the server refuses whatever follows it.
 */
import { Failure } from "../../../errors.ts";
import { codeOf, isLost, lockNotAvailable } from "./failures.ts";
import type { Topic } from "./freshness.ts";
import { type Database, type OnClient, type Query, statements } from "./statements.ts";

export interface TransactOptions {
  /** Gives up at once when another transaction is under way. */
  impatient?: boolean;
  /** Does not wait for whoever holds the way: it is this process. */
  isFirst?: boolean;
}

interface Terms extends TransactOptions {
  /** Collects what the transaction changes. */
  topics: Set<Topic>;
  /** Called when the server may commit from now on. */
  committing(): void;
}

/** One writer at a time in a space: everything a transaction reads stays true until it is committed. */
const LOCK = `hashtextextended(current_schema(), 0)`;
const WAY = `hashtextextended(current_schema(), 1)`;

const DIVISION_BY_ZERO = "22012";

/** A lock that is not free must be an error, because statements are sent before anybody knows whether it was. */
const beginning = ({ impatient, isFirst }: TransactOptions): string => {
  if (impatient) return `begin; select 1 / pg_try_advisory_xact_lock(${LOCK})::integer`;
  return `begin; select ${isFirst ? "" : `pg_advisory_xact_lock_shared(${WAY}), `}pg_advisory_xact_lock(${LOCK})`;
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
    throw codeOf(cause) === DIVISION_BY_ZERO && terms.impatient ? lockNotAvailable(cause) : cause;
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
      await client.query(`begin; select pg_advisory_xact_lock(${WAY})`);
      resolve();
      await pause().catch(() => undefined);
    } finally {
      await client.query("rollback");
    }
  });
  return { taken, released: released.catch(() => resolve()) };
}
