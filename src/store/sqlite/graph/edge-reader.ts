/** Reads edges, how many lead to an item, and which memories are not linked yet. */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { Edge, EdgeShelf } from "../../../model/memory/edge.ts";
import type { NearPair } from "../../../model/memory/near.ts";
import type { EdgeQuery, EdgeReads } from "../../../ports/store/edges.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import { EDGE_COLUMNS, type EdgeRow, byStrength, toEdge } from "../../rows/graph/edge-row.ts";
import { IN_DEGREE, MOST_INCOMING } from "./in-degree.ts";
import { unlinkedReader } from "./link-mark.ts";

export function edgeReader(db: Database): Sync<EdgeReads> {
  const statements = prepareReading(db);
  const searches = new Map<string, Statement<[Around], EdgeRow & { near: string }>>();
  /** Prepared per shelf, because a query for one shelf must not even mention another. */
  function around(passing: Passing): Statement<[Around], EdgeRow & { near: string }> {
    const key = JSON.stringify(passing);
    const statement = searches.get(key) ?? db.prepare(aroundSql(passing));
    searches.set(key, statement);
    return statement;
  }
  return {
    edgesOf(shelf, ids, { limit, minimumStrength = 0, ...chosen }) {
      const wanted = JSON.stringify([...new Set(ids)]);
      const rows = around({ shelf, ...chosen }).all({ ids: wanted, strength: minimumStrength, limit });
      const found = new Map<string, Edge>();
      for (const own of Map.groupBy(rows.sort(byStrength), ({ near }) => near).values())
        for (const { near: _, ...row } of own.slice(0, limit)) found.set(row.id, toEdge(row));
      return [...found.values()].sort(byStrength);
    },
    edges: (shelf, ids) => statements.byId.all(shelf, JSON.stringify(ids)).map(toEdge),
    newestEdges: (shelf, status, limit) => statements.newest[shelf].all(status, limit).map(toEdge),
    walkEdges: (shelf, { after, limit }) => statements.walk.all(shelf, after ?? "", limit).map(toEdge),
    nearPairs: (ids) => statements.near.all({ ids: JSON.stringify(ids) }),
    inDegrees: (ids) => ({
      // Not left out by the statement, for which SQLite would count twice.
      of: new Map(statements.inDegrees.all(JSON.stringify(ids)).flatMap(([id, edges]) => (edges ? [[id, edges]] : []))),
      most: statements.mostIncoming.get() ?? 0,
    }),
    ...unlinkedReader(db),
  };
}

type Passing = Omit<EdgeQuery, "limit" | "minimumStrength"> & { shelf: EdgeShelf };

interface Around {
  ids: string;
  strength: number;
  limit: number;
}

function prepareReading(db: Database) {
  const isActive = (shelf: EdgeShelf, end: "source" | "target") =>
    `exists (select 1 from ${shelf}_item item where item.id = edge.${end} and item.status = 'active')`;
  // From the end of the table: where such edges are not rare, few rows are read.
  const newestOf = (shelf: EdgeShelf) =>
    db.prepare<[string, number], EdgeRow>(`
      select ${EDGE_COLUMNS} from edge not indexed
      where shelf = '${shelf}' and status = ? and ${isActive(shelf, "source")} and ${isActive(shelf, "target")}
      order by rowid desc limit abs(?)`);
  return {
    byId: db.prepare<[string, string], EdgeRow>(
      `select ${EDGE_COLUMNS} from edge where shelf = ? and id in (select value from json_each(?)) order by id`,
    ),
    newest: { memory: newestOf("memory"), decision: newestOf("decision") } satisfies Record<EdgeShelf, unknown>,
    walk: db.prepare<[string, string, number], EdgeRow>(
      `select ${EDGE_COLUMNS} from edge indexed by edge_stated
       where shelf = ? and id > ? and made = 0 order by id limit ?`,
    ),
    inDegrees: db
      .prepare<
        [string],
        [string, number | null]
      >(`select item.id, ${IN_DEGREE} from memory_item item where item.id in (select value from json_each(?))`)
      .raw(),
    mostIncoming: db.prepare<[], number | null>(`select ${MOST_INCOMING}`).pluck(),
    near: db.prepare<[{ ids: string }], NearPair>(`
      ${NEAR} where newer in (select value from json_each(@ids))
      union ${NEAR} where older in (select value from json_each(@ids)) order by nearness desc, newer, older`),
  };
}

const NEAR = `select newer, newer_shelf as "newerShelf", older, older_shelf as "olderShelf", nearness, kind from near_pair`;

/**
 * For each item the strongest edges at either end: an index range that stops once enough are found, because an item
 * may have thousands. Statuses and relations are fixed words of ours, so they are inlined. With a bare bound limit SQLite
 * would plan the statement again for every call; with an expression such as `abs(@limit)` it does not.
 */
function aroundSql({ shelf, statuses, relations, made, direction, neighbours }: Passing): string {
  const among = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");
  const at = (end: "source" | "target", far: "source" | "target", isFollowed: boolean) => `
    select near.value as near, ${EDGE_COLUMNS} from json_each(@ids) near cross join edge where edge.rowid in (
      select best.rowid from edge best indexed by edge_${end}
      where best.${end} = near.value and best.shelf = '${shelf}' and best.strength >= @strength
        ${statuses ? `and best.status in (${among(statuses)})` : ""}
        ${relations ? `and best.relation in (${among(relations)})` : ""}
        ${made === undefined ? "" : `and best.made = ${made ? 1 : 0}`}
        ${isFollowed ? "" : "and best.bidirectional = 1"}
        ${neighbours ? `and exists (select 1 from ${shelf}_item item where item.id = best.${far} and item.status in (${among(neighbours)}))` : ""}
      order by best.strength desc, best.id limit abs(@limit))`;
  const [outward, inward] = [direction !== "incoming", direction !== "outgoing"];
  return `${at("source", "target", outward)} union all ${at("target", "source", inward)}`;
}
