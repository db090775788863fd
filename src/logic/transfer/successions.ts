/**
 * Who replaces whom in a file, whether an item or an edge says so.
 *
 * Nothing replaces itself, not even by a long way round, and no two items replace each other: both would vanish.
 */
import type { Edge } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item, LastingScope } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import { circles } from "./circles.ts";

/** Each says what is wrong with the line, or null. */
export interface Successions {
  item(line: Pick<Item, "id" | "supersededBy"> & { scope: LastingScope; shelf: Shelf }): string | null;
  edge(store: LastingScope, edge: Pick<Edge, "shelf" | "source" | "target" | "relation">): string | null;
}

export function successions(): Successions {
  const chains = { project: circles(), global: circles() };
  const known = new Set<string>();
  function both(store: LastingScope, shelf: Shelf, successor: string, replaced: string): string | null {
    const pair = (one: string, two: string) => JSON.stringify([store, shelf, one, two]);
    if (known.has(pair(replaced, successor)))
      return `has ${handleOf(successor)} and ${handleOf(replaced)} replace each other`;
    known.add(pair(successor, replaced));
    return null;
  }
  return {
    item({ scope, shelf, id, supersededBy }) {
      if (supersededBy === null) return null;
      if (!chains[scope].replace(`${shelf} ${id}`, `${shelf} ${supersededBy}`))
        return `has ${shelf} ${handleOf(id)} eventually replace itself`;
      return both(scope, shelf, supersededBy, id);
    },
    edge: (store, { shelf, source, target, relation }) =>
      relation === "supersedes" ? both(store, shelf, source, target) : null,
  };
}
