/** Statements, as readers and writers use them, on whichever connection is meant. */
import type { PoolClient } from "pg";
import type { Topic } from "./freshness.ts";
import { type Drive, driving } from "./drive.ts";
import { type Numbering, type Parameters, type Query, valuesOf } from "./sql.ts";

export interface Statement<Row> {
  all(parameters?: Parameters): Promise<Row[]>;
  get(parameters?: Parameters): Promise<Row | undefined>;
  /** Returns the number of rows that were changed. */
  run(parameters?: Parameters): Promise<number>;
  /** Within a transaction: does not wait. If it fails, so does the transaction. */
  send(parameters?: Parameters): void;
}

/** What readers and writers work with: the statements run on whichever connection is meant. */
export interface Database {
  /** Rows are objects. */
  prepare<Row = never>(sql: string): Statement<Row>;
  /** Rows are arrays. */
  prepareRaw<Row extends unknown[]>(sql: string): Statement<Row>;
  /** Rows are the values of the first column. */
  prepareColumn<Value>(sql: string): Statement<Value>;
  /** Takes the steps of a room that is written once for both databases. */
  drive: Drive;
  /** Runs any number of statements without parameters. */
  exec(sql: string): Promise<void>;
  /** Within a transaction: says what it changes, so that others learn of it once it is committed. */
  note(topic: Topic): void;
  /** Statements that `work` begins at once share a round trip. */
  together<T>(work: (db: Database) => Promise<T>): Promise<T>;
}

export type OnClient = <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>;

/** Statements with parameters are prepared under a name once for each connection. */
export const sending =
  (client: PoolClient, number: Numbering): Query =>
  async (sql, parameters, rowMode) => {
    if (parameters === undefined) {
      await client.query(sql);
      return { rows: [], rowCount: null };
    }
    const numbered = number(sql);
    const query = { name: numbered.name, text: numbered.text, values: valuesOf(numbered, parameters) };
    return rowMode ? client.query({ ...query, rowMode }) : client.query(query);
  };

const outside = (): never => {
  throw new Error("This is possible within a transaction only.");
};

/** What a transaction adds: statements that nobody waits for, and what is told to others. */
export type Unwaited = { send: Query; note: Database["note"] };

export function statements(query: Query, { send, note }: Unwaited = { send: outside, note: outside }): Database {
  const statement = <Row>(all: (parameters: Parameters) => Promise<Row[]>, sql: string): Statement<Row> => ({
    all: (parameters = {}) => all(parameters),
    get: async (parameters = {}) => (await all(parameters))[0],
    run: async (parameters = {}) => (await query(sql, parameters)).rowCount ?? 0,
    send: (parameters = {}) => void send(sql, parameters),
  });
  const db: Database = {
    prepare: <Row>(sql: string) => statement(async (parameters) => (await query(sql, parameters)).rows as Row[], sql),
    prepareRaw: <Row extends unknown[]>(sql: string) =>
      statement(async (parameters) => (await query(sql, parameters, "array")).rows as Row[], sql),
    prepareColumn: <Value>(sql: string) =>
      statement(async (parameters) => {
        const { rows } = await query(sql, parameters, "array");
        return (rows as [Value][]).map(([value]) => value);
      }, sql),
    drive: driving({ query, send, together: (work) => work(query) }),
    exec: async (sql) => void (await query(sql)),
    note,
    together: (work) => work(db),
  };
  return db;
}
