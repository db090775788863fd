/**
 * Writes edges.
 *
 * An edge needs both its ends: removing an item removes its edges, each stated one with its own journal entry, so that a
 * rollback restores them too. Edges of working items are not journaled, like the items, nor are made edges. A stated
 * edge dismisses the made one between the same items for as long as it is there.
 */
import type { Change } from "../../../model/journal/change.ts";
import { EDGE_SHELVES, type Edge, type EdgeShelf, edgeName, hasEdges } from "../../../model/memory/edges.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import type { NearPair } from "../../../model/memory/near.ts";
import type { Scope } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";
import type { Journal, TransactionOrigin } from "../journal/journal-writer.ts";
import { EDGE_COLUMNS, type EdgeRow, toEdge, toRow } from "../../rows/graph/edge-row.ts";
import { madeEdgeWriter } from "./made-edges.ts";

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

export interface EdgeWriter {
  appliers: {
    insert_edge(change: ChangeOf<"insert_edge">, transaction: TransactionOrigin): string | null;
    remove_edge(change: ChangeOf<"remove_edge">, transaction: TransactionOrigin): string | null;
    link_memories(change: ChangeOf<"link_memories">): string | null;
    note_near(change: ChangeOf<"note_near">): string | null;
  };
  /** Removes all edges of an item that is about to be removed. */
  removeOf(shelf: Shelf, itemId: string, transaction: TransactionOrigin): void;
  /** Erases all edges of an item, and earlier ones from the journal. */
  eraseOf(itemId: string, transaction: TransactionOrigin): void;
}

export function edgeWriter(db: Database, log: Journal): EdgeWriter {
  const statements = prepareWriting(db);
  const scopeOf = (shelf: EdgeShelf, id: string): Scope | undefined => statements.scope[shelf].get(id);

  const made = madeEdgeWriter(db, statements.insert, scopeOf);

  function remove(edge: Edge, transaction: TransactionOrigin): void {
    statements.remove.run(edge.id);
    if (edge.made) return;
    if (isOnRecord(edge)) log.writeEdge("remove_edge", edge, transaction);
    made.restore(edge);
  }

  const isOnRecord = ({ shelf, source, target, made }: Edge): boolean =>
    !made && [source, target].every((end) => scopeOf(shelf, end) !== "working");

  return {
    appliers: {
      insert_edge({ kind, edge }, transaction) {
        const missing = [edge.source, edge.target].find((end) => scopeOf(edge.shelf, end) === undefined);
        if (missing !== undefined) return `${edge.shelf} ${handleOf(missing)} is gone`;
        if (edge.relation === "supersedes" && statements.reversed.get(edge))
          return `${edge.shelf} ${handleOf(edge.target)} supersedes ${handleOf(edge.source)} already`;
        if (statements.insert.run(toRow(edge)).changes === 0) return `the edge \`${edgeName(edge)}\` already exists`;
        if (isOnRecord(edge)) log.writeEdge(kind, edge, transaction);
        if (edge.status !== "suggested") made.dismiss(edge);
        return null;
      },
      remove_edge({ shelf, id }, transaction) {
        const row = statements.find.get(shelf, id);
        if (!row) return `edge ${id} is gone`;
        remove(toEdge(row), transaction);
        return null;
      },
      link_memories: made.link,
      note_near({ id, pairs }) {
        statements.forgetNearOf.run(id);
        for (const pair of pairs) statements.noteNear.run(pair);
        return null;
      },
    },
    removeOf(shelf, itemId, transaction) {
      statements.forgetNear.run({ id: itemId });
      if (!hasEdges(shelf)) return;
      for (const row of statements.touching.all({ id: itemId }))
        if (row.shelf === shelf) remove(toEdge(row), transaction);
    },
    eraseOf(itemId, transaction) {
      statements.forgetNear.run({ id: itemId });
      const erased = new Map<string, EdgeShelf>();
      for (const { id, shelf, made: isMade } of statements.touching.all({ id: itemId })) {
        statements.remove.run(id);
        if (!isMade) erased.set(id, shelf);
      }
      for (const { seq, id, shelf } of statements.kept.all(itemId)) {
        statements.dropPayload.run(seq);
        erased.set(id, shelf);
      }
      for (const [id, shelf] of erased) log.writeErasure(shelf, id, transaction);
    },
  };
}

const forEach = <T>(make: (shelf: EdgeShelf) => T): Record<EdgeShelf, T> =>
  Object.fromEntries(EDGE_SHELVES.map((shelf) => [shelf, make(shelf)])) as Record<EdgeShelf, T>;

function prepareWriting(db: Database) {
  return {
    scope: forEach((shelf) => db.prepare<[string], Scope>(`select scope from ${shelf}_item where id = ?`).pluck()),
    find: db.prepare<[string, string], EdgeRow>(`select ${EDGE_COLUMNS} from edge where shelf = ? and id = ?`),
    insert: db.prepare<[EdgeRow]>(`
      insert into edge (id, shelf, source, target, relation, strength, bidirectional, status, created_at, made, verdict)
      values (@id, @shelf, @source, @target, @relation, @strength, @bidirectional, @status, @createdAt, @made, @verdict)
      on conflict do nothing`),
    reversed: db
      .prepare<[Edge], number>(
        `select 1 from edge indexed by edge_once
         where source = @target and target = @source and shelf = @shelf and relation = 'supersedes'`,
      )
      .pluck(),
    remove: db.prepare<[string]>(`delete from edge where id = ?`),
    touching: db.prepare<[{ id: string }], EdgeRow>(`
      select ${EDGE_COLUMNS} from edge where edge.source = @id
      union all select ${EDGE_COLUMNS} from edge where edge.target = @id`),
    // A text search, so that tampered payloads are erased too.
    kept: db.prepare<[string], { seq: number; id: string; shelf: EdgeShelf }>(`
      select entry.seq, entry.item_id as id, entry.shelf
      from journal entry indexed by journal_edge join journal_payload kept on kept.seq = entry.seq
      where entry.kind = 'remove_edge' and instr(kept.payload, ?) > 0`),
    dropPayload: db.prepare<[number]>(`delete from journal_payload where seq = ?`),
    noteNear: db.prepare<[NearPair]>(`
      insert or replace into near_pair (newer, newer_shelf, older, older_shelf, nearness, kind)
      values (@newer, @newerShelf, @older, @olderShelf, @nearness, @kind)`),
    forgetNearOf: db.prepare<[string]>(`delete from near_pair where newer = ?`),
    forgetNear: db.prepare<[{ id: string }]>(`delete from near_pair where newer = @id or older = @id`),
  };
}
