/**
 * Compiles statements on first use: a store has hundreds of them, and most processes use a few.
 *
 * Until then a statement only holds its text and the shape of its rows.
 */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { Database } from "./sqlite.ts";

/** Makes `prepare` lazy. An error in a statement shows up on its first use. */
export function prepareLazily(db: Database): void {
  const compile = db.prepare.bind(db) as (sql: string) => Statement;
  db.prepare = ((sql: string) => ({
    __proto__: METHODS,
    sql,
    compile,
    shapes: null,
    compiled: null,
  })) as unknown as Database["prepare"];
}

type Shape = "pluck" | "raw" | "expand";

interface Lazy {
  sql: string;
  compile(sql: string): Statement;
  shapes: Shape[] | null;
  compiled: Statement | null;
}

/** Shared by all statements, because closures for each of them would slow down every command; so none can be detached from its statement. */
const METHODS = {
  run(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).run(...parameters);
  },
  get(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).get(...parameters);
  },
  all(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).all(...parameters);
  },
  iterate(this: Lazy, ...parameters: unknown[]) {
    return statementOf(this).iterate(...parameters);
  },
  pluck(this: Lazy) {
    return withShape(this, "pluck");
  },
  raw(this: Lazy) {
    return withShape(this, "raw");
  },
  expand(this: Lazy) {
    return withShape(this, "expand");
  },
};

function withShape(lazy: Lazy, shape: Shape): Lazy {
  (lazy.shapes ??= []).push(shape);
  return lazy;
}

function statementOf(lazy: Lazy): Statement {
  if (lazy.compiled !== null) return lazy.compiled;
  const compiled = lazy.compile(lazy.sql);
  for (const shape of lazy.shapes ?? []) compiled[shape]();
  lazy.compiled = compiled;
  return compiled;
}
