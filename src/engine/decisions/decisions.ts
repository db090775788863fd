/**
 * Finds the decisions that hold, or held at a given time: by subject, else through the subject's chain, else by
 * similarity; then related decisions.
 *
 * Reads only decisions, never memories or evidence. For a known subject without a current decision nothing similar is
 * returned, because that would only look like an answer.
 */
import { nearest } from "../../errors.ts";
import { sameSubject, subjectKey } from "../../logic/decisions/subject.ts";
import {
  type Decisions,
  holding,
  holdsAt,
  isVisible,
  predecessors,
  replacements,
  successors,
} from "../../logic/decisions/decision-chain.ts";
import { neighboursOf } from "../../logic/graph/neighbours.ts";
import type { Proposal } from "../../model/decisions/decision-view.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Mode } from "../../model/recall/ranking.ts";
import type { DecisionOutline, Filter } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { pendingProposals, readOutlines } from "./decision-shelf.ts";
import { namedHits } from "../recall/explain.ts";
import type { HistoryWorld } from "../recall/history.ts";
import { RELATED_MOST } from "../graph/related.ts";
import { joinReasons, recall } from "../recall/recall.ts";
import type { RecallAnswer } from "../recall/request.ts";
import { redactor } from "../redaction/redact.ts";

const RELATED_SHARE = 0.5;

export interface DecisionsRequest {
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
  const hits = [...answer.hits, ...related].map((hit) => {
    const followers = successors(hit.id, decisions).map(({ id }) => id);
    return { ...hit, related: [...new Set([...followers, ...hit.related])] };
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
  const filter: Partial<Filter> = { ...{ scopes: ["project"], statuses: ["active", "superseded"] }, validAt: at };
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
      ...{ query: subject, limit, mode, threshold, shelves: ["decision"], isRouted: true },
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
