/** Takes steps one answer after the other. */
import type { ChangeKind } from "../../../model/journal/change.ts";
import {
  type Ask,
  type Request,
  type Room,
  type Shape,
  type Steps,
  type Writers,
  composing,
  driven,
  failing,
} from "../../sql.ts";
import type { Query } from "./sql.ts";

export type Drive = <Answer>(steps: Steps<Answer>) => Promise<Answer>;

const compose = composing("postgres");
const AS_ARRAYS: readonly Shape[] = ["column", "value", "arrays"];

export const reading = <Reads extends object>(room: Room<Reads>, { drive }: { drive: Drive }): Reads =>
  driven(room, drive) as Reads;

type Written<Kind extends ChangeKind> = {
  [K in Kind]: (...given: Parameters<Writers<K>[K]>) => Promise<string | null>;
};

export const writing = <Kind extends ChangeKind>(room: Writers<Kind>, { drive }: { drive: Drive }): Written<Kind> =>
  driven<Written<Kind>>(room, drive);

export interface Terms {
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
