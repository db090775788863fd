/**
 * Counts how memories are used.
 *
 * Each statement reads the rows once, in the order in which they lie on disk, and neither sorts nor looks up single
 * rows, so that a hundred thousand memories take a moment. An index would slow down every access instead.
 */
import { AGE_GROUPS_DAYS, COUNTED_DAYS, LISTED, type StoreStatistics } from "../../../model/care/statistics.ts";
import { DAY_MS } from "../../../model/duration.ts";
import type { Database } from "../connection/database.ts";
import { IS_VISIBLE } from "../items/filter.ts";
import { maintenanceReader } from "./last-maintenance.ts";

export function statisticsReader(db: Database): (now: number, visibleIn?: string) => StoreStatistics {
  const statements = prepare(db);
  const { maintainedAt } = maintenanceReader(db);
  return (now, visibleIn) => {
    const limits = AGE_GROUPS_DAYS.map((days) => now - days * DAY_MS);
    const [neverRecalled, ...younger] = statements.ages.get(limits, { now })!;
    const shown = { now, visibleIn: visibleIn ?? null, limit: LISTED };
    return {
      ages: younger.map((count, group) => count - (younger[group - 1] ?? 0)),
      days: statements.days.all({ now, since: now - COUNTED_DAYS * DAY_MS }),
      neverRecalled: neverRecalled!,
      mostRecalled: statements.mostRecalled.all(shown),
      tags: statements.tags.all(shown),
      edges: statements.edges.all(),
      cachedVectors: statements.cachedVectors.get() ?? 0,
      maintainedAt: maintainedAt(),
    };
  };
}

function prepare(db: Database) {
  const younger = AGE_GROUPS_DAYS.map(() => `total(created_at > ?)`).join(", ");
  const isActive = `item.status = 'active' and (item.expires_at is null or item.expires_at > @now)`;
  const order = `order by access_count desc, accessed_at desc, seq`;
  // Those without access, then those younger than each limit, then all.
  const ages = `select total(access_count = 0), ${younger}, count(*) from memory_item item not indexed where ${isActive}`;
  return {
    ages: db.prepare<[number[], object], number[]>(ages).raw(),
    // Only what the index on the time of creation leads to.
    days: db.prepare<[object], StoreStatistics["days"][number]>(`
      select created_at / ${DAY_MS} as day, count(*) as count from memory_item item
      where created_at > @since and ${isActive} group by day order by day`),
    mostRecalled: db.prepare<[object], StoreStatistics["mostRecalled"][number]>(`
      select id, summary, access_count as accessCount, accessed_at as accessedAt from memory_item
      where seq in (
        select seq from memory_item item not indexed
        where access_count > 0 and ${isActive} and ${IS_VISIBLE} ${order} limit @limit)
      ${order}`),
    tags: db.prepare<[object], StoreStatistics["tags"][number]>(`
      with gone as materialized (
        select seq from memory_item item not indexed where not (${isActive} and ${IS_VISIBLE}))
      select tag, count(*) as count from memory_tag where item_seq not in (select seq from gone)
      group by tag order by count desc, tag limit @limit`),
    edges: db.prepare<[], StoreStatistics["edges"][number]>(
      `select shelf, status, count(*) as count from edge group by shelf, status order by shelf, status`,
    ),
    cachedVectors: db.prepare<[], number>(`select count(*) from embedding_cache`).pluck(),
  };
}
