/**
 * The links that a dry run makes, kept beside the store, which rolls them back: how many are linked next depends on them.
 */
import type { Change } from "../model/journal/change.ts";
import type { Edge } from "../model/memory/edge.ts";
import type { EdgeReads } from "../ports/store/edges.ts";

type Linking = Extract<Change, { kind: "link_memories" }>;

export interface DryRunLinks {
  reads: Pick<EdgeReads, "edgesOf" | "unlinked" | "unlinkedAmong">;
  /** The changes as the store can check them: for the store, the mark never moves. */
  asStored(changes: readonly Change[]): Change[];
  /** Called when they would have been written. */
  note(changes: readonly Change[]): Promise<void>;
}

export function dryRunLinks(store: EdgeReads): DryRunLinks {
  /** Where the store's mark was and where it would be. */
  let mark: { stored: number; now: number } | null = null;
  const [removed, made] = [edgeSet(), edgeSet()];

  async function link({ after, upTo, removed: ids, made: added }: Linking): Promise<void> {
    mark = { stored: mark?.stored ?? after, now: upTo };
    for (const edge of await store.edges("memory", ids)) removed.add(edge);
    for (const id of ids) made.delete(id);
    for (const edge of added) made.add(edge);
  }

  return {
    reads: {
      async edgesOf(shelf, ids, query) {
        const stored = await store.edgesOf(shelf, ids, query);
        if (!mark || shelf !== "memory" || query.made === false) return stored;
        return [...stored.filter((edge) => !removed.has(edge)), ...new Set(ids.flatMap(made.touching))];
      },
      unlinked: (limit) => store.unlinked(limit, mark?.now),
      unlinkedAmong: store.unlinkedAmong,
    },
    asStored: (changes) =>
      changes.map((change) =>
        change.kind === "link_memories" && change.after === mark?.now ? { ...change, after: mark.stored } : change,
      ),
    async note(changes) {
      for (const change of changes) if (change.kind === "link_memories") await link(change);
    },
  };
}

interface EdgeSet {
  add(edge: Edge): void;
  delete(id: string): void;
  has(edge: Edge): boolean;
  touching(id: string): Edge[];
}

/** Edges, found by either end. */
function edgeSet(): EdgeSet {
  const byId = new Map<string, Edge>();
  const byEnd = new Map<string, Map<string, Edge>>();
  return {
    add(edge) {
      byId.set(edge.id, edge);
      for (const end of [edge.source, edge.target])
        byEnd.set(end, (byEnd.get(end) ?? new Map<string, Edge>()).set(edge.id, edge));
    },
    delete(id) {
      const edge = byId.get(id);
      if (edge) for (const end of [edge.source, edge.target]) byEnd.get(end)?.delete(id);
      byId.delete(id);
    },
    has: ({ id }) => byId.has(id),
    touching: (id) => [...(byEnd.get(id)?.values() ?? [])],
  };
}
