/**
 * The session that answers a question: the one that its evidence leads to. Handed over with a prompt, and shown beside the
 * hits of `recall` and `why`. A later session about the same matter comes before it, so that no rule is told without what
 * became of it.
 */
import { type Said, type Told, toldWithPrompt } from "../../logic/sessions/handover.ts";
import {
  type Evidence,
  LEADS,
  bySession,
  isSameMatter,
  sharedWorth,
  standing,
  wordsOf,
} from "../../logic/sessions/leading-session.ts";
import { notesFor } from "../../logic/sessions/notes.ts";
import { type WordStatistics, coverageStems } from "../../logic/recall/coverage.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { CLEAR, type Mode } from "../../model/recall/ranking.ts";
import type { ReadSession, SessionBeside } from "../../model/sessions/card.ts";
import type { World } from "../../ports/world.ts";
import { statisticsFor } from "../recall/explain.ts";
import { filledPlaces, searchPlaces } from "../recall/places.ts";
import { recall } from "../recall/recall.ts";
import { judgedNotes } from "./last-sessions.ts";

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
  const items = await project.items("evidence", leading.map(({ id }) => id)); // prettier-ignore
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
      ...{ query, mode, limit: HITS_LOOKED_AT, threshold: 0, shelves: ["evidence"], quiet: true },
      ...{ isQuoted: true, isRouted: true, filter: { scopes: ["project"] } },
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
