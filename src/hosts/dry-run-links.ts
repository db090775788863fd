/**
 * The links that a dry run makes, kept beside the store, which rolls them back: how many are linked next, and whether a
 * memory may be archived, depends on them.
 */
import type { Change } from "../model/journal/change.ts";
import type { Edge } from "../model/memory/edge.ts";
import type { EdgeReads } from "../ports/store/edges.ts";
import type { ItemReads } from "../ports/store/items.ts";

type Linking = Extract<Change, { kind: "link_memories" }>;

export interface DryRunLinks {
  reads: Pick<EdgeReads, "edgesOf" | "inDegrees" | "unlinked" | "unlinkedAmong">;
  /** The changes as the store can check them: for the store, the mark never moves. */
  asStored(changes: readonly Change[]): Change[];
  /** Called when they would have been written. */
  note(changes: readonly Change[]): Promise<void>;
}

export function dryRunLinks(store: EdgeReads & ItemReads): DryRunLinks {
  /** Where the store's mark was and where it would be. */
  let mark: { stored: number; now: number } | null = null;
  const [removed, made] = [edgeSet(), edgeSet()];
  /** Edges from others do not count for the in-degree. */
  const lasting = new Set<string>();

  async function link({ after, upTo, removed: ids, made: added }: Linking): Promise<void> {
    mark = { stored: mark?.stored ?? after, now: upTo };
    const stored = await store.edges("memory", ids);
    for (const edge of stored) removed.add(edge);
    for (const id of ids) made.delete(id);
    for (const edge of added) made.add(edge);
    const sources = new Set([...stored, ...added].map(({ source }) => source));
    for (const { id, status, scope } of await store.items("memory", [...sources]))
      if (status === "active" && scope !== "working") lasting.add(id);
  }
  const leadingTo = (id: string, edges: EdgeSet): number =>
    edges.touching(id).filter(({ source, target, status }) => {
      return target === id && status === "active" && lasting.has(source);
    }).length;

  return {
    reads: {
      async edgesOf(shelf, ids, query) {
        const stored = await store.edgesOf(shelf, ids, query);
        if (!mark || shelf !== "memory" || query.made === false) return stored;
        return [...stored.filter((edge) => !removed.has(edge)), ...new Set(ids.flatMap(made.touching))];
      },
      async inDegrees(ids) {
        const stored = await store.inDegrees(ids);
        if (!mark) return stored;
        const of = new Map(stored.of);
        for (const id of new Set(ids)) of.set(id, (of.get(id) ?? 0) + leadingTo(id, made) - leadingTo(id, removed));
        return { of, most: Math.max(stored.most, ...of.values()) };
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
