/** Reads memories as they age, without their text, in pages of rows. */
import { AGREED, BY_AGENT, REWORDED } from "../../../logic/memory/authorship.ts";
import type { AgingMemory } from "../../../model/care/aging.ts";
import type { CareReads } from "../../../ports/store/care.ts";
import type { Database } from "../connection/database.ts";

type Mark = "byAgent" | "agreed" | "reworded";
type AgingRow = Omit<AgingMemory, "pinned" | Mark> & { details: string };

export function agingReader(db: Database): Pick<CareReads, "aging"> {
  const last = db.prepareColumn<number>(`select coalesce(max(seq), 0) from memory_item`);
  // A range of row numbers, because a limit would let one page read past any number of rows that do not match.
  const page = db.prepare<AgingRow>(`
    select id, type, scope, status, source, host, confidence, created_at as "createdAt", updated_at as "updatedAt",
      accessed_at as "accessedAt", access_count as "accessCount", summary, details
    from memory_item
    where seq > @after and seq <= @through and pinned = 0 and scope <> 'working'
      and status in ('active', 'archived', 'pruned') and updated_at <= @before
    order by seq`);
  return {
    async aging(before, { after, rows }) {
      const through = after + rows;
      const found = await page.all({ before, after, through });
      const memories = found.map(({ details, ...row }) => {
        const marks = JSON.parse(details) as Record<string, unknown>;
        return {
          ...{ ...row, pinned: false },
          byAgent: marks[BY_AGENT] === true,
          agreed: marks[AGREED] === true,
          reworded: marks[REWORDED] === true,
        };
      });
      return { memories, next: through < ((await last.get()) ?? 0) ? through : null };
    },
  };
}
