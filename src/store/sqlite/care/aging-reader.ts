/** Reads memories as they age, without their text, in pages of rows. */
import { AGREED, BY_AGENT, REWORDED } from "../../../logic/memory/authorship.ts";
import type { AgingMemory } from "../../../model/care/aging.ts";
import type { CareReads } from "../../../ports/store/care.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

type Mark = "byAgent" | "agreed" | "reworded";
type AgingRow = Omit<AgingMemory, "pinned" | Mark> & Record<Mark, number>;

export function agingReader(db: Database): Sync<Pick<CareReads, "aging">> {
  const last = db.prepare<[], number>(`select coalesce(max(seq), 0) from memory_item`).pluck();
  // A range of row numbers, because a limit would let one page read past any number of rows that do not match.
  const page = db.prepare<[object], AgingRow>(`
    select id, type, scope, status, source, host, confidence, created_at as createdAt, updated_at as updatedAt,
      accessed_at as accessedAt, access_count as accessCount, summary,
      coalesce(details ->> '${BY_AGENT}', 0) as byAgent, coalesce(details ->> '${AGREED}', 0) as agreed,
      coalesce(details ->> '${REWORDED}', 0) as reworded
    from memory_item
    where seq > @after and seq <= @through and pinned = 0 and scope <> 'working'
      and status in ('active', 'archived', 'pruned') and updated_at <= @before
    order by seq`);
  return {
    aging(before, { after, rows }) {
      const through = after + rows;
      const found = page.all({ before, after, through });
      const memories = found.map((row) => ({
        ...row,
        pinned: false,
        byAgent: row.byAgent === 1,
        agreed: row.agreed === 1,
        reworded: row.reworded === 1,
      }));
      return { memories, next: through < (last.get() ?? 0) ? through : null };
    },
  };
}
