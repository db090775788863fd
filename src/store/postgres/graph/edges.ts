/**
 * Writes edges.
 *
 * An edge needs both its ends: removing an item removes its edges, each stated one with its own journal entry, so that a
 * rollback restores them too. Edges of working items are not journaled, like the items, nor are made edges. A stated
 * edge dismisses the made one between the same items for as long as it is there.
 */
import type { Change } from "../../../model/journal/change.ts";
import { type Edge, type EdgeShelf, edgeName, hasEdges } from "../../../model/memory/edges.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import type { Scope } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { EDGE_COLUMNS, type EdgeRow, toEdge, toRow } from "../../rows/graph/edge-row.ts";
import type { TransactionOrigin } from "../../rows/journal/journal-link.ts";
import type { Database } from "../connection/database.ts";
import type { Journal } from "../journal/journal-writer.ts";
import { madeEdgeWriter } from "./made-edges.ts";

type ChangeOf<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;
type Reason = Promise<string | null>;

export interface EdgeWriter {
  appliers: {
    insert_edge(change: ChangeOf<"insert_edge">, transaction: TransactionOrigin): Reason;
    remove_edge(change: ChangeOf<"remove_edge">, transaction: TransactionOrigin): Reason;
    link_memories(change: ChangeOf<"link_memories">): Reason;
    note_near(change: ChangeOf<"note_near">): Reason;
  };
  /** Removes all edges of an item that is about to be removed. */
  removeOf(shelf: Shelf, itemId: string, transaction: TransactionOrigin): Promise<void>;
  /** Erases all edges of an item, and earlier ones from the journal. */
  eraseOf(itemId: string, transaction: TransactionOrigin): Promise<void>;
}

export function edgeWriter(db: Database, log: Journal): EdgeWriter {
  const statements = prepareWriting(db);
  const scopeOf = (shelf: EdgeShelf, id: string) =>
    db.prepareColumn<Scope>(`select scope from ${shelf}_item where id = @id`).get({ id });
  const made = madeEdgeWriter(db, statements.insert, scopeOf);

  async function remove(edge: Edge, transaction: TransactionOrigin): Promise<void> {
    const isRecorded = await isOnRecord(edge);
    await statements.remove.run({ id: edge.id });
    if (edge.made) return;
    if (isRecorded) log.writeEdge("remove_edge", edge, transaction);
    await made.restore(edge);
  }

  async function isOnRecord({ shelf, source, target, made: isMade }: Edge): Promise<boolean> {
    if (isMade) return false;
    return (await scopeOf(shelf, source)) !== "working" && (await scopeOf(shelf, target)) !== "working";
  }

  async function insert({ kind, edge }: ChangeOf<"insert_edge">, transaction: TransactionOrigin): Reason {
    for (const end of [edge.source, edge.target])
      if ((await scopeOf(edge.shelf, end)) === undefined) return `${edge.shelf} ${handleOf(end)} is gone`;
    const { shelf, source, target } = edge;
    if (edge.relation === "supersedes" && (await statements.reversed.get({ shelf, source, target })))
      return `${edge.shelf} ${handleOf(edge.target)} supersedes ${handleOf(edge.source)} already`;
    if ((await statements.insert.run({ ...toRow(edge) })) === 0) return `the edge \`${edgeName(edge)}\` already exists`;
    if (await isOnRecord(edge)) log.writeEdge(kind, edge, transaction);
    if (edge.status !== "suggested") await made.dismiss(edge);
    return null;
  }

  return {
    appliers: {
      insert_edge: insert,
      async remove_edge({ shelf, id }, transaction) {
        const row = await statements.find.get({ shelf, id });
        if (!row) return `edge ${id} is gone`;
        await remove(toEdge(row), transaction);
        return null;
      },
      link_memories: made.link,
      async note_near({ id, pairs }) {
        await statements.forgetNearOf.run({ id });
        for (const pair of pairs) await statements.noteNear.run({ ...pair });
        return null;
      },
    },
    async removeOf(shelf, itemId, transaction) {
      await statements.forgetNear.run({ id: itemId });
      if (!hasEdges(shelf)) return;
      for (const row of await statements.touching.all({ id: itemId }))
        if (row.shelf === shelf) await remove(toEdge(row), transaction);
    },
    async eraseOf(itemId, transaction) {
      await statements.forgetNear.run({ id: itemId });
      const erased = new Map<string, EdgeShelf>();
      for (const { id, shelf, made: isMade } of await statements.touching.all({ id: itemId })) {
        await statements.remove.run({ id });
        if (!isMade) erased.set(id, shelf);
      }
      for (const { seq, id, shelf } of await statements.kept.all({ text: itemId })) {
        await statements.dropPayload.run({ seq });
        erased.set(id, shelf);
      }
      for (const [id, shelf] of erased) log.writeErasure(shelf, id, transaction);
    },
  };
}

function prepareWriting(db: Database) {
  return {
    find: db.prepare<EdgeRow>(`select ${EDGE_COLUMNS} from edge where shelf = @shelf and id = @id`),
    insert: db.prepare(`
      insert into edge (id, shelf, source, target, relation, strength, bidirectional, status, created_at, made, verdict)
      values (@id, @shelf, @source, @target, @relation, @strength, @bidirectional, @status, @createdAt, @made, @verdict)
      on conflict do nothing`),
    reversed: db.prepareColumn<number>(`
      select 1 from edge where source = @target and target = @source and shelf = @shelf and relation = 'supersedes'`),
    remove: db.prepare(`delete from edge where id = @id`),
    touching: db.prepare<EdgeRow>(`
      select ${EDGE_COLUMNS} from edge where edge.source = @id
      union all select ${EDGE_COLUMNS} from edge where edge.target = @id`),
    // A text search, so that tampered payloads are erased too.
    kept: db.prepare<{ seq: number; id: string; shelf: EdgeShelf }>(`
      select entry.seq, entry.item_id as id, entry.shelf
      from journal entry join journal_payload kept on kept.seq = entry.seq
      where entry.kind = 'remove_edge' and strpos(kept.payload, @text) > 0 order by entry.seq`),
    dropPayload: db.prepare(`delete from journal_payload where seq = @seq`),
    noteNear: db.prepare(`
      insert into near_pair (newer, newer_shelf, older, older_shelf, nearness, kind)
      values (@newer, @newerShelf, @older, @olderShelf, @nearness, @kind) on conflict do nothing`),
    forgetNearOf: db.prepare(`delete from near_pair where newer = @id`),
    forgetNear: db.prepare(`delete from near_pair where newer = @id or older = @id`),
  };
}
