/** Reads edges, how many lead to an item, and which memories are not linked yet. */
import type { Edge, EdgeShelf } from "../../../model/memory/edge.ts";
import type { NearPair } from "../../../model/memory/near.ts";
import type { EdgeQuery, EdgeReads } from "../../../ports/store/edges.ts";
import { EDGE_COLUMNS, type EdgeRow, byStrength, toEdge } from "../../rows/graph/edge-row.ts";
import type { Database } from "../connection/database.ts";
import { IN_DEGREE, MOST_INCOMING } from "./in-degree.ts";
import { unlinkedReader } from "./link-mark.ts";

export function edgeReader(db: Database): EdgeReads {
  const statements = prepareReading(db);
  return {
    async edgesOf(shelf, ids, { limit, minimumStrength = 0, ...chosen }) {
      const { statuses, relations, made, neighbours } = chosen;
      const around = db.prepare<EdgeRow & { near: string }>(aroundSql({ shelf, ...chosen }));
      const rows = await around.all({
        ...{ ids: [...new Set(ids)], strength: minimumStrength, limit, statuses, relations, neighbours },
        made: made === undefined ? null : made ? 1 : 0,
      });
      const found = new Map<string, Edge>();
      for (const own of Map.groupBy(rows.sort(byStrength), ({ near }) => near).values())
        for (const { near: _, ...row } of own.slice(0, limit)) found.set(row.id, toEdge(row));
      return [...found.values()].sort(byStrength);
    },
    edges: async (shelf, ids) => (await statements.byId.all({ shelf, ids })).map(toEdge),
    async newestEdges(shelf, status, limit) {
      const isActive = (end: "source" | "target") =>
        `exists (select 1 from ${shelf}_item item where item.id = edge.${end} and item.status = 'active')`;
      const newest = db.prepare<EdgeRow>(`
        select ${EDGE_COLUMNS} from edge
        where shelf = @shelf and status = @status and ${isActive("source")} and ${isActive("target")}
        order by seq desc limit @limit`);
      return (await newest.all({ shelf, status, limit })).map(toEdge);
    },
    walkEdges: async (shelf, { after, limit }) =>
      (await statements.walk.all({ shelf, after: after ?? "", limit })).map(toEdge),
    nearPairs: (ids) => statements.near.all({ ids }),
    async inDegrees(ids) {
      const rows = await statements.inDegrees.all({ ids });
      return {
        of: new Map(rows.flatMap(([id, edges]) => (edges ? [[id, edges] as const] : []))),
        most: (await statements.mostIncoming.get()) ?? 0,
      };
    },
    ...unlinkedReader(db),
  };
}

function prepareReading(db: Database) {
  return {
    byId: db.prepare<EdgeRow>(
      `select ${EDGE_COLUMNS} from edge where shelf = @shelf and id = any (@ids::text[]) order by id`,
    ),
    walk: db.prepare<EdgeRow>(
      `select ${EDGE_COLUMNS} from edge where shelf = @shelf and id > @after and made = 0 order by id limit @limit`,
    ),
    inDegrees: db.prepareRaw<[string, number | null]>(
      `select item.id, ${IN_DEGREE} from memory_item item where item.id = any (@ids::text[])`,
    ),
    mostIncoming: db.prepareColumn<number | null>(`select ${MOST_INCOMING}`),
    near: db.prepare<NearPair>(`
      select newer, newer_shelf as "newerShelf", older, older_shelf as "olderShelf", nearness, kind from near_pair
      where newer = any (@ids::text[]) or older = any (@ids::text[]) order by nearness desc, newer, older`),
  };
}

/** For each item the strongest edges at either end: an index range that stops once enough are found. */
function aroundSql({ shelf, direction }: Pick<EdgeQuery, "direction"> & { shelf: EdgeShelf }): string {
  const at = (end: "source" | "target", far: "source" | "target", isFollowed: boolean) => `
    select near.id as near, edge.* from unnest(@ids::text[]) near (id) cross join lateral (
      select ${EDGE_COLUMNS} from edge
      where edge.${end} = near.id and edge.shelf = '${shelf}' and edge.strength >= @strength
        and (@statuses::text[] is null or edge.status = any (@statuses))
        and (@relations::text[] is null or edge.relation = any (@relations))
        and (@made::integer is null or edge.made = @made)
        ${isFollowed ? "" : "and edge.bidirectional = 1"}
        and (@neighbours::text[] is null or exists (
          select 1 from ${shelf}_item item where item.id = edge.${far} and item.status = any (@neighbours)))
      order by edge.strength desc, edge.id limit @limit) edge`;
  const [outward, inward] = [direction !== "incoming", direction !== "outgoing"];
  return `${at("source", "target", outward)} union all ${at("target", "source", inward)}`;
}
