/**
 * SQL as values, and what is asked of a database step by step.
 *
 * A room of the store is written once, as generators: they yield what they ask and are sent the answer. SQLite answers at
 * once, so nothing comes in between; Postgres answers later. What is asked together shares one round trip.
 */
import type { Change, ChangeKind } from "../journal/change.ts";
import type { TransactionOrigin } from "./journal-link.ts";

export type Engine = "sqlite" | "postgres";
/** Lists are JSON in SQLite and arrays in Postgres. */
export type Value = string | number | boolean | null | Buffer | readonly (string | number | null)[];
export type Part = Value | Sql;

export interface Sql {
  readonly strings: readonly string[];
  readonly parts: readonly Part[];
  /** Whether the parts are values only, so that the text is always the same. */
  readonly isPlain: boolean;
  /** What stands in its place in one database and in the other. */
  readonly either: Readonly<Record<Engine, Sql>> | null;
}

type Listed = string | number | null;

const wellFormed = <One extends Listed>(one: One): Listed => (typeof one === "string" ? one.toWellFormed() : one);

/** A list, or rows, as SQLite reads it. Half a character becomes what it becomes where a text is bound by itself. */
export const asJson = (list: readonly (Listed | readonly Listed[])[]): string =>
  JSON.stringify(list.map((one) => (Array.isArray(one) ? one.map(wellFormed) : wellFormed(one as Listed))));

const isSql = (part: Part): part is Sql => typeof part === "object" && part !== null && "strings" in part;

/** Values are bound by their position; SQL within SQL becomes a part of the text. */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  let isPlain = true;
  for (const part of parts) if (isSql(part)) isPlain = false;
  return { strings, parts, isPlain, either: null };
}

/** A text as it is. Never of anything that somebody else has said. */
export const raw = (text: string): Sql => ({ strings: [text], parts: [], isPlain: false, either: null });

export const either = (sqlite: Sql, postgres: Sql): Sql => ({
  strings: [],
  parts: [],
  isPlain: false,
  either: { sqlite, postgres },
});

export function join(all: readonly Sql[], between: string): Sql {
  const strings = ["", ...all.slice(1).map(() => between), ""];
  return all.length === 0 ? raw("") : { strings, parts: all, isPlain: false, either: null };
}

/** Conditions that all hold; those left out are not asked. */
export const allOf = (conditions: readonly (Sql | false | undefined)[]): Sql => {
  const given = conditions.filter((condition) => condition !== false && condition !== undefined);
  return given.length === 0 ? raw("true") : join(given, " and ");
};

export interface Composed {
  text: string;
  values: readonly Value[];
}

/** Text and values for one database. Texts that are always the same are made once. */
export function composing(engine: Engine): (query: Sql) => Composed {
  const plain = new WeakMap<readonly string[], string>();
  const mark = engine === "sqlite" ? () => "?" : (values: readonly Value[]) => `$${values.length}`;
  function write(query: Sql, values: Value[]): string {
    if (query.either) return write(query.either[engine], values);
    let text = query.strings[0]!;
    for (let index = 0; index < query.parts.length; index += 1) {
      const part = query.parts[index]!;
      if (isSql(part)) text += write(part, values);
      else {
        values.push(part);
        text += mark(values);
      }
      text += query.strings[index + 1]!;
    }
    return text;
  }
  return (query) => {
    const known = query.isPlain ? plain.get(query.strings) : undefined;
    if (known !== undefined) return { text: known, values: query.parts as readonly Value[] };
    const values: Value[] = [];
    const text = write(query, values);
    if (query.isPlain) plain.set(query.strings, text);
    return { text, values };
  };
}

/** How a statement is answered; `sent` has no answer, and a transaction on Postgres does not wait for it. */
export type Shape = "rows" | "row" | "column" | "value" | "arrays" | "count" | "sent";

export interface Steps<Answer> {
  [Symbol.iterator](): Iterator<Request, Answer, unknown>;
}

export interface Ask<Answer> extends Steps<Answer> {
  readonly query: Sql;
  readonly shape: Shape;
  /** Makes of an answer what it stands for. */
  read(answer: unknown): Answer;
}

/** One statement, several that need not wait for each other, or something that is done elsewhere. */
export type Request = Ask<unknown> | readonly Ask<unknown>[] | Elsewhere;
interface Elsewhere {
  work(): unknown;
}

function* once(this: Ask<unknown>): Generator<Request, unknown, unknown> {
  return this.read(yield this);
}

const asIs = (answer: unknown): unknown => answer;

const ask = <Answer>(
  query: Sql,
  shape: Shape,
  read: (answer: never) => Answer = asIs as () => Answer,
): Ask<Answer> => ({
  query,
  shape,
  read: read as (answer: unknown) => Answer,
  [Symbol.iterator]: once as () => Generator<Request, Answer, unknown>,
});

export const rows = <Row>(query: Sql): Ask<Row[]> => ask(query, "rows");
/** Each row as the value that it stands for. */
export const rowsAs = <Row, One>(toOne: (row: Row) => One, query: Sql): Ask<One[]> =>
  ask(query, "rows", (found: Row[]) => found.map(toOne));
export const row = <Row>(query: Sql): Ask<Row | undefined> => ask(query, "row");
/** The first column. */
export const column = <One>(query: Sql): Ask<One[]> => ask(query, "column");
/** The first column of the first row; null if there is none. */
export const value = <One>(query: Sql): Ask<One | null> =>
  ask(query, "value", (found: One | null | undefined) => found ?? null);
export const arrays = <Row extends unknown[]>(query: Sql): Ask<Row[]> => ask(query, "arrays");
/** How many rows were changed. */
export const count = (query: Sql): Ask<number> => ask(query, "count");

/** Statements within a transaction of which nothing is to be known. If one fails, so does the transaction. */
export function* send(...queries: readonly Sql[]): Generator<Request, void, unknown> {
  for (const query of queries) yield ask(query, "sent");
}

/** Waits for what is not written as steps, where it has to be waited for. */
export function* elsewhere<Answer>(work: () => Answer | Promise<Answer>): Generator<Request, Answer, unknown> {
  return (yield { work }) as Answer;
}

/** What is asked in one round trip, in this order. */
export function* together<const Asks extends readonly Ask<unknown>[]>(
  ...asks: Asks
): Generator<
  Request,
  { -readonly [Index in keyof Asks]: Asks[Index] extends Ask<infer Answer> ? Answer : never },
  unknown
> {
  const answers = (yield asks) as readonly unknown[];
  return asks.map((one, index) => one.read(answers[index])) as never;
}

/** The step after one that failed: whoever asked may know what to do. */
export function failing<Answer>(walk: Iterator<Request, Answer>, thrown: unknown): IteratorResult<Request, Answer> {
  if (walk.throw) return walk.throw(thrown);
  throw thrown;
}

/** The reads of a port, as steps. */
export type Room<Reads> = {
  [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Steps<Answer>
    : never;
};

/** Writes each kind of change. Null when its expectation held, else the reason it did not. */
export type Writers<Kind extends ChangeKind> = {
  [K in Kind]: (change: Extract<Change, { kind: K }>, transaction: TransactionOrigin) => Steps<string | null>;
};

/** The same functions, but `drive` takes their steps; what they return then is for the caller to say. */
export const driven = <Functions>(room: object, drive: (steps: Steps<unknown>) => unknown): Functions =>
  Object.fromEntries(
    Object.entries(room as Record<string, (...given: unknown[]) => Steps<unknown>>).map(([name, work]) => [
      name,
      (...given: unknown[]) => drive(work(...given)),
    ]),
  ) as Functions;
