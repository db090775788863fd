/** Takes steps at once. Within a transaction nothing comes in between. Statements are kept by their text. */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { ChangeKind } from "../../../model/journal/change.ts";
import { type Ask, type Room, type Shape, type Steps, type Value, type Writers, composing, driven } from "../../sql.ts";
import type { WhenFree } from "./database.ts";
import { type Sync, waiting } from "./reads.ts";
import type { Database } from "./sqlite.ts";

export type Drive = <Answer>(steps: Steps<Answer>) => Answer;

const FORMS: Readonly<Record<Shape, "pluck" | "raw" | null>> = {
  ...{ rows: null, row: null, count: null, sent: null },
  ...{ column: "pluck", value: "pluck", arrays: "raw" },
};
const compose = composing("sqlite");

/** One for each connection, so that all that work on it share its statements. */
const drives = new WeakMap<Database, Drive>();

export function driveOn(db: Database): Drive {
  const found = drives.get(db);
  if (found) return found;
  const made = driving(db);
  drives.set(db, made);
  return made;
}

/** Reads of a room, each of which waits while another process holds the file. */
export const reading = <Reads extends object>(room: Room<Reads>, db: Database, whenFree: WhenFree): Reads =>
  waiting(driven<Sync<Reads>>(room, driveOn(db)), whenFree);

type Written<Kind extends ChangeKind> = {
  [K in Kind]: (...given: Parameters<Writers<K>[K]>) => string | null;
};

export const writing = <Kind extends ChangeKind>(room: Writers<Kind>, db: Database): Written<Kind> =>
  driven<Written<Kind>>(room, driveOn(db));

function driving(db: Database): Drive {
  const known = { pluck: new Map<string, Statement>(), raw: new Map<string, Statement>() };
  const plain = new Map<string, Statement>();

  function statementOf(text: string, shape: Shape): Statement {
    const form = FORMS[shape];
    const kept = form === null ? plain : known[form];
    const found = kept.get(text);
    if (found) return found;
    const statement = db.prepare(text);
    if (form !== null) statement[form]();
    kept.set(text, statement);
    return statement;
  }

  function answer({ query, shape }: Ask<unknown>): unknown {
    const { text, values } = compose(query);
    const statement = statementOf(text, shape);
    const bound = values.map(bindable);
    if (shape === "row" || shape === "value") return statement.get(bound);
    if (shape === "count" || shape === "sent") return statement.run(bound).changes;
    return statement.all(bound);
  }

  return (steps) => {
    const walk = steps[Symbol.iterator]();
    let step = walk.next();
    while (!step.done) {
      const asked = step.value;
      step = walk.next("query" in asked ? answer(asked) : asked.map(answer));
    }
    return step.value;
  };
}

const bindable = (value: Value): string | number | null | Buffer =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? JSON.stringify(value) : (value as string);
