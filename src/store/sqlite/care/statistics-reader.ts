/**
 * Counts how memories are used.
 *
 * Each statement reads the rows once, in the order in which they lie on disk, and neither sorts nor looks up single
 * rows, so that a hundred thousand memories take a moment. An index would slow down every access instead.
 */
import { AGE_GROUPS_DAYS, LISTED, type StoreStatistics } from "../../../model/care/statistics.ts";
import type { Database } from "../connection/database.ts";
import { maintenanceReader } from "./last-maintenance.ts";

const DAY_MS = 86_400_000;

export function statisticsReader(db: Database): (now: number) => StoreStatistics {
  const statements = prepare(db);
  const maintainedAt = maintenanceReader(db);
  return (now) => {
    const limits = AGE_GROUPS_DAYS.map((days) => now - days * DAY_MS);
    const [neverRecalled, ...younger] = statements.ages.get(...limits, now)!;
    return {
      ages: younger.map((count, group) => count - (younger[group - 1] ?? 0)),
      neverRecalled: neverRecalled!,
      mostRecalled: statements.mostRecalled.all(now, LISTED),
      tags: statements.tags.all(now, LISTED),
      edges: statements.edges.all(),
      cachedVectors: statements.cachedVectors.get() ?? 0,
      maintainedAt: maintainedAt(),
    };
  };
}

function prepare(db: Database) {
  const younger = AGE_GROUPS_DAYS.map(() => `total(created_at > ?)`).join(", ");
  const isActive = `status = 'active' and (expires_at is null or expires_at > ?)`;
  const order = `order by access_count desc, accessed_at desc, seq`;
  return {
    // Those without access, then those younger than each limit, then all.
    ages: db
      .prepare<
        number[],
        number[]
      >(`select total(access_count = 0), ${younger}, count(*) from memory_item not indexed where ${isActive}`)
      .raw(),
    mostRecalled: db.prepare<[number, number], StoreStatistics["mostRecalled"][number]>(`
      select id, summary, access_count as accessCount, accessed_at as accessedAt from memory_item
      where seq in (
        select seq from memory_item not indexed where access_count > 0 and ${isActive} ${order} limit ?)
      ${order}`),
    tags: db.prepare<[number, number], StoreStatistics["tags"][number]>(`
      with gone as materialized (select seq from memory_item not indexed where not (${isActive}))
      select tag, count(*) as count from memory_tag where item_seq not in (select seq from gone)
      group by tag order by count desc, tag limit ?`),
    edges: db.prepare<[], StoreStatistics["edges"][number]>(
      `select shelf, status, count(*) as count from edge group by shelf, status order by shelf, status`,
    ),
    cachedVectors: db.prepare<[], number>(`select count(*) from embedding_cache`).pluck(),
  };
}
