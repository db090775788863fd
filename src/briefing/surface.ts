/**
 * The surface: what a session should know from its first word on, within a few hundred tokens.
 *
 * It is kept for each branch, and made again when anything in either store has changed, when something on it has ended by
 * the clock, or after a day. Being on the surface is no use of a memory: nothing is recorded as accessed.
 */
import { branchOf } from "../redaction/branch.ts";
import type { World } from "../world.ts";
import type { SurfaceWorld } from "./build-surface.ts";
import type { KeptSurface, SurfaceItem, SurfaceRun } from "./surface-lines.ts";

interface SurfaceRequest {
  /** Whose memories come first; the branch that is checked out when omitted. */
  branch?: string | undefined;
  /** Makes it anew even if nothing has changed. */
  fresh?: boolean | undefined;
}

interface Surface extends Pick<KeptSurface, "text" | "tokens" | "items" | "told" | "madeAt"> {
  cached: boolean;
}

type SurfacingWorld = SurfaceWorld & Pick<World, "afterwards" | "origin" | "log">;

export async function surface(
  world: SurfacingWorld,
  { branch: wanted, fresh = false }: SurfaceRequest = {},
): Promise<Surface> {
  const branch = wanted ?? (await branchOf(world)) ?? "";
  const startedAt = world.clock.now();
  const { state, head } = await stateOf(world);
  const kept = fresh ? null : await world.project.keptSurface(branch);
  const isKept = kept?.madeFrom === state && kept.madeAt <= startedAt && startedAt < kept.freshUntil;
  // What a person says of a note is in no journal.
  const isFresh = isKept && (await judgedAmong(kept.told.notes, world)).length === 0;
  const shown = isFresh ? kept : await built(branch, state, world);
  const run: SurfaceRun = {
    at: startedAt,
    branch,
    tokens: shown.tokens,
    items: countsOf(shown.items),
    ms: Math.max(0, world.clock.now() - startedAt),
    isCached: isFresh,
  };
  if (!world.project.readOnly)
    world.afterwards.add("keep the surface", async () => {
      if (!isFresh) await keepSurface(shown, head, world);
      await world.project.apply([{ kind: "note_surface_run", run }], world.origin, { impatient: true });
    });
  const { text, tokens, items, told, madeAt } = shown;
  return { text, tokens, items, told, madeAt, cached: isFresh };
}

const judgedAmong = async (notes: readonly string[], { project }: Pick<World, "project">) =>
  notes.length === 0 ? [] : project.noteVerdicts(notes);

/**
 * A purge erases first from the store that has the item, then from the surfaces that projects keep. The project's store
 * refuses what was made before an erasure in it; one in the global store is looked for before and after.
 */
async function keepSurface(shown: KeptSurface, expectedHead: string, world: SurfacingWorld): Promise<void> {
  const isCurrent = async () => (await stateOf(world)).state === shown.madeFrom;
  if (!(await isCurrent())) return;
  const keeping = { kind: "keep_surface", surface: shown, expectedHead } as const;
  await world.project.apply([keeping], world.origin);
  if (await isCurrent()) return;
  const nothing = {
    ...shown,
    text: "",
    tokens: 0,
    items: [],
    told: { sources: [], files: [], notes: [] },
    freshUntil: shown.madeAt,
  };
  await world.project.apply([{ ...keeping, surface: nothing }], world.origin);
}

/** Makes it again after a digest, so that the next session need not wait; whoever calls this has done what they were asked for. */
export async function refreshSurface(world: SurfacingWorld): Promise<void> {
  if (world.project.readOnly) return;
  try {
    await surface(world);
  } catch (thrown) {
    world.log.warn(`the surface was not made again: ${(thrown as Error).message}`);
  }
}

/** A new number makes every kept surface out of date. */
const RULES = 6;

/**
 * Every change that matters is in one of the journals, except access and made edges, which may wait for a day, and the
 * zone, in which days are told: its offset is known without loading zones.
 */
async function stateOf({
  project,
  global,
  settings,
  clock,
  zone,
}: SurfaceWorld): Promise<{ state: string; head: string }> {
  const [own, shared] = [await project.chainHead(), await global.chainHead()];
  const rules = Object.values(settings.surface).join(" ");
  const [last] = await project.sessionCards({ limit: 1 });
  const session = last ? `${last.card.session} ${last.turns}` : "";
  const parts = [RULES, zone.offsetMs(clock.now()), own.hash, shared.hash, settings.routing.preset, session, rules];
  return { state: parts.join(" "), head: own.hash };
}

/** Loaded only when it is needed: a session usually finds its surface ready. */
async function built(branch: string, madeFrom: string, world: SurfaceWorld): Promise<KeptSurface> {
  const { buildSurface } = await import("./build-surface.ts");
  return { ...(await buildSurface(branch, world)), madeFrom };
}

function countsOf(items: readonly SurfaceItem[]): SurfaceRun["items"] {
  const counts: SurfaceRun["items"] = {};
  for (const { category } of items) counts[category] = (counts[category] ?? 0) + 1;
  return counts;
}
