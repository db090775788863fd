/**
 * Writes the surface, the last runs and what sessions were given; all of it is bounded.
 *
 * An erasure drops every kept surface, because each quotes memories and can be made again, and what tells that an erased
 * item was given to a session.
 */
import { RUNS_KEPT, packedItems } from "../../../model/context/surface.ts";
import type { Change } from "../../../model/journal/change.ts";
import type { Database } from "../connection/database.ts";
import type { Journal } from "../journal/journal-writer.ts";

type Of<Kind extends Change["kind"]> = Extract<Change, { kind: Kind }>;

const BRANCHES_KEPT = 20;
const INJECTIONS_KEPT = 20_000;

export function contextWriter(db: Database, log: Journal) {
  const statements = prepare(db);
  return {
    keep_surface({ surface, expectedHead }: Of<"keep_surface">): string | null {
      const { told: _, ...columns } = surface;
      if (log.lastHash() !== expectedHead) return "memories were changed in the meantime";
      statements.keep.run({ ...columns, items: packedItems(surface) });
      statements.trimBranches.run();
      return null;
    },
    note_surface_run({ run }: Of<"note_surface_run">): null {
      statements.noteRun.run({ ...run, items: JSON.stringify(run.items), isCached: run.isCached ? 1 : 0 });
      statements.trimRuns.run();
      return null;
    },
    drop_surfaces({ branches, handovers }: Of<"drop_surfaces">): null {
      statements.dropSurfaces.run();
      statements.dropRuns.run(JSON.stringify(branches));
      statements.dropHandovers.run(JSON.stringify(handovers));
      return null;
    },
    note_injected({ session, keys, at, isFirst }: Of<"note_injected">): string | null {
      const { changes } = statements.inject.run({ session, keys: JSON.stringify(keys), at });
      if (isFirst && changes < new Set(keys).size) return "the session has been given this already";
      statements.trimInjections.run();
      return null;
    },
    clear_injected({ session }: Of<"clear_injected">): null {
      statements.clear.run(session);
      return null;
    },
  };
}

/**
 * Drops what was injected before a time, which belongs to the events of its session, and surfaces that were made before
 * it: of a branch that nobody works on, one would quote memories long after they are gone.
 */
export function contextDropper(db: Database): (before: number) => void {
  const injections = db.prepare<[number]>(`delete from injection where at < ?`);
  const surfaces = db.prepare<[number]>(`delete from surface where made_at < ?`);
  const handovers = db.prepare<[number]>(`delete from handover where at < ?`);
  return (before) => {
    injections.run(before);
    surfaces.run(before);
    handovers.run(before);
  };
}

export function contextEraser(db: Database): (keys: readonly string[], sessions: readonly string[]) => void {
  const surfaces = db.prepare<[]>(`delete from surface`);
  const byKey = db.prepare<[string]>(`delete from injection where key in (select value from json_each(?))`);
  const bySession = db.prepare<[string]>(`delete from injection where session in (select value from json_each(?))`);
  return (keys, sessions) => {
    surfaces.run();
    byKey.run(JSON.stringify(keys));
    bySession.run(JSON.stringify(sessions));
  };
}

function prepare(db: Database) {
  return {
    keep: db.prepare<[object]>(`
      insert into surface (branch, text, tokens, items, made_at, fresh_until, made_from)
      values (@branch, @text, @tokens, @items, @madeAt, @freshUntil, @madeFrom)
      on conflict (branch) do update set text = excluded.text, tokens = excluded.tokens, items = excluded.items,
        made_at = excluded.made_at, fresh_until = excluded.fresh_until, made_from = excluded.made_from`),
    trimBranches: db.prepare<[]>(`
      delete from surface
      where branch in (select branch from surface order by made_at desc, branch limit -1 offset ${BRANCHES_KEPT})`),
    noteRun: db.prepare<[object]>(`
      insert into surface_run (at, branch, tokens, items, ms, is_cached)
      values (@at, @branch, @tokens, @items, @ms, @isCached)`),
    trimRuns: db.prepare<[]>(`
      delete from surface_run where seq <= (select max(seq) from surface_run) - ${RUNS_KEPT}`),
    dropSurfaces: db.prepare<[]>(`delete from surface`),
    dropRuns: db.prepare<[string]>(`delete from surface_run where branch in (select value from json_each(?))`),
    dropHandovers: db.prepare<[string]>(`delete from handover where id in (select value from json_each(?))`),
    inject: db.prepare<[object]>(`
      insert into injection (session, key, at)
      select @session, value, @at from json_each(@keys) where true on conflict do nothing`),
    trimInjections: db.prepare<[]>(`
      delete from injection
      where at < (select at from injection order by at desc limit 1 offset ${INJECTIONS_KEPT})`),
    clear: db.prepare<[string]>(`delete from injection where session = ?`),
  };
}
