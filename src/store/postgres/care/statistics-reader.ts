/** Counts how memories are used. */
import { AGE_GROUPS_DAYS, COUNTED_DAYS, LISTED, type StoreStatistics } from "../../../model/care/statistics.ts";
import { DAY_MS } from "../../../model/duration.ts";
import type { Database } from "../connection/database.ts";
import { IS_VISIBLE } from "../items/filter.ts";
import { maintenanceReader } from "./last-maintenance.ts";

export function statisticsReader(db: Database): (now: number, visibleIn?: string) => Promise<StoreStatistics> {
  const statements = prepare(db);
  const { maintainedAt } = maintenanceReader(db);
  return async (now, visibleIn) => {
    const limits = Object.fromEntries(AGE_GROUPS_DAYS.map((days, group) => [`limit${group}`, now - days * DAY_MS]));
    const [neverRecalled, ...younger] = (await statements.ages.get({ now, ...limits }))!;
    const shown = { now, visibleIn, limit: LISTED };
    return {
      ages: younger.map((count, group) => count - (younger[group - 1] ?? 0)),
      days: await statements.days.all({ now, since: now - COUNTED_DAYS * DAY_MS }),
      neverRecalled: neverRecalled!,
      mostRecalled: await statements.mostRecalled.all(shown),
      tags: await statements.tags.all(shown),
      edges: await statements.edges.all(),
      cachedVectors: (await statements.cachedVectors.get()) ?? 0,
      maintainedAt: await maintainedAt(),
    };
  };
}

function prepare(db: Database) {
  const isActive = `item.status = 'active' and (item.expires_at is null or item.expires_at > @now)`;
  const younger = AGE_GROUPS_DAYS.map((_, group) => `count(*) filter (where created_at > @limit${group})`).join(", ");
  return {
    // Those without access, then those younger than each limit, then all.
    ages: db.prepareRaw<number[]>(`
      select count(*) filter (where access_count = 0), ${younger}, count(*) from memory_item item where ${isActive}`),
    days: db.prepare<StoreStatistics["days"][number]>(`
      select created_at / ${DAY_MS} as day, count(*) as count from memory_item item
      where created_at > @since and ${isActive} group by day order by day`),
    mostRecalled: db.prepare<StoreStatistics["mostRecalled"][number]>(`
      select id, summary, access_count as "accessCount", accessed_at as "accessedAt" from memory_item item
      where access_count > 0 and ${isActive} and ${IS_VISIBLE}
      order by access_count desc, accessed_at desc, seq limit @limit`),
    tags: db.prepare<StoreStatistics["tags"][number]>(`
      select tag, count(*) as count from memory_tag join memory_item item on item.seq = memory_tag.item_seq
      where ${isActive} and ${IS_VISIBLE} group by tag order by count desc, tag limit @limit`),
    edges: db.prepare<StoreStatistics["edges"][number]>(
      `select shelf, status, count(*) as count from edge group by shelf, status order by shelf, status`,
    ),
    cachedVectors: db.prepareColumn<number>(`select count(*) from embedding_cache`),
  };
}
