/** Makes the surface of a branch from what both stores have. What a decision in force opposes is left out. */
import { holding } from "../decisions/chain.ts";
import { decisionReader, type PreparedStatement, prepareStatement } from "../decisions/opposes-decision.ts";
import { wordingOf } from "../decisions/ratify-rules.ts";
import { decayedConfidence } from "../maintenance/aging.ts";
import type { Item } from "../memory/item.ts";
import { toldBeside } from "../memory/neighbours.ts";
import { stalenessOf, type StalenessWorld } from "../memory/stale.ts";
import { restrictingSpaceIn } from "../recall/places.ts";
import type { Outline } from "../recall/search.ts";
import { tellLastSessions } from "../sessions/handover.ts";
import type { Store } from "../store/store.ts";
import { estimatedTokens } from "../text/tokens.ts";
import { tellingStems } from "../text/words.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { Stores, World } from "../world.ts";
import { hasWords } from "./lines.ts";
import {
  type Category,
  CATEGORY_OF_TYPE,
  chooseLines,
  FRAME,
  type KeptSurface,
  lineOf,
  renderSurface,
  shortlisted,
  SURFACE_TYPES,
  type SurfaceEntry,
  type SurfaceItem,
  surfaceRank,
  textOf,
} from "./surface-lines.ts";

/**
 * Gathers what may be on the surface: decisions in force, pending proposals, and memories of both stores.
 *
 * However many there are, only a few hundred are ranked and the texts of about a hundred are read.
 */
const OF_EACH_TYPE = 25;
const NEWEST = 60;
const NOTABLE = 20;
const DECISIONS_READ = 50;
const PROPOSALS_READ = 20;

export type SurfaceWorld = Stores & StalenessWorld & Pick<World, "clock" | "settings" | "zone">;

interface Gathered {
  entries: SurfaceEntry[];
  /** Those in force, latest first. */
  decisions: Item[];
  /** Memories and proposals. */
  texts: Map<string, Item>;
  /** When the first of them begins or ends by the clock. */
  changesAt: number;
}

interface Ranked extends SurfaceItem {
  item: Item;
}

async function gatherSurface(branch: string, world: SurfaceWorld): Promise<Gathered> {
  const now = world.clock.now();
  const { decisions, changesAt } = await decisionsInForce(now, world);
  const proposals = await world.project.list(
    "proposal",
    { statuses: ["pending"], now },
    { limit: PROPOSALS_READ, offset: 0 },
  );
  const memories = (
    await Promise.all([world.project, world.global].map((store) => memoriesIn(store, branch, world)))
  ).flat();
  const stated = (shelf: "decision" | "proposal") => (item: Item) => ({
    id: item.id,
    shelf,
    category: "decision" as const,
    item,
    rank: surfaceRank({ ...item, centrality: 0, isOfBranch: isOf(branch, item) }, 0),
  });
  const { characters } = termsOf(world);
  const ranked: Ranked[] = [
    ...decisions.map(stated("decision")),
    // A pick that nobody looked at yet says less than the session that it was made in.
    ...proposals.items.filter(({ source }) => source !== "extraction").map(stated("proposal")),
    ...memories,
  ].filter(({ item }) => hasWords(textOf(item, characters)));
  const beside = await toldBeside(ranked, ({ item, shelf }, below) => ({ ...below, id: item.id, item, shelf }), world);
  const told = rankedBeside(beside.list, beside.above);
  const stale = await stalenessOf(
    memories.map(({ item }) => item),
    world,
  );
  const ends = told.flatMap(({ item }) => [item.validFrom, item.validUntil, item.expiresAt]);
  const entries = told.map((one) =>
    entryOf(
      one,
      {
        stale: stale.get(one.id) ?? null,
        above: beside.above.get(one.id),
        apart: beside.apart(one.id),
        beside: beside.wordsOf(one.id),
      },
      world,
    ),
  );
  return {
    entries,
    decisions,
    texts: new Map(told.map(({ id, item }) => [id, item])),
    changesAt: ends.reduce<number>((first, at) => (at !== null && at > now ? Math.min(first, at) : first), changesAt),
  };
}

/** What stands above another is worth at least as much room. */
function rankedBeside(told: readonly Ranked[], above: ReadonlyMap<string, string>): Ranked[] {
  const ranks = new Map(told.map(({ id, rank }) => [id, rank]));
  // From the end: what stands above others stands before them.
  for (const { id } of told.toReversed()) {
    const upper = above.get(id);
    if (upper !== undefined) ranks.set(upper, Math.max(ranks.get(upper) ?? 0, ranks.get(id)!));
  }
  return told.map((one) => ({ ...one, rank: ranks.get(one.id)! }));
}

async function decisionsInForce(
  now: number,
  { project }: Pick<World, "project">,
): Promise<{ decisions: Item[]; changesAt: number }> {
  const outlines = (await project.decisionOutlines(now)).filter(({ status }) => status === "active");
  const ids = holding(outlines, now)
    .slice(0, DECISIONS_READ)
    .map(({ id }) => id);
  const read = new Map((await project.items("decision", ids)).map((item) => [item.id, item]));
  const moments = outlines.flatMap(({ validFrom, validUntil }) => [validFrom ?? 0, validUntil ?? 0]);
  return {
    decisions: ids.flatMap((id) => read.get(id) ?? []),
    changesAt: Math.min(Infinity, ...moments.filter((at) => at > now)),
  };
}

async function memoriesIn(store: Store, branch: string, world: SurfaceWorld): Promise<Ranked[]> {
  const { ids, newest, mostAccesses } = await store.surfaceCandidates({
    now: world.clock.now(),
    types: SURFACE_TYPES,
    ofEachType: OF_EACH_TYPE,
    newest: NEWEST,
    notable: NOTABLE,
    ...(store === world.global && { visibleIn: restrictingSpaceIn(world) }),
  });
  const outlines = await store.outlines("memory", ids);
  const ranked = new Map(
    outlines.flatMap((outline) => {
      const category = categoryOf(outline.type);
      if (category === undefined) return [];
      return [[outline.id, { id: outline.id, category, rank: rankOf(outline, branch, mostAccesses, world) }]];
    }),
  );
  const listed = new Set([...shortlisted([...ranked.values()]).map(({ id }) => id), ...newest]);
  return (await store.items("memory", [...listed])).flatMap((item) => {
    const place = ranked.get(item.id);
    return place ? [{ ...place, shelf: "memory" as const, item }] : [];
  });
}

const categoryOf = (type: string | null): Category | undefined =>
  Object.hasOwn(CATEGORY_OF_TYPE, type ?? "") ? CATEGORY_OF_TYPE[type as keyof typeof CATEGORY_OF_TYPE] : undefined;

const isOf = (branch: string, { context }: Pick<Item, "context">): boolean =>
  branch !== "" && context.branch === branch;

function rankOf(
  outline: Outline,
  branch: string,
  mostAccesses: number,
  { clock, settings }: Pick<World, "clock" | "settings">,
): number {
  const { fadesSince, type, confidence, accessCount, priority, rank } = outline;
  const centrality = rank ?? 0;
  const now = clock.now();
  const fading = { type: type ?? "", confidence, accessCount, centrality, updatedAt: fadesSince ?? now };
  const faded = decayedConfidence(fading, now, settings.decay);
  const by = { priority, centrality, accessCount, isOfBranch: isOf(branch, outline), confidence: faded };
  return surfaceRank(by, mostAccesses);
}

type ShownIn = Pick<World, "clock" | "settings" | "zone">;

const termsOf = ({ clock, settings, zone }: ShownIn) => ({
  now: clock.now(),
  zone,
  characters: settings.surface.lineCharacters,
});

function entryOf(
  ranked: Ranked,
  {
    above,
    apart,
    ...told
  }: { stale: string | null; above: string | undefined; apart: ReadonlySet<string>; beside: string | null },
  world: ShownIn,
): SurfaceEntry {
  const { id, shelf, category, rank, item } = ranked;
  const terms = termsOf(world);
  return {
    id,
    shelf,
    category,
    rank,
    createdAt: item.createdAt,
    line: lineOf({ item, shelf, ...told }, terms),
    ...(above !== undefined && { above }),
    apart,
    words: tellingStems(textOf(item, terms.characters)),
    isCaptured: shelf === "memory" && item.source === "extraction" && !item.pinned,
  };
}

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
    branch,
    text,
    tokens: estimatedTokens(text),
    madeAt: now,
    freshUntil: Math.min(now + DAY_MS, changesAt),
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
