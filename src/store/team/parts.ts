/**
 * The two stores of a shared project, and how a read is divided between them.
 *
 * The shelves of files are read here, all others on the server; memories are in both.
 */
import type { Shelf } from "../../memory/shelves.ts";
import type { Filter } from "../../recall/search.ts";
import type { Store } from "../store.ts";
import { saysAway } from "./away.ts";

export interface Parts {
  /** On the server, for everybody. */
  shared: Store;
  /** On this machine, for one person: working memories, notes and the index of files. */
  own: Store;
  /** The project's space on this machine, which the journal names; any when omitted. */
  space?: string | undefined;
}

export const isOfFiles = (shelf: Shelf): boolean => shelf === "document" || shelf === "code";

/** The store of a shelf that is in one of them. */
export const storeOf = (shelf: Shelf, { own, shared }: Parts): Store => (isOfFiles(shelf) ? own : shared);

/** Working memories are never on the server, so whoever wants only them need not ask it. */
export const wantsShared = (shelf: Shelf, { scopes }: Filter): boolean =>
  shelf !== "memory" || !scopes?.every((scope) => scope === "working");

/** Which of these memories are on this machine. */
export async function ownAmong(ids: readonly string[], { own }: Pick<Parts, "own">): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  return new Set((await own.outlines("memory", ids)).map(({ id }) => id));
}

/** Reads by ids, each from the store that has it. */
export async function byIds<T>(
  shelf: Shelf,
  ids: readonly string[],
  parts: Parts,
  read: (store: Store, ids: readonly string[]) => Promise<T[]>,
): Promise<T[]> {
  if (shelf !== "memory") return read(storeOf(shelf, parts), ids);
  const here = await ownAmong(ids, parts);
  const there = ids.filter((id) => !here.has(id));
  return [
    ...(here.size > 0 ? await read(parts.own, [...here]) : []),
    ...(there.length > 0 || here.size === 0 ? await read(parts.shared, there) : []),
  ];
}

/** Reads from every store that may have something. */
export async function fromAll<T>(
  shelf: Shelf,
  parts: Parts,
  read: (store: Store) => Promise<T[]>,
  isShared = true,
): Promise<T[]> {
  const stores = [
    ...(shelf === "memory" || isOfFiles(shelf) ? [parts.own] : []),
    ...(isShared && !isOfFiles(shelf) ? [parts.shared] : []),
  ];
  return (await Promise.all(stores.map(read))).flat();
}

/** A search goes on without a server that is away, which the world's notices tell. Any other failure must be heard. */
export async function unlessAway<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (saysAway(thrown)) return otherwise;
    throw thrown;
  }
}
