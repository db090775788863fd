/**
 * Reads and writes the surface, what it is made from, the last runs, and what sessions have been given; all of it is bounded.
 *
 * An erasure drops every kept surface, because each quotes memories and can be made again, and what tells that an erased
 * item was given to a session.
 */
import { type KeptSurface, packedItems, RUNS_KEPT, type SurfaceRun, unpackedItems } from "../briefing/surface-lines.ts";
import { among, each, hint, isText, uniqueBy, upTo } from "./dialect.ts";
import { isVisible } from "./filter.ts";
import {
  column,
  count,
  either,
  elsewhere,
  raw,
  type Room,
  row,
  rows,
  rowsAs,
  send,
  type Sql,
  sql,
  type Steps,
  together,
  value,
  type Writers,
} from "./sql.ts";
import type { ContextReads } from "./store.ts";

type SurfaceRow = Omit<KeptSurface, "items" | "told"> & { items: string };
type RunRow = Omit<SurfaceRun, "items" | "isCached"> & { items: string; isCached: number };

const BRANCHES_KEPT = 20;
const INJECTIONS_KEPT = 20_000;
/** Where the newest or best-known are all of other types, no more rows than this are looked at. */
const ROWS_MOST = raw("500");

/** What a tool printed in several sessions is told to nobody unasked: `made` marks it, until somebody words it anew. */
const IS_WORDED = either(
  sql`(item.details ->> '$.made' is null or item.details ->> '$.made' <> item.hash)`,
  sql`strpos(item.details, '"made":"' || item.hash || '"') = 0`,
);

const toRun = (row: RunRow): SurfaceRun => ({
  ...row,
  items: JSON.parse(row.items) as SurfaceRun["items"],
  isCached: row.isCached === 1,
});

const injections = (session: string) =>
  rows<{ key: string; at: number }>(
    sql`select key, at from injection where ${isText("session", session)} order by at, key`,
  );

export const contextReads: Room<ContextReads> = {
  *surfaceCandidates({ now, types, visibleIn, ofEachType, newest: newestMost, notable }) {
    const holds = sql`item.status = 'active' and item.scope <> 'working'
      and (item.expires_at is null or item.expires_at > ${now})
      and (item.valid_from is null or item.valid_from <= ${now}) and (item.valid_until is null or item.valid_until > ${now})
      and ${isVisible(visibleIn)} and ${IS_WORDED}`;
    const isChosen = sql`${holds} and item.type ${among(types)}`;
    const ids = (query: Sql) => column<string>(query);
    const [mostAccesses, newest, linked, read, ...worth] = yield* together(
      value<number>(sql`select max(access_count) from memory_item where access_count > 0 and status = 'active'`),
      ids(sql`
        select item.id from memory_item item
        where item.seq in (select seq from memory_item order by created_at desc, id limit ${ROWS_MOST}) and ${isChosen}
        order by item.created_at desc, item.id ${upTo(newestMost)}`),
      // `cross join` keeps SQLite from reading all memories.
      ids(sql`
        select item.id from (select item_id, edges from in_degree order by edges desc limit ${ROWS_MOST}) linked
        cross join memory_item item
        where item.id = linked.item_id and ${isChosen} order by linked.edges desc, item.id ${upTo(notable)}`),
      ids(sql`
        select item.id from memory_item item
        where item.seq in (
            select seq from memory_item where access_count > 0 and status = 'active'
            order by access_count desc limit ${ROWS_MOST})
          and ${isChosen}
        order by item.access_count desc, item.id ${upTo(notable)}`),
      ...types.map((type) =>
        ids(sql`
          select item.id from memory_item item ${hint("indexed by memory_item_worth")} where item.type = ${type} and ${holds}
          order by item.confidence * 0.5 + item.priority * 0.02 desc, item.updated_at desc ${upTo(ofEachType)}`),
      ),
    );
    return {
      ids: [...new Set([...newest, ...worth.flat(), ...linked, ...read])],
      newest,
      mostAccesses: mostAccesses ?? 0,
    };
  },
  *keptSurface(branch) {
    const found = yield* row<SurfaceRow>(sql`
      select branch, text, tokens, items, made_at as "madeAt", fresh_until as "freshUntil", made_from as "madeFrom"
      from surface where ${isText("branch", branch)}`);
    return found ? { ...found, ...unpackedItems(found.items) } : null;
  },
  keptSurfaces: () => rows(sql`select branch, text from surface order by branch`),
  surfaceRuns: (limit) =>
    rowsAs(
      toRun,
      sql`select at, branch, tokens, items, ms, is_cached as "isCached" from surface_run order by seq desc ${upTo(limit)}`,
    ),
  *injectedIn(session) {
    return new Set((yield* injections(session)).map(({ key }) => key));
  },
  injections,
};

type Kind = "keep_surface" | "note_surface_run" | "drop_surfaces" | "note_injected" | "clear_injected";

export interface ContextLog {
  /** That of the journal, this transaction included. */
  lastHash(): string | Promise<string>;
}

export const contextWriters = (log: ContextLog): Writers<Kind> => ({
  *keep_surface({ surface, expectedHead }) {
    const { branch, text, tokens, madeAt, freshUntil, madeFrom } = surface;
    if ((yield* elsewhere(() => log.lastHash())) !== expectedHead) return "memories were changed in the meantime";
    yield* send(
      sql`insert into surface (branch, text, tokens, items, made_at, fresh_until, made_from)
      values (${branch}, ${text}, ${tokens}, ${packedItems(surface)}, ${madeAt}, ${freshUntil}, ${madeFrom})
      on conflict (${uniqueBy("branch")}) do update set text = excluded.text, tokens = excluded.tokens, items = excluded.items,
        made_at = excluded.made_at, fresh_until = excluded.fresh_until, made_from = excluded.made_from`,
      sql`delete from surface
      where branch not in (select branch from surface order by made_at desc, branch limit ${BRANCHES_KEPT})`,
    );
    return null;
  },
  *note_surface_run({ run: { at, branch, tokens, items, ms, isCached } }) {
    yield* send(
      sql`insert into surface_run (at, branch, tokens, items, ms, is_cached)
      values (${at}, ${branch}, ${tokens}, ${JSON.stringify(items)}, ${ms}, ${isCached ? 1 : 0})`,
      sql`delete from surface_run where seq <= (select max(seq) from surface_run) - ${raw(String(RUNS_KEPT))}`,
    );
    return null;
  },
  *drop_surfaces({ branches, handovers }) {
    yield* send(
      sql`delete from surface`,
      sql`delete from surface_run where branch ${among(branches)}`,
      sql`delete from handover where id ${among(handovers)}`,
    );
    return null;
  },
  *note_injected({ session, keys, at, isFirst }) {
    const distinct = [...new Set(keys)];
    const noted = yield* count(sql`
      insert into injection (session, key, at)
      select ${session}, value, ${at} from ${each(distinct, "given")} where true on conflict do nothing`);
    if (isFirst && noted < distinct.length) return "the session has been given this already";
    yield* send(sql`
      delete from injection where at < (select at from injection order by at desc limit 1 offset ${INJECTIONS_KEPT})`);
    return null;
  },
  *clear_injected({ session }) {
    yield* send(sql`delete from injection where ${isText("session", session)}`);
    return null;
  },
});

/**
 * Drops what was injected before a time, which belongs to the events of its session, and surfaces that were made before
 * it: of a branch that nobody works on, one would quote memories long after they are gone.
 */
export const dropContext = (before: number): Steps<void> =>
  send(
    sql`delete from injection where at < ${before}`,
    sql`delete from surface where made_at < ${before}`,
    sql`delete from handover where at < ${before}`,
  );

export const eraseContext = (keys: readonly string[], sessions: readonly string[]): Steps<void> =>
  send(
    sql`delete from surface`,
    sql`delete from injection where key ${among(keys)}`,
    sql`delete from injection where session ${among(sessions)}`,
  );
