/** Reads the surface, what it is made from, and what sessions have been given. */
import { type KeptSurface, type SurfaceRun, unpackedItems } from "../../../model/context/surface.ts";
import type { ContextReads } from "../../../ports/store/context.ts";
import type { Database } from "../connection/database.ts";
import { IS_VISIBLE } from "../items/filter.ts";

type SurfaceRow = Omit<KeptSurface, "items" | "told"> & { items: string };
type RunRow = Omit<SurfaceRun, "items" | "isCached"> & { items: string; isCached: number };

export function contextReads(db: Database): ContextReads {
  const statements = prepare(db);
  const candidates = prepareCandidates(db);
  return {
    async surfaceCandidates({ now, types, visibleIn, ofEachType, newest: newestMost, notable }) {
      const terms = { now, visibleIn, types };
      const newest = await candidates.newest.all({ ...terms, limit: newestMost });
      const ids = [...newest];
      for (const type of types) ids.push(...(await candidates.worthMost.all({ ...terms, type, limit: ofEachType })));
      ids.push(...(await candidates.mostLinked.all({ ...terms, limit: notable })));
      ids.push(...(await candidates.mostRead.all({ ...terms, limit: notable })));
      return { ids: [...new Set(ids)], newest, mostAccesses: (await candidates.mostAccesses.get()) ?? 0 };
    },
    async keptSurface(branch) {
      const row = await statements.surface.get({ branch });
      return row ? { ...row, ...unpackedItems(row.items) } : null;
    },
    keptSurfaces: () => statements.surfaces.all(),
    async surfaceRuns(limit) {
      const rows = await statements.runs.all({ limit });
      return rows.map((row) => ({
        ...row,
        items: JSON.parse(row.items) as SurfaceRun["items"],
        isCached: row.isCached === 1,
      }));
    },
    injectedIn: async (session) => new Set((await statements.injections.all({ session })).map(({ key }) => key)),
    injections: (session) => statements.injections.all({ session }),
  };
}

function prepare(db: Database) {
  return {
    surface: db.prepare<SurfaceRow>(`
      select branch, text, tokens, items, made_at as "madeAt", fresh_until as "freshUntil", made_from as "madeFrom"
      from surface where branch = @branch`),
    surfaces: db.prepare<Pick<KeptSurface, "branch" | "text">>(`select branch, text from surface order by branch`),
    runs: db.prepare<RunRow>(`
      select at, branch, tokens, items, ms, is_cached as "isCached" from surface_run order by seq desc limit @limit`),
    injections: db.prepare<{ key: string; at: number }>(
      `select key, at from injection where md5(session) = md5(@session) and session = @session order by at, key`,
    ),
  };
}

/**
 * What a tool printed in several sessions is told to nobody unasked: `made` marks it, until somebody words it anew. The
 * details are not read as JSON, because Postgres refuses some of what JSON may hold, and with it the whole question.
 */
const HOLDS = `item.status = 'active' and item.scope <> 'working'
  and (item.expires_at is null or item.expires_at > @now::bigint)
  and (item.valid_from is null or item.valid_from <= @now) and (item.valid_until is null or item.valid_until > @now)
  and ${IS_VISIBLE} and strpos(item.details, '"made":"' || item.hash || '"') = 0`;
const IS_OF_TYPES = `item.type = any (@types::text[])`;
/** Where the newest or best-known are all of other types, no more rows than this are looked at. */
const ROWS_MOST = 500;

function prepareCandidates(db: Database) {
  return {
    worthMost: db.prepareColumn<string>(`
      select item.id from memory_item item where item.type = @type and ${HOLDS}
      order by item.confidence * 0.5 + item.priority * 0.02 desc, item.updated_at desc limit @limit`),
    newest: db.prepareColumn<string>(`
      select item.id from memory_item item
      where item.seq in (select seq from memory_item order by created_at desc, id limit ${ROWS_MOST})
        and ${HOLDS} and ${IS_OF_TYPES}
      order by item.created_at desc, item.id limit @limit`),
    mostLinked: db.prepareColumn<string>(`
      select item.id from (select item_id, edges from in_degree order by edges desc limit ${ROWS_MOST}) linked
      join memory_item item on item.id = linked.item_id
      where ${HOLDS} and ${IS_OF_TYPES} order by linked.edges desc, item.id limit @limit`),
    mostRead: db.prepareColumn<string>(`
      select item.id from memory_item item
      where item.seq in (
          select seq from memory_item where access_count > 0 and status = 'active'
          order by access_count desc limit ${ROWS_MOST})
        and ${HOLDS} and ${IS_OF_TYPES}
      order by item.access_count desc, item.id limit @limit`),
    mostAccesses: db.prepareColumn<number | null>(
      `select max(access_count) from memory_item where access_count > 0 and status = 'active'`,
    ),
  };
}
