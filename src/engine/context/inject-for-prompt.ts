/**
 * What a session is handed with a prompt: decisions and memories that answer it, then what an earlier session noted about
 * the matter, once. Nothing twice.
 *
 * Being handed over is not being read: no access is recorded.
 */
import { type Injectable, ownWords, questionIn, worthInjecting } from "../../logic/context/injection.ts";
import { type Recalled, recalledBlock } from "../../logic/context/recalled-block.ts";
import type { Told } from "../../logic/sessions/handover.ts";
import { CLEARLY_LEADS } from "../../logic/sessions/leading-session.ts";
import { toldWith } from "../../logic/memory/neighbours.ts";
import { NUDGES } from "../../logic/sessions/picks.ts";
import type { Change } from "../../model/journal/change.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Handover, ReadSession } from "../../model/sessions/card.ts";
import { dayIn } from "../../model/time/day-shown.ts";
import type { World } from "../../ports/world.ts";
import { statisticsFor } from "../recall/explain.ts";
import { filledPlaces, searchPlaces } from "../recall/places.ts";
import { recall } from "../recall/recall.ts";
import { foldedAmong } from "../memory/neighbours.ts";
import { branchOf } from "../redaction/branch.ts";
import { sessionsAnswering, tellSessions } from "../sessions/answering-session.ts";
import { judgedNotes, lastOnBranch } from "../sessions/last-sessions.ts";
import { nudgeKey, nudgeWith } from "../sessions/nudge.ts";

/** What only waits for a person is not put before an agent that has not asked. */
const SHELVES = ["memory", "decision"] as const;
const HITS = 10;

export interface PromptRequest {
  /** The id of the report, the same however often a prompt is reported. */
  report: string;
  session: string;
  prompt: string;
  /** Where the host records the session. */
  transcript: string | null;
  mostTokens: number;
  /** Whether nobody waits for it any more. */
  isLate(): boolean;
}

/** Stands for the earlier session among what a session has been given. */
const EARLIER = "earlier session";

/** Null if nothing is worth it, or it comes too late. */
export async function contextForPrompt(
  { report, session, prompt, transcript, mostTokens, isLate }: PromptRequest,
  world: World,
): Promise<string | null> {
  const { project, clock, origin, zone } = world;
  if (project.readOnly) return null;
  const question = questionIn(prompt);
  const given = await project.injectedIn(session);
  const nudge = await nudgeWith(ownWords(prompt), { transcript, given }, world);
  if (question === null && nudge === null) return null;
  const items = question === null ? [] : await answering(question, world);
  const earlier = question === null || given.has(EARLIER) ? [] : await earlierSessions(question.query, session, world);
  const left = new Set([...given, ...(await judgedNotes(earlier, world))]);
  let told: Told[] = [];
  const fresh = items.filter(({ id }) => !given.has(id));
  const rest = (roomTokens: number) => {
    if (question !== null) told = tellSessions(earlier, question.query, { roomTokens, left }, world);
    return told.flatMap(({ lines }) => lines);
  };
  const block = recalledBlock(fresh, { mostTokens, zone, rest, nudge: nudge && NUDGES[nudge] });
  if (block === null || isLate()) return null;
  const at = clock.now();
  const shown = block.shown.map(({ id }) => id);
  const isTold = told.some(({ lines }) => lines.length > 0);
  const keys = [
    ...shown,
    ...told.flatMap(({ notes }) => notes),
    ...(isTold ? [EARLIER] : []),
    ...(nudge ? [nudgeKey(nudge)] : []),
  ];
  const handover: Handover = {
    ...{ id: report, session, event: "prompt", at, text: block.text, tokens: block.tokens },
    ...{
      sources: [...told.flatMap(({ sources }) => sources), ...shown],
      files: told.flatMap(({ files }) => files),
      use: null,
    },
  };
  const changes: Change[] = [
    { kind: "note_injected", session, keys, at, isFirst: true },
    ...(isTold || shown.length > 0 ? [{ kind: "note_handover", handover } as const] : []),
  ];
  const { status } = await project.apply(changes, origin, { impatient: true });
  return status === "applied" ? block.text : null;
}

type RecalledItem = Recalled & Injectable & { id: string };

async function answering(question: NonNullable<ReturnType<typeof questionIn>>, world: World): Promise<RecalledItem[]> {
  const { query, stems } = question;
  const request = { query, mode: "hybrid", limit: HITS, threshold: 0, shelves: SHELVES, quiet: true } as const;
  const { mode, hits } = await recall(request, world);
  // What opposes a decision that holds would only confuse.
  const sound = await recalledOf(hits.filter(({ contradicts }) => contradicts.length === 0), world); // prettier-ignore
  if (sound.length === 0) return [];
  const statistics = await statisticsFor(await filledPlaces(searchPlaces(SHELVES, {}, world)), stems);
  const worth = worthInjecting(sound, question, { statistics, byMeaning: mode === "hybrid" });
  return besideEachOther(worth, world);
}

/** What is near one of them is told with it, and what stands above one of them in its place. */
async function besideEachOther(items: readonly RecalledItem[], world: World): Promise<RecalledItem[]> {
  const near = await foldedAmong(items.map(({ id }) => id), world); // prettier-ignore
  const above = new Map(near.missing.map((one) => [one.for, one.item]));
  return items.flatMap((one) => {
    const item = above.get(one.id);
    if (!item && near.hidden.has(one.id)) return [];
    const { id, type, title, content, source, createdAt } = item ?? one;
    const beside = toldWith(near.with.get(id), (at) => dayIn(at, world.zone));
    return [{ ...one, id, handle: handleOf(id), type, title, source, createdAt, content: `${content}${beside}` }];
  });
}

/** The last session on the branch, if that is one of its own; else what the evidence leads to. */
async function earlierSessions(query: string, own: string, world: World): Promise<ReadSession[]> {
  const onBranch = await lastOnBranch(await branchOf(world), own, world);
  return onBranch ? [onBranch] : sessionsAnswering({ query, mode: "hybrid", least: CLEARLY_LEADS, own }, world);
}

async function recalledOf(hits: readonly Hit[], world: Pick<World, "project" | "global">): Promise<RecalledItem[]> {
  const items = await Promise.all(hits.map((hit) => itemOf(hit, world)));
  return hits.flatMap(({ id, handle, title, content, tags, relevance, stale }, index) => {
    const item = items[index];
    // What a tool printed is for who asks.
    if (!item || item.details["made"] !== undefined) return [];
    const { type, source, createdAt } = item;
    const capturedIn = source === "extraction" ? item.session : null;
    return [{ id, handle, type, title, content, tags, relevance, source, createdAt, stale, capturedIn }];
  });
}

async function itemOf(
  { id, shelf, scope }: Hit,
  { project, global }: Pick<World, "project" | "global">,
): Promise<Item | undefined> {
  const [item] = await (scope === "global" ? global : project).items(shelf, [id]);
  return item;
}
