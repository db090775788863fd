/**
 * The session that answers a question: the one that its evidence leads to. Handed over with a prompt, and shown beside the
 * hits of `recall` and `why`. A later session about the same matter comes before it, so that no rule is told without what
 * became of it.
 */
import { coverageStems, inverseFrequency, presentStems, type WordStatistics } from "../recall/coverage.ts";
import { statisticsFor } from "../recall/explain.ts";
import type { Hit } from "../recall/hit.ts";
import { filledPlaces, searchPlaces } from "../recall/places.ts";
import { CLEAR, type Mode } from "../recall/ranking.ts";
import { recall } from "../recall/recall.ts";
import { tellingStems } from "../text/words.ts";
import type { World } from "../world.ts";
import type { ReadSession, SessionBeside } from "./card.ts";
import { judgedNotes, type Said, type Told, toldWithPrompt } from "./handover.ts";
import { notesFor } from "./notes.ts";

/**
 * Which session the evidence for a question leads to, and whether it leads there clearly.
 *
 * Relevance alone does not tell: without a model it is low, and in a project about one topic everything is relevant. So
 * what counts is how far the best session stands out from the next, and how many rare words it shares with the question.
 * The weights were fitted to half of `bench:sessions` and `bench:handover`.
 */
interface Evidence {
  session: string;
  relevance: number;
  /** In words that only one piece of evidence has. */
  shared: number;
}

/** The best evidence of a session. */
export interface Lead extends Evidence {
  /** The most that any of its evidence shares. */
  mostShared: number;
}

/**
 * In the order of `evidence`. Relevance and words are seldom best in one piece: what a model puts first often has other words,
 * and a session must not seem less clear because a model took part.
 */
export function bySession(evidence: readonly Evidence[]): ReadonlyMap<string, Lead> {
  const leads = new Map<string, Lead>();
  for (const one of evidence) {
    const lead = leads.get(one.session) ?? { ...one, mostShared: 0 };
    leads.set(one.session, { ...lead, mostShared: Math.max(lead.mostShared, one.shared) });
  }
  return leads;
}

/** Unasked, with a prompt. */
export const CLEARLY_LEADS = 7;
/** Beside an answer that was asked for. */
export const LEADS = 4;
const NEXT_SHARED = 0.5;
const CERTAINTY_MOST = 0.997;

/** `leads`: the best first. Another is held against it by one piece of evidence: more of them are not more rivals. */
export function standing([first, ...others]: readonly Lead[]): number {
  if (first === undefined) return -Infinity;
  const most = (name: "relevance" | "shared") => Math.max(0, ...others.map((one) => one[name]));
  const gap = logOdds(first.relevance) - logOdds(most("relevance"));
  return gap + first.mostShared + NEXT_SHARED * (first.mostShared - most("shared"));
}

/** Relevance is never certain, and odds must stay finite. */
export function logOdds(relevance: number, most = CERTAINTY_MOST): number {
  const certain = Math.min(most, Math.max(1 - most, relevance));
  return Math.log(certain / (1 - certain));
}

/** The words of the question that a text has, in words that only one of all texts has. */
export function sharedWorth(stems: readonly string[], text: string, { total, frequency }: WordStatistics): number {
  const worthOf = (word: string) => inverseFrequency(Math.max(1, frequency.get(word) ?? 0), total);
  const shared = presentStems(stems, text).map((at) => worthOf(stems[at]!));
  return shared.reduce((sum, worth) => sum + worth, 0) / inverseFrequency(1, total);
}

/** Two sessions about one matter share about a quarter of their words, any two hardly a tenth. */
const SAME_MATTER = 0.2;

const wordsOf = ({ card, notes }: ReadSession): ReadonlySet<string> =>
  tellingStems([card.title.text, card.asked ?? "", ...notes.map(({ text }) => text)].join("\n"));

/** Whether two sessions are about one matter, by their words, rare ones counting more. */
export function isSameMatter(one: ReadonlySet<string>, two: ReadonlySet<string>, statistics: WordStatistics): boolean {
  const weightOf = (word: string) => inverseFrequency(statistics.frequency.get(word) ?? 0, statistics.total) ** 2;
  const sum = (words: Iterable<string>) => [...words].reduce((all, word) => all + weightOf(word), 0);
  const both = sum([...one].filter((word) => two.has(word)));
  return both > 0 && both / Math.sqrt(sum(one) * sum(two)) >= SAME_MATTER;
}

const HITS_LOOKED_AT = 20;
/** "yes, do that" is said in every session. */
const LEADING_CHARACTERS = 60;
/** What an agent is handed with a question; half of it where hits answer, too. */
const ANSWER_TOKENS = 550;

interface SessionQuestion {
  query: string;
  mode: Mode;
  /** How clearly the evidence must lead to it. */
  least: number;
  /** The session that asks: it knows what was said in it. */
  own: string;
  /** If a question to the evidence was asked already. */
  evidence?: readonly Hit[] | undefined;
}

/** The latest first; none if no evidence leads clearly enough to one. */
export async function sessionsAnswering(question: SessionQuestion, world: World): Promise<ReadSession[]> {
  const { project } = world;
  const { query, mode, least, own } = question;
  if ((await project.sessionCards({ limit: 1 })).length === 0) return [];
  const hits = question.evidence ?? (await evidenceFor(query, mode, world));
  const leading = hits.filter(
    ({ content, passage }) => content.length >= LEADING_CHARACTERS && passage?.role !== "tool",
  );
  const items = await project.items(
    "evidence",
    leading.map(({ id }) => id),
  );
  const sessionOf = new Map(items.map(({ id, session }) => [id, session]));
  const stems = coverageStems(query);
  const statistics = await evidenceStatistics(stems, world);
  const found = leading.flatMap(({ id, relevance, content }): Evidence[] => {
    const session = sessionOf.get(id);
    const isOther = session !== undefined && session !== own;
    return isOther ? [{ session, relevance, shared: sharedWorth(stems, content, statistics) }] : [];
  });
  const leads = bySession(found);
  const cards = await project.sessionCards({ sessions: [...leads.keys()], limit: leads.size });
  const [lead, ...others] = [...leads.keys()].flatMap(
    (session) => cards.find(({ card }) => card.session === session) ?? [],
  );
  if (!lead) return [];
  const same = await ofSameMatter(lead, others, world);
  const rivals = others.filter((one) => !same.includes(one));
  const standings = [lead, ...rivals].map(({ card }) => leads.get(card.session)!);
  if (standing(standings) < least) return [];
  const later = same.filter(({ card }) => card.to > lead.card.to).sort((one, two) => two.card.to - one.card.to);
  return [...later.slice(0, 1), lead];
}

async function evidenceFor(query: string, mode: Mode, world: World): Promise<Hit[]> {
  const { hits } = await recall(
    {
      query,
      mode,
      limit: HITS_LOOKED_AT,
      threshold: 0,
      shelves: ["evidence"],
      quiet: true,
      isQuoted: true,
      isRouted: true,
      filter: { scopes: ["project"] },
    },
    world,
  );
  return hits;
}

const evidenceStatistics = async (stems: readonly string[], world: World): Promise<WordStatistics> =>
  statisticsFor(await filledPlaces(searchPlaces(["evidence"], { scopes: ["project"] }, world)), stems);

async function ofSameMatter(lead: ReadSession, others: readonly ReadSession[], world: World): Promise<ReadSession[]> {
  if (others.length === 0) return [];
  const own = wordsOf(lead);
  const words = new Map(others.map((one) => [one, wordsOf(one)]));
  const all = new Set([own, ...words.values()].flatMap((some) => [...some]));
  const statistics = await evidenceStatistics([...all], world);
  return others.filter((one) => isSameMatter(own, words.get(one)!, statistics));
}

/** What the sessions noted about a question. The later one has most of the room. */
export function tellSessions(
  sessions: readonly ReadSession[],
  query: string,
  terms: { roomTokens: number; left: ReadonlySet<string> },
  { clock, zone }: Pick<World, "clock" | "zone">,
): Told[] {
  const now = clock.now();
  let room = terms.roomTokens;
  const said: Said[] = [];
  return sessions.map(({ card, notes }, index) => {
    const roomTokens = index < sessions.length - 1 ? (room * 2) / 3 : room;
    const told = toldWithPrompt(
      { card, notes: notesFor(notes, query) },
      { roomTokens, now, zone, left: terms.left },
      said,
    );
    room -= told.tokens;
    return told;
  });
}

export async function sessionBeside(
  { query, mode, evidence, hits }: Pick<SessionQuestion, "query" | "mode" | "evidence"> & { hits: readonly Hit[] },
  world: World,
): Promise<SessionBeside | null> {
  const sessions = await sessionsAnswering({ query, mode, evidence, least: LEADS, own: world.origin.session }, world);
  const left = await judgedNotes(sessions, world);
  const roomTokens = hits.some(({ relevance }) => relevance >= CLEAR) ? ANSWER_TOKENS / 2 : ANSWER_TOKENS;
  const lines = tellSessions(sessions, query, { roomTokens, left }, world).flatMap((told) => told.lines);
  return lines.length === 0 ? null : { sessions: sessions.map(({ card }) => card.session), lines };
}
