/** Counts how memories are used. Each statement reads a table or an index once, whatever it holds. */
import { AGE_GROUPS_DAYS, LISTED, type StoreStatistics } from "../../../model/care/statistics.ts";
import type { Database } from "../connection/database.ts";
import { maintenanceReader } from "./last-maintenance.ts";

const DAY_MS = 86_400_000;

export function statisticsReader(db: Database): (now: number) => StoreStatistics {
  const statements = prepare(db);
  const maintainedAt = maintenanceReader(db);
  return (now) => {
    const limits = AGE_GROUPS_DAYS.map((days) => now - days * DAY_MS);
    const groups = statements.ages.all(...limits, now);
    const ages = [...limits, null].map((_, group) => sumOf(groups.filter((row) => row.ageGroup === group)));
    return {
      ages,
      neverRecalled: sumOf(groups.filter((row) => row.isUnread === 1)),
      mostRecalled: statements.mostRecalled.all(now, LISTED),
      tags: statements.tags.all(now, LISTED),
      edges: statements.edges.all(),
      cachedVectors: statements.cachedVectors.get() ?? 0,
      maintainedAt: maintainedAt(),
    };
  };
}

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

function prepare(db: Database) {
  const groups = AGE_GROUPS_DAYS.map((_, group) => `when created_at > ? then ${group}`).join(" ");
  const isActive = `status = 'active' and (expires_at is null or expires_at > ?)`;
  return {
    ages: db.prepare<number[], { ageGroup: number; isUnread: number; count: number }>(`
      select case ${groups} else ${AGE_GROUPS_DAYS.length} end as ageGroup, access_count = 0 as isUnread,
        count(*) as count
      from memory_item where ${isActive} group by 1, 2`),
    mostRecalled: db.prepare<[number, number], StoreStatistics["mostRecalled"][number]>(`
      select id, summary, access_count as accessCount, accessed_at as accessedAt
      from memory_item where ${isActive} and access_count > 0
      order by access_count desc, accessed_at desc, id limit ?`),
    tags: db.prepare<[number, number], StoreStatistics["tags"][number]>(`
      select tag, count(*) as count from memory_tag join memory_item on memory_item.seq = memory_tag.item_seq
      where ${isActive} group by tag order by count desc, tag limit ?`),
    edges: db.prepare<[], StoreStatistics["edges"][number]>(
      `select shelf, status, count(*) as count from edge group by shelf, status order by shelf, status`,
    ),
    cachedVectors: db.prepare<[], number>(`select count(*) from embedding_cache`).pluck(),
  };
}
