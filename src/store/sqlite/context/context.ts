/** Reads the surface, what it is made from, and what sessions have been given. */
import { type KeptSurface, type SurfaceRun, unpackedItems } from "../../../model/context/surface.ts";
import type { ContextReads } from "../../../ports/store/context.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";
import { IS_VISIBLE } from "../items/filter.ts";

type SurfaceRow = Omit<KeptSurface, "items" | "told"> & { items: string };
type RunRow = Omit<SurfaceRun, "items" | "isCached"> & { items: string; isCached: number };

export function contextReads(db: Database): Sync<ContextReads> {
  const statements = prepare(db);
  const candidates = prepareCandidates(db);
  return {
    surfaceCandidates({ now, types, visibleIn = null, ofEachType, newest: newestMost, notable }) {
      const terms = { now, visibleIn, types: JSON.stringify(types) };
      const newest = candidates.newest.all({ ...terms, limit: newestMost });
      const ids = [
        ...newest,
        ...types.flatMap((type) => candidates.worthMost.all({ ...terms, type, limit: ofEachType })),
        ...candidates.mostLinked.all({ ...terms, limit: notable }),
        ...candidates.mostRead.all({ ...terms, limit: notable }),
      ];
      return { ids: [...new Set(ids)], newest, mostAccesses: candidates.mostAccesses.get() ?? 0 };
    },
    keptSurface(branch) {
      const row = statements.surface.get(branch);
      return row ? { ...row, ...unpackedItems(row.items) } : null;
    },
    keptSurfaces: () => statements.surfaces.all(),
    surfaceRuns: (limit) =>
      statements.runs
        .all(limit)
        .map((row) => ({ ...row, items: JSON.parse(row.items) as SurfaceRun["items"], isCached: row.isCached === 1 })),
    injectedIn: (session) => new Set(statements.injections.all(session).map(({ key }) => key)),
    injections: (session) => statements.injections.all(session),
  };
}

function prepare(db: Database) {
  return {
    surface: db.prepare<[string], SurfaceRow>(`
      select branch, text, tokens, items, made_at as madeAt, fresh_until as freshUntil, made_from as madeFrom
      from surface where branch = ?`),
    surfaces: db.prepare<[], Pick<KeptSurface, "branch" | "text">>(`select branch, text from surface order by branch`),
    runs: db.prepare<[number], RunRow>(`
      select at, branch, tokens, items, ms, is_cached as isCached from surface_run order by seq desc limit ?`),
    injections: db.prepare<[string], { key: string; at: number }>(
      `select key, at from injection where session = ? order by at, key`,
    ),
  };
}

/** What a tool printed in several sessions is told to nobody unasked: `made` marks it, until somebody words it anew. */
const HOLDS = `item.status = 'active' and item.scope <> 'working'
  and (item.expires_at is null or item.expires_at > @now)
  and (item.valid_from is null or item.valid_from <= @now) and (item.valid_until is null or item.valid_until > @now)
  and ${IS_VISIBLE} and (item.details ->> '$.made' is null or item.details ->> '$.made' <> item.hash)`;
const IS_OF_TYPES = `item.type in (select value from json_each(@types))`;
/** Where the newest or best-known are all of other types, no more rows than this are looked at. */
const ROWS_MOST = 500;

/** `abs` keeps SQLite from planning a statement again for every call; `cross join` keeps it from reading all memories. */
function prepareCandidates(db: Database) {
  const ids = (sql: string) => db.prepare<[object], string>(sql).pluck();
  return {
    worthMost: ids(`
      select item.id from memory_item item indexed by memory_item_worth
      where item.type = @type and ${HOLDS}
      order by item.confidence * 0.5 + item.priority * 0.02 desc, item.updated_at desc limit abs(@limit)`),
    newest: ids(`
      select item.id from memory_item item
      where item.seq in (select seq from memory_item order by created_at desc, id limit ${ROWS_MOST})
        and ${HOLDS} and ${IS_OF_TYPES}
      order by item.created_at desc, item.id limit abs(@limit)`),
    mostLinked: ids(`
      select item.id from (select item_id, edges from in_degree order by edges desc limit ${ROWS_MOST}) linked
      cross join memory_item item
      where item.id = linked.item_id and ${HOLDS} and ${IS_OF_TYPES} order by linked.edges desc, item.id limit abs(@limit)`),
    mostRead: ids(`
      select item.id from memory_item item
      where item.seq in (
          select seq from memory_item where access_count > 0 and status = 'active'
          order by access_count desc limit ${ROWS_MOST})
        and ${HOLDS} and ${IS_OF_TYPES}
      order by item.access_count desc, item.id limit abs(@limit)`),
    mostAccesses: db
      .prepare<
        [],
        number | null
      >(`select max(access_count) from memory_item where access_count > 0 and status = 'active'`)
      .pluck(),
  };
}
