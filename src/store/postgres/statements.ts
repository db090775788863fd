/** Statements, as readers and writers use them, on whichever connection is meant. */
import type { PoolClient } from "pg";
import type { ChangeKind } from "../../journal/change.ts";
import {
  type Ask,
  composing,
  driven,
  failing,
  type Request,
  type Room,
  type Shape,
  type Steps,
  type Writers,
} from "../sql.ts";
import type { Topic } from "./freshness.ts";

/**
 * Statements with named parameters, as `@name`, for a protocol that numbers them.
 *
 * Each text is read once. Every connection prepares a statement under the same name when it first runs it.
 */
type Value = string | number | boolean | null | Buffer | readonly (string | number | Buffer | null)[];
/** By name, or in the order of their numbers. */
type Given = NamedParameters | readonly Value[];
export type NamedParameters = Readonly<Record<string, Value | undefined>>;

/** Without parameters the text may hold several statements. */
export type Query = (sql: string, parameters?: Given, rowMode?: "array") => Promise<Answer>;
interface Answer {
  rows: unknown[];
  rowCount: number | null;
}

interface Numbered {
  name: string;
  text: string;
  /** The names in the order of their numbers. */
  parameters: readonly string[];
}

type Numbering = (sql: string) => Numbered;

export function numbering(): Numbering {
  const known = new Map<string, Numbered>();
  return (sql) => {
    const found = known.get(sql);
    if (found) return found;
    const parameters: string[] = [];
    const text = sql.replace(/@([a-z]\w*)/gi, (_, name: string) => {
      if (!parameters.includes(name)) parameters.push(name);
      return `$${parameters.indexOf(name) + 1}`;
    });
    const numbered = { name: `stele_${known.size + 1}`, text, parameters };
    known.set(sql, numbered);
    return numbered;
  };
}

/**
 * Values by number. A NUL cannot be part of a text of Postgres; a replacement character stands in for it. Whole numbers
 * have an end there.
 */
const valuesOf = ({ parameters }: Numbered, given: Given): unknown[] =>
  isNumbered(given) ? given.map(storable) : parameters.map((name) => storable(given[name] ?? null));

const isNumbered = (given: Given): given is readonly Value[] => Array.isArray(given);

function storable(value: Value): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  if (value === Infinity) return Number.MAX_SAFE_INTEGER;
  if (value === -Infinity) return Number.MIN_SAFE_INTEGER;
  return Array.isArray(value) ? value.map((one: Value) => storable(one)) : value;
}

/** Takes steps one answer after the other. */
type Drive = <Answer>(steps: Steps<Answer>) => Promise<Answer>;

const compose = composing("postgres");
const AS_ARRAYS: readonly Shape[] = ["column", "value", "arrays"];

export const reading = <Reads extends object>(room: Room<Reads>, { drive }: { drive: Drive }): Reads =>
  driven(room, drive) as Reads;

type Written<Kind extends ChangeKind> = {
  [K in Kind]: (...given: Parameters<Writers<K>[K]>) => Promise<string | null>;
};

export const writing = <Kind extends ChangeKind>(room: Writers<Kind>, { drive }: { drive: Drive }): Written<Kind> =>
  driven<Written<Kind>>(room, drive);

interface Terms {
  query: Query;
  /** Within a transaction: does not wait. */
  send?: Query;
  /** Whatever `work` begins at once shares a connection, and so a round trip. */
  together(work: (query: Query) => Promise<unknown[]>): Promise<unknown[]>;
}

export function driving({ query, send, together }: Terms): Drive {
  async function answer({ query: asked, shape }: Ask<unknown>, run: Query): Promise<unknown> {
    const { text, values } = compose(asked);
    if (shape === "sent" && send) return void send(text, values);
    const { rows, rowCount } = await run(text, values, AS_ARRAYS.includes(shape) ? "array" : undefined);
    if (shape === "count") return rowCount ?? 0;
    if (shape === "row") return rows[0];
    if (shape === "value") return (rows as [unknown][])[0]?.[0];
    return shape === "column" ? (rows as [unknown][]).map(([first]) => first) : rows;
  }
  const taken = (asked: Request): unknown => {
    if ("query" in asked) return answer(asked, query);
    return "work" in asked ? asked.work() : together((run) => Promise.all(asked.map((one) => answer(one, run))));
  };
  return async (steps) => {
    const walk = steps[Symbol.iterator]();
    let step = walk.next();
    while (!step.done) {
      let answered: unknown;
      try {
        answered = await taken(step.value);
      } catch (thrown) {
        step = failing(walk, thrown);
        continue;
      }
      step = walk.next(answered);
    }
    return step.value;
  };
}

export interface Statement<Row> {
  all(parameters?: NamedParameters): Promise<Row[]>;
  get(parameters?: NamedParameters): Promise<Row | undefined>;
  /** Returns the number of rows that were changed. */
  run(parameters?: NamedParameters): Promise<number>;
  /** Within a transaction: does not wait. If it fails, so does the transaction. */
  send(parameters?: NamedParameters): void;
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
type Unwaited = { send: Query; note: Database["note"] };

export function statements(query: Query, { send, note }: Unwaited = { send: outside, note: outside }): Database {
  const statement = <Row>(all: (parameters: NamedParameters) => Promise<Row[]>, sql: string): Statement<Row> => ({
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
