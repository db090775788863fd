/**
 * Compiles statements on first use: a store has hundreds of them, and most processes use a few.
 *
 * Until then a statement only holds its text and the shape of its rows.
 */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { Database } from "./sqlite.ts";

type Shape = "pluck" | "raw" | "expand";

/** Makes `prepare` lazy. An error in a statement shows up on its first use. */
export function prepareLazily(db: Database): void {
  const compile = db.prepare.bind(db) as (sql: string) => Statement;
  db.prepare = ((sql: string) => lazyStatement(() => compile(sql))) as unknown as Database["prepare"];
}

type Runner = (...parameters: unknown[]) => unknown;
type LazyStatement = Record<"run" | "get" | "all" | "iterate", Runner> & Record<Shape, () => LazyStatement>;

function lazyStatement(compile: () => Statement): LazyStatement {
  const shapes: Shape[] = [];
  let compiled: Statement | null = null;
  const statement = (): Statement => {
    if (compiled !== null) return compiled;
    compiled = compile();
    for (const shape of shapes) compiled[shape]();
    return compiled;
  };
  const shaped = (shape: Shape) => () => {
    shapes.push(shape);
    return lazy;
  };
  const lazy: LazyStatement = {
    run: (...parameters) => statement().run(...parameters),
    get: (...parameters) => statement().get(...parameters),
    all: (...parameters) => statement().all(...parameters),
    iterate: (...parameters) => statement().iterate(...parameters),
    ...{ pluck: shaped("pluck"), raw: shaped("raw"), expand: shaped("expand") },
  };
  return lazy;
}
