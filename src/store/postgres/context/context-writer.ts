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
    async keep_surface({ surface, expectedHead }: Of<"keep_surface">): Promise<string | null> {
      const { told: _, ...columns } = surface;
      if ((await log.lastHash()) !== expectedHead) return "memories were changed in the meantime";
      await statements.keep.run({ ...columns, items: packedItems(surface) });
      await statements.trimBranches.run();
      return null;
    },
    async note_surface_run({ run }: Of<"note_surface_run">): Promise<null> {
      await statements.noteRun.run({ ...run, items: JSON.stringify(run.items), isCached: run.isCached ? 1 : 0 });
      await statements.trimRuns.run();
      return null;
    },
    async drop_surfaces({ branches, handovers }: Of<"drop_surfaces">): Promise<null> {
      await statements.dropSurfaces.run();
      await statements.dropRuns.run({ branches });
      await statements.dropHandovers.run({ handovers });
      return null;
    },
    async note_injected({ session, keys, at, isFirst }: Of<"note_injected">): Promise<string | null> {
      const distinct = [...new Set(keys)];
      const noted = await statements.inject.run({ session, keys: distinct, at });
      if (isFirst && noted < distinct.length) return "the session has been given this already";
      await statements.trimInjections.run();
      return null;
    },
    async clear_injected({ session }: Of<"clear_injected">): Promise<null> {
      await statements.clear.run({ session });
      return null;
    },
  };
}

/**
 * Drops what was injected before a time, which belongs to the events of its session, and surfaces that were made before
 * it: of a branch that nobody works on, one would quote memories long after they are gone.
 */
export function contextDropper(db: Database): (before: number) => Promise<void> {
  const injections = db.prepare(`delete from injection where at < @before`);
  const surfaces = db.prepare(`delete from surface where made_at < @before`);
  const handovers = db.prepare(`delete from handover where at < @before`);
  return async (before) => {
    await injections.run({ before });
    await surfaces.run({ before });
    await handovers.run({ before });
  };
}

export function contextEraser(db: Database): (keys: readonly string[], sessions: readonly string[]) => Promise<void> {
  const surfaces = db.prepare(`delete from surface`);
  const injections = db.prepare(
    `delete from injection where key = any (@keys::text[]) or session = any (@sessions::text[])`,
  );
  return async (keys, sessions) => {
    await surfaces.run();
    await injections.run({ keys, sessions });
  };
}

function prepare(db: Database) {
  return {
    keep: db.prepare(`
      insert into surface (branch, text, tokens, items, made_at, fresh_until, made_from)
      values (@branch, @text, @tokens, @items, @madeAt, @freshUntil, @madeFrom)
      on conflict (md5(branch)) do update set text = excluded.text, tokens = excluded.tokens, items = excluded.items,
        made_at = excluded.made_at, fresh_until = excluded.fresh_until, made_from = excluded.made_from`),
    trimBranches: db.prepare(`
      delete from surface
      where branch in (select branch from surface order by made_at desc, branch offset ${BRANCHES_KEPT})`),
    noteRun: db.prepare(`
      insert into surface_run (at, branch, tokens, items, ms, is_cached)
      values (@at, @branch, @tokens, @items, @ms, @isCached)`),
    trimRuns: db.prepare(`
      delete from surface_run where seq <= (select max(seq) from surface_run) - ${RUNS_KEPT}`),
    dropSurfaces: db.prepare(`delete from surface`),
    dropRuns: db.prepare(`delete from surface_run where branch = any (@branches::text[])`),
    dropHandovers: db.prepare(`delete from handover where id = any (@handovers::text[])`),
    inject: db.prepare(`
      insert into injection (session, key, at)
      select @session, key, @at from unnest(@keys::text[]) key on conflict do nothing`),
    trimInjections: db.prepare(`
      delete from injection
      where at < (select at from injection order by at desc offset ${INJECTIONS_KEPT} limit 1)`),
    clear: db.prepare(`delete from injection where md5(session) = md5(@session) and session = @session`),
  };
}
