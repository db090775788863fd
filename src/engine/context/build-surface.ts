/** Makes the surface of a branch from what both stores have. What a decision in force opposes is left out. */
import { type SurfaceEntry, chooseLines } from "../../logic/context/choose-lines.ts";
import { FRAME, renderSurface } from "../../logic/context/render-surface.ts";
import { type PreparedStatement, decisionReader, prepareStatement } from "../../logic/decisions/opposes-decision.ts";
import { wordingOf } from "../../logic/decisions/plan-ratify.ts";
import { estimatedTokens } from "../../logic/text/estimated-tokens.ts";
import type { KeptSurface, SurfaceItem } from "../../model/context/surface.ts";
import { DAY_MS } from "../../model/duration.ts";
import type { Item } from "../../model/memory/item.ts";
import { tellLastSessions } from "../sessions/last-sessions.ts";
import { type SurfaceWorld, gatherSurface } from "./gather-surface.ts";

export async function buildSurface(branch: string, world: SurfaceWorld): Promise<Omit<KeptSurface, "madeFrom">> {
  const { settings, clock } = world;
  const now = clock.now();
  const { entries, decisions, texts, changesAt } = await gatherSurface(branch, world);
  const isOpposed = opposedBy(decisions, texts);
  const told = await tellLastSessions(branch, world);
  const frameTokens = FRAME.frameTokens + told.tokens;
  const lines = chooseLines(entries, settings.surface, { ...FRAME, frameTokens, isOpposed });
  const text = renderSurface(lines, told.lines);
  return {
    ...{ branch, text, tokens: estimatedTokens(text), madeAt: now, freshUntil: Math.min(now + DAY_MS, changesAt) },
    told: { sources: told.sources, files: told.files, notes: told.notes },
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
