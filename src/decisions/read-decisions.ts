/**
 * Finds the decisions that hold, or held at a given time: by subject, else through the subject's chain, else by
 * similarity; then related decisions.
 *
 * Reads only decisions, never memories or evidence. For a known subject without a current decision nothing similar is
 * returned, because that would only look like an answer.
 */
import { nearest } from "../errors.ts";
import { neighboursOf } from "../graph/edges.ts";
import { RELATED_MOST } from "../graph/related.ts";
import { identityOf } from "../memory/handles.ts";
import type { Item, Status } from "../memory/item.ts";
import { conditionsOf } from "../memory/neighbours.ts";
import { isoTime, isoTimeOrNull } from "../memory/shown-item.ts";
import type { HistoryWorld } from "../recall/build-hit.ts";
import { namedHits } from "../recall/explain.ts";
import type { Hit } from "../recall/hit.ts";
import type { RecallAnswer } from "../recall/places.ts";
import type { Mode } from "../recall/ranking.ts";
import { joinReasons, recall } from "../recall/recall.ts";
import type { DecisionOutline, Filter } from "../recall/search.ts";
import { redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";
import { type Decisions, holding, holdsAt, isVisible, predecessors, replacements, successors } from "./chain.ts";
import { comparedStems, comparedTerms } from "./contradiction.ts";
import { type Proposal, reasonOf } from "./decision.ts";
import { wordingOf } from "./ratify-rules.ts";
import { sameSubject, subjectKey } from "./subject.ts";

// Reads decisions and pending proposals for the decision verbs.
//
// Outlines of all decisions are read, because a chain may lead to any of them; full texts only
// of those that can matter.

/** A new decision is compared with at most this many of other subjects: those that share the most words. */
const COMPARED_MOST = 50;

/** A decision being made. */
interface Planned {
  id: string;
  /** Ids of items it would replace or relate to. */
  named: readonly string[];
  subject: string;
  text: string;
  validUntil: number | null;
}

type DecisionWorld = Pick<World, "project" | "clock">;

export async function readOutlines({ project, clock }: DecisionWorld): Promise<Map<string, DecisionOutline>> {
  return new Map((await project.decisionOutlines(clock.now())).map((outline) => [outline.id, outline]));
}

/**
 * The decisions that may matter to a new one: those it names and their successors, those that name it, those of its
 * subject, and those it may contradict.
 */
export async function readDecisions(world: DecisionWorld, planned: Planned): Promise<Map<string, Item>> {
  const outlines = await readOutlines(world);
  const ids = await idsFor(planned, outlines, world);
  return new Map((await world.project.items("decision", [...ids])).map((item) => [item.id, item]));
}

async function idsFor(
  { id, named, subject, text, validUntil }: Planned,
  outlines: ReadonlyMap<string, DecisionOutline>,
  { project, clock }: DecisionWorld,
): Promise<Set<string>> {
  const now = clock.now();
  const isAbout = sameSubject(subject);
  const ids = new Set([id, ...named, ...(await project.decisionsRelatingTo(id))]);
  for (const one of [id, ...named]) for (const later of successors(one, outlines)) ids.add(later.id);
  // A superseded decision has ended, so it cannot contradict one that has not.
  const isOver = validUntil !== null && validUntil <= now;
  const statuses: Status[] = isOver ? ["active", "superseded"] : ["active"];
  const others: string[] = [];
  for (const outline of outlines.values()) {
    const isOwn = outline.supersededBy === id || (isVisible(outline) && isAbout(outline.title ?? ""));
    if (isOwn) ids.add(outline.id);
    else if (statuses.includes(outline.status)) others.push(outline.id);
  }
  if (others.length <= COMPARED_MOST) return new Set([...ids, ...others]);
  const { frequency } = await project.wordStatistics("decision", comparedStems(text));
  const query = { terms: comparedTerms(text, frequency) };
  const near = await project.keyword("decision", query, { statuses, now }, COMPARED_MOST);
  return new Set([...ids, ...near.map(({ itemId }) => itemId)]);
}

function proposalOf(item: Item): Proposal {
  const { subject, decision, rationale, rejected, evidence, supersedes, relates } = wordingOf(item);
  const { id, status, source, host, session } = item;
  return {
    ...identityOf(id),
    subject: subject || null,
    decision,
    rationale,
    rejected,
    evidence,
    supersedes,
    relates,
    validFrom: isoTimeOrNull(item.validFrom),
    validUntil: isoTimeOrNull(item.validUntil),
    reason: reasonOf(item),
    status,
    source,
    host,
    session,
    createdAt: isoTime(item.createdAt),
  };
}

export async function listProposals(
  statuses: readonly Status[],
  page: { limit: number; offset: number },
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<{ items: Proposal[]; total: number }> {
  const { items, total } = await project.list("proposal", { statuses, now: clock.now() }, page);
  return { items: items.map(proposalOf), total };
}

export const pendingProposals = (
  limit: number,
  world: Pick<World, "project" | "clock">,
): Promise<{ items: Proposal[]; total: number }> => listProposals(["pending"], { limit, offset: 0 }, world);

/** The decisions that hold now, latest first, and how many there are. */
export async function decisionsInForce(limit: number, world: DecisionWorld): Promise<{ items: Item[]; total: number }> {
  const held = holding((await readOutlines(world)).values(), world.clock.now());
  const ids = held.slice(0, limit).map(({ id }) => id);
  const items = new Map((await world.project.items("decision", ids)).map((item) => [item.id, item]));
  return { items: ids.flatMap((id) => items.get(id) ?? []), total: held.length };
}

const RELATED_SHARE = 0.5;

interface DecisionsRequest {
  /** All subjects when omitted. */
  subject?: string | undefined;
  /** Now when omitted. */
  at?: number | undefined;
  limit: number;
  mode: Mode;
  /** Minimum relevance of decisions that are only similar. */
  threshold: number;
}

/** The newest proposals are enough to know what waits. */
const PROPOSALS_READ = 500;

/** The proposals that wait: on this subject, or those that a question about it finds; all without a subject. */
export async function waitingAbout(
  { subject, limit, mode, threshold }: Omit<DecisionsRequest, "at">,
  world: World,
): Promise<{ items: Proposal[]; total: number }> {
  if (subject === undefined) return pendingProposals(limit, world);
  const { items } = await pendingProposals(PROPOSALS_READ, world);
  if (items.length === 0) return { items, total: 0 };
  const titled = items.map(({ id, subject: title }) => ({ id, title }));
  const filter = { scopes: ["project"], statuses: ["pending"] } as const;
  const asked = { query: subject, mode, threshold, shelves: ["proposal"] as const, isRouted: true, quiet: true };
  const { hits } = await recall({ ...asked, limit: Math.min(items.length, FOUND_MOST), filter }, world);
  const ids = new Set([...nearSubject(subject, titled), ...hits].map(({ id }) => id));
  const about = items.filter(({ id }) => ids.has(id));
  return { items: about.slice(0, limit), total: about.length };
}

const FOUND_MOST = 50;

type Outlines = Decisions<DecisionOutline>;

export async function decisionsAbout(request: DecisionsRequest, world: World): Promise<RecallAnswer> {
  const at = request.at ?? world.clock.now();
  const decisions = await readOutlines(world);
  const { subjects, ...answer } = await answerFor({ ...request, at }, decisions, world);
  const others = request.limit - answer.hits.length;
  const found = new Set(answer.hits.map(({ id }) => id));
  const near = (await relatedTo(subjects, decisions, at, world)).filter(({ item }) => !found.has(item.id));
  const related = await relatedHits(near.slice(0, Math.max(0, others)), world);
  const told = [...answer.hits, ...related];
  const conditions = await conditionsOf(
    told.map(({ id }) => id),
    "decision",
    world,
  );
  const hits = told.map((hit) => {
    const followers = successors(hit.id, decisions).map(({ id }) => id);
    const when = conditions.get(hit.id);
    return { ...hit, related: [...new Set([...followers, ...hit.related])], ...(when && { conditions: when }) };
  });
  return { ...answer, hits };
}

interface Related {
  item: DecisionOutline;
  strength: number;
}

/** Decisions that hold and are one edge away from a decision of the subject or its predecessors; strongest first. */
async function relatedTo(
  subjects: readonly DecisionOutline[],
  decisions: Outlines,
  at: number,
  { project }: Pick<World, "project">,
): Promise<Related[]> {
  if (subjects.length === 0) return [];
  const replaced = replacements(decisions);
  const chains = subjects.map(
    ({ id }) => new Set([id, ...predecessors(id, decisions, replaced).map((item) => item.id)]),
  );
  const ids = [...new Set(chains.flatMap((chain) => [...chain]))];
  const edges = await project.edgesOf("decision", ids, { statuses: ["active"], limit: RELATED_MOST });
  const found = new Map<string, Related>();
  for (const { id, strength } of chains.flatMap((chain) => neighboursOf(chain, edges).slice(0, RELATED_MOST))) {
    const item = holdingInChain(id, decisions, at);
    if (item && strength > (found.get(item.id)?.strength ?? -1)) found.set(item.id, { item, strength });
  }
  return [...found.values()].sort((a, b) => b.strength - a.strength || (a.item.id < b.item.id ? -1 : 1));
}

/** The decision itself if it holds, else the one of its chain that does. */
function holdingInChain(id: string, decisions: Outlines, at: number): DecisionOutline | undefined {
  const own = decisions.get(id);
  if (!own || holdsAt(own, at)) return own;
  return [...successors(id, decisions), ...predecessors(id, decisions)].find((item) => holdsAt(item, at));
}

/** Related decisions score lower than direct answers. */
async function relatedHits(related: readonly Related[], world: HistoryWorld): Promise<Hit[]> {
  if (related.length === 0) return [];
  const strengths = new Map(related.map(({ item, strength }) => [item.id, strength]));
  const hits = await hitsOf(
    related.map(({ item }) => item),
    world,
  );
  return hits.map((hit) => {
    const strength = strengths.get(hit.id) ?? 0;
    const share = strength * RELATED_SHARE;
    return { ...hit, score: share, relevance: share, why: { related: strength } };
  });
}

/** In the same order, without those removed in the meantime. */
async function hitsOf(outlines: readonly DecisionOutline[], world: HistoryWorld, why: Hit["why"] = {}): Promise<Hit[]> {
  const ids = outlines.map(({ id }) => id);
  const items = new Map((await world.project.items("decision", ids)).map((item) => [item.id, item]));
  const found = ids.flatMap((id) => items.get(id) ?? []);
  return namedHits(found, { store: world.project, shelf: "decision" }, world, why);
}

type Timed = DecisionsRequest & { at: number };

async function answerFor(
  { subject, at, limit, mode, threshold }: Timed,
  decisions: Outlines,
  world: World,
): Promise<RecallAnswer & { subjects: readonly DecisionOutline[] }> {
  const filter: Partial<Filter> = { scopes: ["project"], statuses: ["active", "superseded"], validAt: at };
  const named = (outlines: readonly DecisionOutline[]): Promise<Hit[]> =>
    hitsOf(outlines.slice(0, limit), world, subject === undefined ? {} : { entity: 1 });
  const degraded = joinReasons([], world);
  if (subject === undefined)
    return { mode, degraded, hits: await named(holding(decisions.values(), at)), subjects: [] };
  const known = knownUnder(subject, decisions);
  if (known.length > 0) {
    const subjects = heldFor(known, decisions, at);
    return { mode, degraded, hits: await named(subjects), subjects };
  }
  const near = nearSubject(subject, holding(decisions.values(), at));
  const found = await recall(
    {
      query: subject,
      limit,
      mode,
      threshold,
      shelves: ["decision"],
      isRouted: true,
      // Then what it finds does not stand first.
      quiet: near.length > 0,
      filter: { ...filter, viaPredecessors: false },
    },
    world,
  );
  const first = near.length > 0 ? await named(near) : [];
  const rest = found.hits.filter(({ id }) => !near.some((item) => item.id === id));
  return { ...found, hits: [...first, ...rest].slice(0, limit), subjects: near };
}

/** Every decision of the subject, current or not, except forgotten ones. */
function knownUnder(subject: string, decisions: Outlines): DecisionOutline[] {
  const isAbout = sameSubject(redactor().clean(subject));
  return [...decisions.values()].filter((outline) => isVisible(outline) && isAbout(outline.title ?? ""));
}

/** The subject's decisions that hold, latest first; then those of its chains that hold under another subject. */
function heldFor(known: readonly DecisionOutline[], decisions: Outlines, at: number): DecisionOutline[] {
  const replaced = replacements(decisions);
  const elsewhere = known
    .flatMap(({ id }) => [...successors(id, decisions), ...predecessors(id, decisions, replaced)])
    .filter((outline) => holdsAt(outline, at));
  return [...new Set([...holding(known, at), ...elsewhere])];
}

/** Decisions whose subject contains the words of this one or the reverse, else those of the most similar subject. */
function nearSubject<Held extends { title: string | null }>(subject: string, held: readonly Held[]): Held[] {
  const asked = wordsOf(subject);
  const isPart = (one: readonly string[], other: readonly string[]) => one.every((word) => other.includes(word));
  const alike = held.filter(({ title }) => {
    const words = wordsOf(title ?? "");
    return words.length > 0 && (isPart(asked, words) || isPart(words, asked));
  });
  if (alike.length > 0) return alike;
  const meant = nearest(subjectKey(subject), [...new Set(held.map(({ title }) => subjectKey(title ?? "")))]);
  return meant === null ? [] : held.filter(({ title }) => subjectKey(title ?? "") === meant);
}

const wordsOf = (subject: string): string[] => subjectKey(subject).split(" ").filter(Boolean);
