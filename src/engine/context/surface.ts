/**
 * The surface: what a session should know from its first word on, within a few hundred tokens.
 *
 * It is kept for each branch, and made again when anything in either store has changed, when something on it has ended by
 * the clock, or after a day. Being on the surface is no use of a memory: nothing is recorded as accessed.
 */
import { type SurfaceEntry, chooseLines } from "../../logic/context/choose-lines.ts";
import { FRAME_BYTES, renderSurface } from "../../logic/context/render-surface.ts";
import { type PreparedStatement, decisionReader, prepareStatement } from "../../logic/decisions/opposes-decision.ts";
import { wordingOf } from "../../logic/decisions/plan-ratify.ts";
import { estimatedTokens } from "../../logic/text/estimated-tokens.ts";
import type { KeptSurface, SurfaceItem, SurfaceRun } from "../../model/context/surface.ts";
import { DAY_MS } from "../../model/duration.ts";
import type { Item } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";
import { type SurfaceWorld, gatherSurface } from "./gather-surface.ts";

export interface SurfaceRequest {
  /** Whose memories come first; the branch that is checked out when omitted. */
  branch?: string | undefined;
  /** Makes it anew even if nothing has changed. */
  fresh?: boolean | undefined;
}

export interface Surface extends Pick<KeptSurface, "text" | "tokens" | "items" | "madeAt"> {
  cached: boolean;
}

export type SurfacingWorld = SurfaceWorld & Pick<World, "afterwards" | "origin" | "log">;

export async function surface(
  world: SurfacingWorld,
  { branch = world.place.branch() ?? "", fresh = false }: SurfaceRequest = {},
): Promise<Surface> {
  const startedAt = world.clock.now();
  const { state, head } = await stateOf(world);
  const kept = fresh ? null : await world.project.keptSurface(branch);
  const isFresh = kept?.madeFrom === state && kept.madeAt <= startedAt && startedAt < kept.freshUntil;
  const shown = isFresh ? kept : { ...(await build(branch, world)), madeFrom: state };
  const run: SurfaceRun = {
    ...{ at: startedAt, branch, tokens: shown.tokens, items: countsOf(shown.items) },
    ...{ ms: Math.max(0, world.clock.now() - startedAt), isCached: isFresh },
  };
  if (!world.project.readOnly)
    world.afterwards.add("keep the surface", async () => {
      if (!isFresh) await world.project.apply([{ kind: "keep_surface", surface: shown, expectedHead: head }], world.origin); // prettier-ignore
      await world.project.apply([{ kind: "note_surface_run", run }], world.origin, { impatient: true });
    });
  const { text, tokens, items, madeAt } = shown;
  return { text, tokens, items, madeAt, cached: isFresh };
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
const RULES = 1;

/** Every change that matters is in one of the journals, except access and made edges, which may wait for a day. */
async function stateOf({ project, global, settings }: SurfaceWorld): Promise<{ state: string; head: string }> {
  const [own, shared] = [await project.chainHead(), await global.chainHead()];
  const rules = Object.values(settings.surface).join(" ");
  return { state: [RULES, own.hash, shared.hash, settings.routing.preset, rules].join(" "), head: own.hash };
}

async function build(branch: string, world: SurfaceWorld): Promise<Omit<KeptSurface, "madeFrom">> {
  const { settings, clock } = world;
  const now = clock.now();
  const { entries, decisions, texts, changesAt } = await gatherSurface(branch, world);
  const isOpposed = opposedBy(decisions, texts);
  const lines = chooseLines(entries, settings.surface, { frameBytes: FRAME_BYTES, isOpposed });
  const text = renderSurface(lines);
  return {
    ...{ branch, text, tokens: estimatedTokens(text), madeAt: now, freshUntil: Math.min(now + DAY_MS, changesAt) },
    items: lines.map(({ id, shelf, category, rank }): SurfaceItem => ({ id, shelf, category, rank: rounded(rank) })),
  };
}

const rounded = (rank: number): number => Math.round(rank * 10_000) / 10_000;

/** Whether a decision in force says otherwise. Such a memory or proposal is left out: the decision holds. */
function opposedBy(decisions: readonly Item[], texts: ReadonlyMap<string, Item>): (entry: SurfaceEntry) => boolean {
  const readers = decisions.map((item) => {
    const { subject, decision: text, rejected } = wordingOf(item);
    return decisionReader({ subject, text, rejected });
  });
  return ({ id, shelf }) => {
    const item = texts.get(id);
    if (shelf === "decision" || !item) return false;
    const statement = statementOf(item, shelf);
    return readers.some((opposes) => opposes(statement) !== null);
  };
}

/** The title of a proposal is its subject; that of a memory may say anything. */
function statementOf({ title, content }: Item, shelf: SurfaceItem["shelf"]): PreparedStatement {
  if (shelf === "proposal") return prepareStatement(content, title);
  return prepareStatement(title ? `${title}. ${content}` : content);
}

function countsOf(items: readonly SurfaceItem[]): SurfaceRun["items"] {
  const counts: SurfaceRun["items"] = {};
  for (const { category } of items) counts[category] = (counts[category] ?? 0) + 1;
  return counts;
}
