/** Takes steps at once. Within a transaction nothing comes in between. Statements are kept by their text. */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { ChangeKind } from "../../journal/change.ts";
import {
  asJson,
  type Ask,
  type Composed,
  composing,
  driven,
  failing,
  type Request,
  type Room,
  type Shape,
  type Steps,
  type Value,
  type Writers,
} from "../sql.ts";
import { type Sync, waiting, type WhenFree } from "./database.ts";
import type { Database } from "./sqlite.ts";

export type Drive = <Answer>(steps: Steps<Answer>) => Answer;

const FORMS: Readonly<Record<Shape, "pluck" | "raw" | "plain">> = {
  rows: "plain",
  row: "plain",
  count: "plain",
  sent: "plain",
  column: "pluck",
  value: "pluck",
  arrays: "raw",
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

interface Kept {
  /** Of templates whose text is always the same: finding a statement by its text costs as much as making the text. */
  byPlace: WeakMap<readonly string[], Statement>;
  byText: Map<string, Statement>;
}

const kept = (): Kept => ({ byPlace: new WeakMap(), byText: new Map() });

function driving(db: Database): Drive {
  const known = { pluck: kept(), raw: kept(), plain: kept() };

  function statementOf({ query, shape }: Ask<unknown>, { text }: Composed): Statement {
    const form = FORMS[shape];
    const { byPlace, byText } = known[form];
    let statement = byText.get(text);
    if (!statement) {
      statement = db.prepare(text);
      if (form !== "plain") statement[form]();
      byText.set(text, statement);
    }
    if (query.isPlain) byPlace.set(query.strings, statement);
    return statement;
  }

  function answer(ask: Ask<unknown>): unknown {
    const { query, shape } = ask;
    let statement = query.isPlain ? known[FORMS[shape]].byPlace.get(query.strings) : undefined;
    let values = query.parts as readonly Value[];
    if (!statement) {
      const composed = compose(query);
      statement = statementOf(ask, composed);
      values = composed.values;
    }
    const bound = values.some(isForeign) ? values.map(bindable) : values;
    if (shape === "row" || shape === "value") return statement.get(bound);
    if (shape === "count" || shape === "sent") return statement.run(bound).changes;
    return statement.all(bound);
  }

  const taken = (asked: Request): unknown => {
    if ("query" in asked) return answer(asked);
    return "work" in asked ? asked.work() : asked.map(answer);
  };

  return (steps) => {
    const walk = steps[Symbol.iterator]();
    let step = walk.next();
    while (!step.done) {
      let answered: unknown;
      try {
        answered = taken(step.value);
      } catch (thrown) {
        step = failing(walk, thrown);
        continue;
      }
      step = walk.next(answered);
    }
    return step.value;
  };
}

const isForeign = (value: Value): boolean => typeof value === "boolean" || Array.isArray(value);
const bindable = (value: Value): string | number | null | Buffer =>
  typeof value === "boolean" ? Number(value) : Array.isArray(value) ? asJson(value) : (value as string);
