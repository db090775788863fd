/**
 * Made edges as a stretch of linking changes them: those in the store, without the removed and with the new ones.
 *
 * All made edges of a memory are read, so that none is lost when it is linked again.
 */
import { INCOMING_MOST, MADE_MOST } from "../../logic/graph/plan-links.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { EdgeReads } from "../../ports/store/edges.ts";

/** More than a memory ever has. */
const EDGES_READ = 2 * (INCOMING_MOST + MADE_MOST);

export interface MadeEdges {
  of(id: string): Promise<Edge[]>;
  replace(before: readonly Edge[], after: readonly Edge[]): void;
  /** What was replaced so far. */
  changes(): Pick<Extract<Change, { kind: "link_memories" }>, "removed" | "made">;
}

export async function madeEdges(ids: readonly string[], store: EdgeReads): Promise<MadeEdges> {
  const [known, read] = [new Map<string, Edge>(), new Set<string>()];
  const [removed, made] = [new Set<string>(), new Map<string, Edge>()];
  const readOf = async (unread: readonly string[]) => {
    if (unread.length === 0) return;
    const edges = await store.edgesOf("memory", unread, { made: true, limit: EDGES_READ });
    for (const edge of edges) if (!removed.has(edge.id)) known.set(edge.id, edge);
    for (const id of unread) read.add(id);
  };
  await readOf(ids);
  return {
    async of(id) {
      if (!read.has(id)) await readOf([id]);
      return [...known.values()].filter(({ source, target }) => source === id || target === id);
    },
    replace(before, after) {
      for (const { id } of before) {
        removed.add(id);
        known.delete(id);
        made.delete(id);
      }
      for (const edge of after) {
        known.set(edge.id, edge);
        made.set(edge.id, edge);
      }
    },
    changes: () => ({ removed: [...removed], made: [...made.values()] }),
  };
}
