/** Makes plain reading functions of a connection wait while another process holds the file. */
import type { WhenFree } from "./database.ts";

/** The same reads without the waiting. */
export type Sync<Reads> = {
  [Name in keyof Reads]: Reads[Name] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never;
};

export function waiting<Reads extends object>(reads: Sync<Reads>, whenFree: WhenFree): Reads {
  const each = Object.entries<(...given: unknown[]) => unknown>(reads as never);
  return Object.fromEntries(
    each.map(([name, read]) => [name, (...given: unknown[]) => whenFree(() => read(...given))]),
  ) as Reads;
}

export { perShelf } from "../../rows/items/per-shelf.ts";
