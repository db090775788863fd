/**
 * Finds what was said about a question, in the evidence alone.
 *
 * Where that has no good answer, what is remembered and decided is asked as a second question, whose hits are a list of
 * their own.
 */
import type { Hit } from "../../model/recall/hit.ts";
import { CLEAR } from "../../model/recall/ranking.ts";
import type { SessionBeside } from "../../model/sessions/card.ts";
import type { World } from "../../ports/world.ts";
import { joinReasons, recall } from "../recall/recall.ts";
import type { RecallAnswer, RecallRequest } from "../recall/request.ts";
import { sessionBeside } from "../sessions/answering-session.ts";
import { recallWithArchive } from "./search-archive.ts";

export interface WhyAnswer extends RecallAnswer {
  session: SessionBeside | null;
  /** Hits of the second question, if it was asked. */
  remembered?: Hit[];
}

type WhyRequest = Omit<RecallRequest, "shelves" | "isQuoted" | "isRouted"> & { isArchived: boolean };

/** Only the best: they are not what was asked for. */
const REMEMBERED_MOST = 3;

export async function why({ isArchived, filter, ...request }: WhyRequest, world: World): Promise<WhyAnswer> {
  const find = isArchived ? recallWithArchive : recall;
  const said = await find(
    { ...request, shelves: ["evidence"], isQuoted: true, isRouted: true, filter: { scopes: ["project"], ...filter } },
    world,
  );
  const { query, mode } = request;
  const session = await sessionBeside({ query, mode, evidence: said.hits, hits: said.hits }, world);
  if (said.hits.some(({ relevance }) => relevance >= CLEAR)) return { ...said, session };
  const [limit, threshold] = [Math.min(request.limit, REMEMBERED_MOST), Math.max(request.threshold, CLEAR)];
  const { hits, degraded } = await recall({ ...request, limit, threshold, filter }, world);
  return { ...said, session, degraded: joinReasons([said.degraded, degraded], world), remembered: hits };
}
