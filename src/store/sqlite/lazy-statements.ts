/**
 * Statements are compiled when they are first used: a store has hundreds of them, and most processes use a few.
 *
 * After its first use a statement is SQLite's own; until then it only remembers its text and how rows are wanted.
 */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { Database } from "./sqlite.ts";

type Shape = "pluck" | "raw" | "expand";
const RUNNERS = ["run", "get", "all", "iterate"] as const;

/** From now on `prepare` compiles nothing by itself. What is wrong with a statement is found by its first use. */
export function prepareLazily(db: Database): void {
  const compile = db.prepare.bind(db) as (sql: string) => Statement;
  db.prepare = ((sql: string) => lazyStatement(() => compile(sql))) as unknown as Database["prepare"];
}

type Runner = (...parameters: unknown[]) => unknown;
type LazyStatement = Record<(typeof RUNNERS)[number], Runner> & Record<Shape, () => LazyStatement>;

function lazyStatement(compile: () => Statement): LazyStatement {
  const shapes: Shape[] = [];
  const compiled = (): Statement => {
    const statement = compile();
    for (const shape of shapes) statement[shape]();
    for (const name of RUNNERS) lazy[name] = statement[name].bind(statement) as Runner;
    return statement;
  };
  const shaped = (shape: Shape) => () => {
    shapes.push(shape);
    return lazy;
  };
  const lazy = {
    ...(Object.fromEntries(
      RUNNERS.map((name) => [name, (...parameters: unknown[]) => (compiled()[name] as Runner)(...parameters)]),
    ) as Record<(typeof RUNNERS)[number], Runner>),
    ...{ pluck: shaped("pluck"), raw: shaped("raw"), expand: shaped("expand") },
  };
  return lazy;
}
