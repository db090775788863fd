/**
 * The links that a dry run makes, kept beside the store, which rolls them back: how many are linked next, and whether a
 * memory may be archived, depends on them.
 */
import type { Change } from "../model/journal/change.ts";
import type { Edge } from "../model/memory/edge.ts";
import type { EdgeReads } from "../ports/edges.ts";

type Linking = Extract<Change, { kind: "link_memories" }>;

export interface DryRunLinks {
  reads: Pick<EdgeReads, "edgesOf" | "inDegrees" | "unlinked">;
  /** The changes as the store can check them: for the store, the mark never moves. */
  asStored(changes: readonly Change[]): Change[];
  /** Called when they would have been written. */
  note(changes: readonly Change[]): Promise<void>;
}

const ALL_EDGES = 1_000_000;

export function dryRunLinks(store: EdgeReads): DryRunLinks {
  /** Where the store's mark was and where it would be. */
  let mark: { stored: number; now: number } | null = null;
  const [removed, made] = [edgeSet(), edgeSet()];

  async function link({ after, upTo, made: all }: Linking): Promise<void> {
    mark = { stored: mark?.stored ?? after, now: upTo };
    for (const { id, edges } of all) {
      const stored = await store.edgesOf("memory", [id], { limit: ALL_EDGES });
      for (const edge of stored) if (edge.made) removed.add(edge);
      for (const edge of made.touching(id)) made.delete(edge);
      for (const edge of edges) made.add(edge);
    }
  }

  return {
    reads: {
      async edgesOf(shelf, ids, query) {
        const stored = await store.edgesOf(shelf, ids, query);
        if (!mark || shelf !== "memory") return stored;
        return [...stored.filter((edge) => !removed.has(edge)), ...new Set(ids.flatMap(made.touching))];
      },
      async inDegrees(shelf, ids) {
        const stored = await store.inDegrees(shelf, ids);
        if (!mark || shelf !== "memory") return stored;
        const of = new Map(stored.of);
        for (const id of new Set(ids)) of.set(id, (of.get(id) ?? 0) + made.leadingTo(id) - removed.leadingTo(id));
        return { of, most: Math.max(stored.most, ...of.values()) };
      },
      unlinked: (limit) => store.unlinked(limit, mark?.now),
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

/** Edges, found by either end. */
function edgeSet() {
  const byEnd = new Map<string, Map<string, Edge>>();
  const at = (id: string): Edge[] => [...(byEnd.get(id)?.values() ?? [])];
  return {
    add(edge: Edge) {
      for (const end of [edge.source, edge.target])
        byEnd.set(end, (byEnd.get(end) ?? new Map<string, Edge>()).set(edge.id, edge));
    },
    delete({ id, source, target }: Edge) {
      for (const end of [source, target]) byEnd.get(end)?.delete(id);
    },
    has: ({ id, source }: Edge): boolean => byEnd.get(source)?.has(id) ?? false,
    touching: at,
    /** How many active ones. */
    leadingTo: (id: string): number =>
      at(id).filter(({ target, status }) => target === id && status === "active").length,
  };
}
