/**
 * Reads and writes edges.
 *
 * An edge needs both its ends: removing an item removes its edges, each with its own journal entry,
 * so that a rollback restores them too. Edges of working items are not journaled, like the items.
 */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import type { Change } from "../../../model/journal/change.ts";
import { EDGE_SHELVES, type Edge, type EdgeShelf, edgeName, hasEdges } from "../../../model/memory/edge.ts";
import { handleOf } from "../../../model/memory/handle.ts";
import type { Scope } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { EdgeQuery, EdgeReads } from "../../../ports/edges.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import type { Journal, TransactionOrigin } from "../journal/journal-writer.ts";

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

export interface EdgeWriter {
  appliers: {
    insert_edge(change: ChangeOf<"insert_edge">, transaction: TransactionOrigin): string | null;
    remove_edge(change: ChangeOf<"remove_edge">, transaction: TransactionOrigin): string | null;
  };
  /** Removes all edges of an item that is about to be removed. */
  removeOf(shelf: Shelf, itemId: string, transaction: TransactionOrigin): void;
  /** Erases all edges of an item, and earlier ones from the journal. */
  eraseOf(itemId: string, transaction: TransactionOrigin): void;
}

export function edgeWriter(db: Database, log: Journal): EdgeWriter {
  const statements = prepareWriting(db);
  const scopeOf = (shelf: EdgeShelf, id: string): Scope | undefined => statements.scope[shelf].get(id);

  function remove(edge: Edge, transaction: TransactionOrigin): void {
    statements.remove.run(edge.id);
    if (isOnRecord(edge)) log.writeEdge("remove_edge", edge, transaction);
  }

  const isOnRecord = ({ shelf, source, target }: Edge): boolean =>
    [source, target].every((end) => scopeOf(shelf, end) !== "working");

  return {
    appliers: {
      insert_edge({ kind, edge }, transaction) {
        const missing = [edge.source, edge.target].find((end) => scopeOf(edge.shelf, end) === undefined);
        if (missing !== undefined) return `${edge.shelf} ${handleOf(missing)} is gone`;
        if (statements.insert.run(toRow(edge)).changes === 0) return `the edge \`${edgeName(edge)}\` already exists`;
        if (isOnRecord(edge)) log.writeEdge(kind, edge, transaction);
        return null;
      },
      remove_edge({ shelf, id }, transaction) {
        const row = statements.find.get(shelf, id);
        if (!row) return `edge ${id} is gone`;
        remove(toEdge(row), transaction);
        return null;
      },
    },
    removeOf(shelf, itemId, transaction) {
      if (!hasEdges(shelf)) return;
      for (const row of statements.touching.all({ id: itemId }))
        if (row.shelf === shelf) remove(toEdge(row), transaction);
    },
    eraseOf(itemId, transaction) {
      const erased = new Map<string, EdgeShelf>();
      for (const { id, shelf } of statements.touching.all({ id: itemId })) {
        statements.remove.run(id);
        erased.set(id, shelf);
      }
      for (const { seq, id, shelf } of statements.kept.all(itemId)) {
        statements.dropPayload.run(seq);
        erased.set(id, shelf);
      }
      for (const [id, shelf] of erased) log.writeErasure(shelf, id, transaction);
    },
  };
}

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
    edgesOf(shelf, ids, { limit, ...chosen }) {
      const rows = around({ shelf, ...chosen }).all({ ids: JSON.stringify([...new Set(ids)]), limit });
      const found = new Map<string, Edge>();
      for (const own of Map.groupBy(rows.sort(byStrength), ({ near }) => near).values())
        for (const { near: _, ...row } of own.slice(0, limit)) found.set(row.id, toEdge(row));
      return [...found.values()].sort(byStrength);
    },
    edges: (shelf, ids) => statements.byId.all(shelf, JSON.stringify(ids)).map(toEdge),
    walkEdges: (shelf, { after, limit }) => statements.walk.all(shelf, after ?? "", limit).map(toEdge),
  };
}

type EdgeRow = Omit<Edge, "bidirectional"> & { bidirectional: number };

const toEdge = (row: EdgeRow): Edge => ({ ...row, bidirectional: row.bidirectional === 1 });
const toRow = (edge: Edge): EdgeRow => ({ ...edge, bidirectional: edge.bidirectional ? 1 : 0 });

const COLUMNS = `edge.id, edge.shelf, edge.source, edge.target, edge.relation, edge.strength, edge.bidirectional,
  edge.status, edge.created_at as createdAt`;

const forEach = <T>(make: (shelf: EdgeShelf) => T): Record<EdgeShelf, T> =>
  Object.fromEntries(EDGE_SHELVES.map((shelf) => [shelf, make(shelf)])) as Record<EdgeShelf, T>;

function prepareWriting(db: Database) {
  return {
    scope: forEach((shelf) => db.prepare<[string], Scope>(`select scope from ${shelf}_item where id = ?`).pluck()),
    find: db.prepare<[string, string], EdgeRow>(`select ${COLUMNS} from edge where shelf = ? and id = ?`),
    insert: db.prepare<[EdgeRow]>(`
      insert into edge (id, shelf, source, target, relation, strength, bidirectional, status, created_at)
      values (@id, @shelf, @source, @target, @relation, @strength, @bidirectional, @status, @createdAt)
      on conflict do nothing`),
    remove: db.prepare<[string]>(`delete from edge where id = ?`),
    touching: db.prepare<[{ id: string }], EdgeRow>(`
      select ${COLUMNS} from edge where edge.source = @id
      union all select ${COLUMNS} from edge where edge.target = @id`),
    // A text search, so that tampered payloads are erased too.
    kept: db.prepare<[string], { seq: number; id: string; shelf: EdgeShelf }>(`
      select entry.seq, entry.item_id as id, entry.shelf
      from journal entry indexed by journal_edge join journal_payload kept on kept.seq = entry.seq
      where entry.kind = 'remove_edge' and instr(kept.payload, ?) > 0`),
    dropPayload: db.prepare<[number]>(`delete from journal_payload where seq = ?`),
  };
}

type Passing = Omit<EdgeQuery, "limit"> & { shelf: EdgeShelf };

interface Around {
  ids: string;
  limit: number;
}

const byStrength = (one: Pick<Edge, "id" | "strength">, two: Pick<Edge, "id" | "strength">): number =>
  two.strength - one.strength || (one.id < two.id ? -1 : 1);

function prepareReading(db: Database) {
  return {
    byId: db.prepare<[string, string], EdgeRow>(
      `select ${COLUMNS} from edge where shelf = ? and id in (select value from json_each(?)) order by id`,
    ),
    walk: db.prepare<[string, string, number], EdgeRow>(
      `select ${COLUMNS} from edge where shelf = ? and id > ? order by id limit ?`,
    ),
  };
}

/**
 * For each item the strongest edges at either end: an index range that stops once enough are found, because an item
 * may have thousands. Statuses are fixed words of ours, so they are inlined. With a bare bound limit SQLite would plan
 * the statement again for every call; with an expression such as `abs(@limit)` it does not.
 */
function aroundSql({ shelf, statuses, neighbours }: Passing): string {
  const among = (words: readonly string[]) => words.map((word) => `'${word}'`).join(", ");
  const at = (end: "source" | "target", far: "source" | "target") => `
    select near.value as near, ${COLUMNS} from json_each(@ids) near cross join edge where edge.rowid in (
      select best.rowid from edge best indexed by edge_${end}
      where best.${end} = near.value and best.shelf = '${shelf}'
        ${statuses ? `and best.status in (${among(statuses)})` : ""}
        ${neighbours ? `and exists (select 1 from ${shelf}_item item where item.id = best.${far} and item.status in (${among(neighbours)}))` : ""}
      order by best.strength desc, best.id limit abs(@limit))`;
  return `${at("source", "target")} union all ${at("target", "source")}`;
}
