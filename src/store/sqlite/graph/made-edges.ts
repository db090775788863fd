/**
 * Writes made edges: those derived from the texts of memories.
 *
 * They are replaced whenever a memory is linked again; of very many that lead to one memory, the strongest are kept.
 * While anything is stated and not only suggested about the same two items they are dismissed, not removed, so that taking the statement back
 * needs no text to be read again.
 */
import type { Statement } from "better-sqlite3-multiple-ciphers";
import { statusOfMade } from "../../../logic/graph/likeness.ts";
import { INCOMING_MOST } from "../../../logic/graph/plan-links.ts";
import type { Change } from "../../../model/journal/change.ts";
import type { Edge, EdgeShelf, EdgeStatus } from "../../../model/memory/edge.ts";
import type { Scope } from "../../../model/memory/item.ts";
import type { Database } from "../connection/database.ts";
import { type EdgeRow, toRow } from "../../rows/graph/edge-row.ts";
import { linkMark } from "./link-mark.ts";

type Ends = Pick<Edge, "shelf" | "source" | "target">;

export interface MadeEdgeWriter {
  /** Called when an edge between these ends was stated. */
  dismiss(ends: Ends): void;
  /** Called when one was taken back: what was made counts again, unless another one is stated. */
  restore(ends: Ends): void;
  link(change: Extract<Change, { kind: "link_memories" }>): string | null;
}

/** `insert` writes any edge. */
export function madeEdgeWriter(
  db: Database,
  insert: Statement<[EdgeRow]>,
  scopeOf: (shelf: EdgeShelf, id: string) => Scope | undefined,
): MadeEdgeWriter {
  const mark = linkMark(db);
  // Nobody has agreed to a suggestion yet.
  const stated = db.prepare<[Ends], number>(`${between("1", 0, "and status <> 'suggested'")} limit 1`).pluck();
  const made = db.prepare<[Ends], { id: string; strength: number }>(between("id, strength", 1));
  const removeMade = db.prepare<[string]>(`delete from edge where id = ? and made = 1`);
  // A literal limit and offset, because SQLite would plan the statement again for every bound one.
  const beyond = db
    .prepare<[string], string>(
      `select id from edge indexed by edge_target where target = ? and shelf = 'memory' and made = 1
      order by strength desc, id limit -1 offset ${INCOMING_MOST}`,
    )
    .pluck();
  const setStatus = db.prepare<[EdgeStatus, string]>(`update edge set status = ? where id = ?`);
  const isPossible = (edge: Edge) =>
    !stated.get(edge) && [edge.source, edge.target].every((end) => scopeOf(edge.shelf, end) !== undefined);
  return {
    dismiss(ends) {
      for (const { id } of made.all(ends)) setStatus.run("dismissed", id);
    },
    restore(ends) {
      if (stated.get(ends)) return;
      for (const { id, strength } of made.all(ends)) setStatus.run(statusOfMade(strength), id);
    },
    link({ after, upTo, removed, made: added }) {
      if (mark.get() !== after) return "the same memories were linked in the meantime";
      for (const id of removed) removeMade.run(id);
      for (const edge of added.filter(isPossible)) insert.run(toRow(edge));
      for (const target of new Set(added.map((edge) => edge.target)))
        for (const id of beyond.all(target)) removeMade.run(id);
      mark.moveTo(upTo);
      return null;
    },
  };
}

/** The edges between two items, whichever is the source. */
const between = (columns: string, made: 0 | 1, also = "") =>
  [
    ["source", "target"],
    ["target", "source"],
  ]
    .map(
      ([one, two]) => `select ${columns} from edge indexed by edge_once
        where source = @${one} and target = @${two} and shelf = @shelf and made = ${made} ${also}`,
    )
    .join(" union all ");
