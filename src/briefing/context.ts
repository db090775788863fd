/**
 * Gathers a context window: working memories, relevant ones, patterns, suggestions and ghost messages, within a budget.
 *
 * With a question, only what answers it is relevant; without one, what is new and what the texts of working memories
 * find. Every read is bounded, whatever the size of the store. Being shown here does not count as use.
 */
import { decisionsInForce, pendingProposals } from "../decisions/read-decisions.ts";
import type { Relation } from "../graph/edges.ts";
import { identityOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { toldBeside, unsettled } from "../memory/neighbours.ts";
import type { Shelf } from "../memory/shelves.ts";
import { isoTime, otherSessionOf } from "../memory/shown-item.ts";
import { stalenessOf } from "../memory/stale.ts";
import { weightOf } from "../recall/blend.ts";
import type { Hit } from "../recall/hit.ts";
import { CLEAR } from "../recall/ranking.ts";
import { joinReasons, recall } from "../recall/recall.ts";
import type { Filter } from "../recall/search.ts";
import { BLOCK_END, BLOCK_START } from "../sessions/clean-text.ts";
import { isPrinted } from "../sessions/errors.ts";
import { contentHash } from "../text/content-hash.ts";
import type { Zone } from "../time/calendar.ts";
import { dayIn } from "../time/shown.ts";
import type { World } from "../world.ts";
import {
  countedConventions,
  rankPatterns,
  type SuggestionGrounds,
  suggestionsFor,
  workLanguage,
} from "./context-parts.ts";
import { marked, plainLine, titledLine, windowLine } from "./lines.ts";
import {
  type ContextWindow,
  type GhostMessage,
  type Pattern,
  trimWindow,
  type WindowMemory,
  windowTokens,
} from "./window.ts";

/**
 * Ghost messages: what a host may tell the model unseen.
 *
 * Each is marked as recalled memory, so that it is never captured as if somebody had said it, and states facts with
 * handle and date. They speak as a user would: stored text must not have the authority of the system.
 */
const STATED_MOST = 3;
const STATED_CHARACTERS = 160;
const ID_DIGITS = 32;

type Stated = Pick<WindowMemory, "handle" | "title" | "content" | "createdAt">;

const PROBLEMS: readonly string[] = ["bug_fix", "gotcha", "error"];

export function ghostMessages(
  { decisions, memories }: { decisions: readonly Stated[]; memories: readonly WindowMemory[] },
  { now, zone }: { now: number; zone: Zone },
): GhostMessage[] {
  const ofTypes = (types: readonly string[]) =>
    memories.filter(({ shelf, type }) => shelf === "memory" && types.includes(type));
  const messages: [GhostMessage["trigger"], string, readonly Stated[]][] = [
    ["decisions_in_force", "Decisions in force in this project", decisions],
    ["known_problems", "Problems known in this project", ofTypes(PROBLEMS)],
    ["preferences", "Preferences of the person", ofTypes(["preference"])],
  ];
  return messages
    .filter(([, , stated]) => stated.length > 0)
    .map(([trigger, title, stated]) => {
      const lines = stated.slice(0, STATED_MOST).map((one) => lineOf(one, zone));
      const content = [BLOCK_START, `${title}, recalled as data:`, ...lines, BLOCK_END].join("\n");
      const id = contentHash(`${trigger} ${content}`).slice(0, ID_DIGITS);
      return { id, role: "user", content, timestamp: new Date(now).toISOString(), isVisible: false, trigger };
    });
}

const lineOf = ({ handle, title, content, createdAt }: Stated, zone: Zone): string =>
  `- ${titledLine({ title, content }, STATED_CHARACTERS)} (${plainLine(handle)}, ${dayIn(createdAt, zone)})`;

/**
 * The memories of a context window for which nobody has asked: the recent ones of the project, and global ones that the
 * working memories find, in one order.
 *
 * A recent one has the base 0.8, a found one its match; both are multiplied by weight / 3.
 */
const RECENT_BASE = 0.8;
const NEUTRAL_WEIGHT = 3;

interface Known {
  priority: number;
}

interface Relevant<Entry> {
  entry: Entry;
  relevance: number;
  /** It stands there because it is new, not because it was found. */
  isRecent: boolean;
}

/** Equal ones stay in the order given, recent ones first. */
export function relevantMemories<Entry extends Known>(
  recent: readonly Entry[],
  found: readonly { entry: Entry; match: number }[],
  limit: number,
): Relevant<Entry>[] {
  const weighted = (entry: Entry, match: number) => match * (weightOf(entry.priority) / NEUTRAL_WEIGHT);
  return [
    ...recent.map((entry) => ({ entry, relevance: weighted(entry, RECENT_BASE), isRecent: true })),
    ...found.map(({ entry, match }) => ({ entry, relevance: weighted(entry, match), isRecent: false })),
  ]
    .sort((one, two) => two.relevance - one.relevance)
    .slice(0, limit);
}

/** Memories are sought among so many of the newest. */
const ROWS = 5_000;
const RECENT_MOST = 5;
const FOUND_MOST = 5;
/** The latest working memories whose texts are the question, if none is given. */
const ASKING_MEMORIES = 3;
const ASKING_CHARACTERS = 2_000;
/** Nobody has asked for what working memories find, so guesses are left out. */
const GUESS_BELOW = 0.35;
const LINE_CHARACTERS = 300;
/** Conventions are counted in so many of the files that were indexed last. */
const COUNTED_FILES = 500;
const STATED_PATTERNS_MOST = 50;
const PROPOSALS_MOST = 5;
const EDGES_MOST = 5;
const GHOST_DECISIONS = 3;

interface ContextAnswer extends ContextWindow {
  tokens: number;
  degraded: string | null;
}

/** An item with its shelf. */
interface Placed extends Item {
  shelf: Shelf;
}

export async function contextWindow(query: string | undefined, world: World): Promise<ContextAnswer> {
  const { settings, zone } = world;
  const limits = settings.context;
  const now = world.clock.now();
  const working = await workingMemories(world);
  const { relevant, hits, degraded } = await (query === undefined ? nearWork(working, world) : answering(query, world));
  const beside = await toldBeside(
    relevant.map((one) => ({ ...one, id: one.entry.id })),
    ({ item, shelf }, below) => ({ ...below, id: item.id, entry: { ...item, shelf } }),
    world,
  );
  const told = beside.list;
  const shown = [...working.slice(0, limits.working), ...told.map(({ entry }) => entry)];
  const [patterns, stale] = [await patternsFor(working, shown, world), await stalenessOf(shown, world)];
  const viewed = (entries: readonly Relevant<Placed>[]) => entries.map((one) => viewOf(one, stale));
  const memories = viewed(told).map((one) => {
    const words = beside.wordsOf(one.id);
    return words === null ? one : { ...one, content: `(${plainLine(words)}) ${one.content}` };
  });
  const suggestions = await suggestionGrounds({ shown, stale, hits }, world);
  const window = trimWindow(
    {
      working: working.slice(0, limits.working).map((entry) => workingViewOf(entry, stale, world)),
      relevant: memories,
      patterns,
      suggestions: suggestionsFor(suggestions, limits.suggestions),
      ghostMessages: ghostMessages({ decisions: await decisionsStated(world), memories }, { now, zone }),
    },
    limits.budgetTokens,
    zone,
  );
  return { ...window, tokens: windowTokens(window, zone), degraded: joinReasons([degraded], world) };
}

type Asked = Omit<Partial<Filter>, "now">;

async function newest(filter: Asked, limit: number, { project, clock }: World): Promise<Placed[]> {
  const now = clock.now();
  const found = await project.newest(
    "memory",
    { statuses: ["active"], validAt: now, ...filter, now },
    { limit, rows: ROWS },
  );
  return found.map((item) => ({ ...item, shelf: "memory" }));
}

/** Those of this session first. */
async function workingMemories(world: World): Promise<Placed[]> {
  const { session } = world.origin;
  const most = Math.max(world.settings.context.working, ASKING_MEMORIES);
  const own = await newest({ scopes: ["working"], session }, most, world);
  const all = await newest({ scopes: ["working"] }, most * 2, world);
  return [...own, ...all.filter((item) => item.session !== session)].slice(0, most);
}

interface Found {
  relevant: Relevant<Placed>[];
  hits: Hit[];
  degraded: string | null;
}

const SESSION_CHARACTERS = 40;
const ASKING = { mode: "hybrid", quiet: true } as const;

/** What recall would answer, in its order, and no more. */
async function answering(query: string, world: World): Promise<Found> {
  const limit = world.settings.context.relevant;
  if (limit === 0 || query.trim() === "") return { relevant: [], hits: [], degraded: null };
  const shelves: Shelf[] = ["memory", "decision"];
  const filter = { scopes: ["project", "global"] } as const;
  const { hits, degraded } = await recall({ ...ASKING, query, limit, threshold: CLEAR, shelves, filter }, world);
  const entries = await itemsOf(hits, world);
  return {
    relevant: entries.map(({ entry, match }) => ({ entry, relevance: match, isRecent: false })),
    hits,
    degraded,
  };
}

/** The texts of working memories find only what is global: of the project, the newest are shown anyway. */
async function nearWork(working: readonly Placed[], world: World): Promise<Found> {
  const recent = (await newest({ scopes: ["project"] }, RECENT_MOST, world)).filter((item) => !isPrinted(item));
  const texts = working.slice(0, ASKING_MEMORIES).map(({ content }) => content);
  const query = texts.join(" ").slice(0, ASKING_CHARACTERS).toWellFormed();
  const asked = { query, limit: FOUND_MOST, threshold: GUESS_BELOW, shelves: ["memory"] as const };
  const { hits, degraded } =
    query.trim() === ""
      ? { hits: [], degraded: null }
      : await recall({ ...ASKING, ...asked, filter: { scopes: ["global"] } }, world);
  const found = await itemsOf(hits, world);
  return { relevant: relevantMemories(recent, found, world.settings.context.relevant), hits, degraded };
}

/** Without those that were removed in the meantime. */
async function itemsOf(hits: readonly Hit[], world: World): Promise<{ entry: Placed; match: number }[]> {
  const read = await Promise.all(hits.map(async (hit) => ({ match: hit.relevance, entry: await itemOf(hit, world) })));
  return read.flatMap(({ match, entry }) => (entry ? [{ match, entry }] : []));
}

async function itemOf({ id, scope, shelf }: Hit, { project, global }: World): Promise<Placed | null> {
  const [item] = await (scope === "global" ? global : project).items(shelf, [id]);
  return item ? { ...item, shelf } : null;
}

function viewOf(
  { entry, relevance, isRecent }: Omit<Relevant<Placed>, "relevance"> & { relevance: number | null },
  stale: ReadonlyMap<string, string>,
): WindowMemory {
  const { id, shelf, scope, type, title, content, createdAt, source } = entry;
  const reason = stale.get(id);
  return {
    ...identityOf(id),
    shelf,
    scope,
    type,
    createdAt: isoTime(createdAt),
    title: title === null ? null : windowLine(title, LINE_CHARACTERS),
    content: marked(windowLine(content, LINE_CHARACTERS), source),
    relevance: relevance === null ? null : Math.round(relevance * 1_000) / 1_000,
    isRecent,
    stale: reason === undefined ? null : windowLine(reason, LINE_CHARACTERS),
  };
}

function workingViewOf(entry: Placed, stale: ReadonlyMap<string, string>, world: World): WindowMemory {
  const { otherSession } = otherSessionOf(entry, world);
  const whose = otherSession !== undefined && { otherSession: windowLine(otherSession, SESSION_CHARACTERS) };
  return { ...viewOf({ entry, relevance: null, isRecent: false }, stale), ...whose };
}

async function patternsFor(working: readonly Placed[], shown: readonly Item[], world: World): Promise<Pattern[]> {
  const { patterns: limit } = world.settings.context;
  if (limit === 0) return [];
  const stated = await newest({ scopes: ["project"], types: ["pattern", "convention"] }, STATED_PATTERNS_MOST, world);
  const isShown = new Set(shown.map(({ id }) => id));
  const counts = await world.project.conventionCounts(COUNTED_FILES);
  const language = workLanguage(working, counts.paths);
  const others = stated.filter(({ id }) => !isShown.has(id));
  return rankPatterns(others, countedConventions(counts), { language, limit });
}

async function suggestionGrounds(
  { shown, stale, hits }: { shown: readonly Placed[]; stale: ReadonlyMap<string, string>; hits: readonly Hit[] },
  world: World,
): Promise<SuggestionGrounds> {
  const { project } = world;
  const own = shown.filter(({ shelf, scope }) => shelf === "memory" && scope !== "global").map(({ id }) => id);
  const edgesOf = (relation: Relation, made?: true) =>
    project.edgesOf("memory", own, {
      statuses: ["active", "suggested"],
      neighbours: ["active"],
      limit: EDGES_MOST,
      relations: [relation],
      ...(made && { made }),
    });
  const [contradicting, alike] = [await edgesOf("contradicts"), await edgesOf("relates_to", true)];
  const ends = new Set([...contradicting, ...alike].flatMap(({ source, target }) => [source, target]));
  const memories = await project.items("memory", [...ends]);
  const { items } = await pendingProposals(PROPOSALS_MOST, world);
  return {
    proposals: items.map(({ id, subject, decision }) => ({ id, subject: subject ?? "", decision })),
    stale: [...stale].map(([id, reason]) => ({ id, reason })),
    opposed: hits.flatMap(({ id, contradicts }) =>
      contradicts.map((decision) => ({ id, decision: decision.id, why: decision.why })),
    ),
    near: (await unsettled(own, world))
      .filter(({ above, below }) => above.shelf === "memory" && below.shelf === "memory")
      .slice(0, EDGES_MOST)
      .map(({ above, below, kind }) => ({
        newer: above.item.id,
        older: below.item.id,
        contradicts: kind === "contradicts",
      })),
    contradicting,
    alike,
    memories: new Map(memories.map((item) => [item.id, item])),
    isIndexed: (await project.lastLook()) !== null,
  };
}

const decisionsStated = async (world: World) =>
  (await decisionsInForce(GHOST_DECISIONS, world)).items.map(({ id, title, content, createdAt }) => ({
    ...identityOf(id),
    title,
    content,
    createdAt: isoTime(createdAt),
  }));
