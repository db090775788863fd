/**
 * Writes made edges: those derived from the texts of memories.
 *
 * They are replaced whenever a memory is linked again; of very many that lead to one memory, the strongest are kept.
 * While anything is stated and not only suggested about the same two items they are dismissed, not removed, so that taking
 * the statement back needs no text to be read again.
 */
import { statusOfMade } from "../../../logic/graph/likeness.ts";
import { INCOMING_MOST } from "../../../logic/graph/plan-links.ts";
import type { Change } from "../../../model/journal/change.ts";
import type { Edge, EdgeShelf } from "../../../model/memory/edge.ts";
import type { Scope } from "../../../model/memory/item.ts";
import { type EdgeRow, toRow } from "../../rows/graph/edge-row.ts";
import type { Database, Statement } from "../connection/database.ts";
import { linkMark } from "./link-mark.ts";

type Ends = Pick<Edge, "shelf" | "source" | "target">;

export interface MadeEdgeWriter {
  /** Called when an edge between these ends was stated. */
  dismiss(ends: Ends): Promise<void>;
  /** Called when one was taken back: what was made counts again, unless another one is stated. */
  restore(ends: Ends): Promise<void>;
  link(change: Extract<Change, { kind: "link_memories" }>): Promise<string | null>;
}

/** `insert` writes any edge. */
export function madeEdgeWriter(
  db: Database,
  insert: Statement<never>,
  scopeOf: (shelf: EdgeShelf, id: string) => Promise<Scope | undefined>,
): MadeEdgeWriter {
  const mark = linkMark(db);
  const statements = prepare(db);
  // Nobody has agreed to a suggestion yet.
  const isStated = async ({ shelf, source, target }: Ends) =>
    (await statements.stated.get({ shelf, source, target })) !== undefined;

  async function isPossible(edge: Edge): Promise<boolean> {
    if (await isStated(edge)) return false;
    for (const end of [edge.source, edge.target]) if ((await scopeOf(edge.shelf, end)) === undefined) return false;
    return true;
  }

  return {
    async dismiss({ shelf, source, target }) {
      await statements.dismiss.run({ shelf, source, target });
    },
    async restore({ shelf, source, target }) {
      if (await isStated({ shelf, source, target })) return;
      for (const { id, strength } of await statements.made.all({ shelf, source, target }))
        await statements.setStatus.run({ status: statusOfMade(strength), id });
    },
    async link({ after, upTo, removed, made: added }) {
      if ((await mark.get()) !== after) return "the same memories were linked in the meantime";
      await statements.removeMade.run({ ids: removed });
      for (const edge of added) if (await isPossible(edge)) await insert.run({ ...toRow(edge) });
      for (const target of new Set(added.map((edge) => edge.target))) await statements.removeBeyond.run({ target });
      await mark.moveTo(upTo);
      return null;
    },
  };
}

/** Between two items, whichever is the source. */
const BETWEEN = `shelf = @shelf and ((source = @source and target = @target) or (source = @target and target = @source))`;

function prepare(db: Database) {
  return {
    stated: db.prepareColumn<number>(
      `select 1 from edge where ${BETWEEN} and made = 0 and status <> 'suggested' limit 1`,
    ),
    made: db.prepare<Pick<EdgeRow, "id" | "strength">>(`select id, strength from edge where ${BETWEEN} and made = 1`),
    dismiss: db.prepare(`update edge set status = 'dismissed' where ${BETWEEN} and made = 1`),
    setStatus: db.prepare(`update edge set status = @status where id = @id`),
    removeMade: db.prepare(`delete from edge where id = any (@ids::text[]) and made = 1`),
    removeBeyond: db.prepare(`
      delete from edge where id in (
        select id from edge where target = @target and shelf = 'memory' and made = 1
        order by strength desc, id offset ${INCOMING_MOST})`),
  };
}
