/**
 * What a session is handed with a prompt: decisions and memories that answer it, then what an earlier session noted about
 * the matter, once. Nothing twice.
 *
 * Being handed over is not being read: no access is recorded.
 */
import { eventsOfLine, hostOfTranscript } from "../../logic/capture/transcript/read-line.ts";
import { type Injectable, ownWords, questionIn, worthInjecting } from "../../logic/context/injection.ts";
import { nudgeKey } from "../../logic/context/nudge-key.ts";
import { type Recalled, recalledBlock } from "../../logic/context/recalled-block.ts";
import { isPrinted } from "../../logic/sessions/errors.ts";
import type { Told } from "../../logic/sessions/handover.ts";
import { CLEARLY_LEADS } from "../../logic/sessions/leading-session.ts";
import { NUDGES, type NudgeKind, nudgeFor } from "../../logic/sessions/picks.ts";
import type { Change } from "../../model/journal/change.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { Handover, ReadSession } from "../../model/sessions/card.ts";
import { titled } from "../../model/text/titled.ts";
import type { World } from "../../ports/world.ts";
import { statisticsFor } from "../recall/explain.ts";
import { filledPlaces, searchPlaces } from "../recall/places.ts";
import { recall } from "../recall/recall.ts";
import { toldBeside } from "../memory/neighbours.ts";
import { branchOf } from "../redaction/branch.ts";
import { sessionsAnswering, tellSessions } from "../sessions/answering-session.ts";
import { judgedNotes, lastOnBranch } from "../sessions/last-sessions.ts";

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

/** Nothing is told without what stands above it. */
async function besideEachOther(items: readonly RecalledItem[], world: World): Promise<RecalledItem[]> {
  const added = ({ item }: { item: Item }, below: RecalledItem): RecalledItem => {
    const { id, type, title, content, source, createdAt } = item;
    return { ...below, id, handle: handleOf(id), type, title, source, createdAt, content };
  };
  const { list, wordsOf } = await toldBeside(items, added, world);
  return list.map((one) => {
    const words = wordsOf(one.id);
    return words === null ? one : { ...one, title: null, content: `(${words}) ${titled(one.title, one.content)}` };
  });
}

/** The last session on the branch, if that is one of its own; else what the evidence leads to. */
async function earlierSessions(query: string, own: string, world: World): Promise<ReadSession[]> {
  const onBranch = await lastOnBranch(await branchOf(world), own, world);
  return onBranch && onBranch.notes.length > 0
    ? [onBranch]
    : sessionsAnswering({ query, mode: "hybrid", least: CLEARLY_LEADS, own }, world);
}

async function recalledOf(hits: readonly Hit[], world: Pick<World, "project" | "global">): Promise<RecalledItem[]> {
  const items = await Promise.all(hits.map((hit) => itemOf(hit, world)));
  return hits.flatMap(({ id, handle, title, content, tags, relevance, stale }, index) => {
    const item = items[index];
    if (!item || isPrinted(item)) return [];
    const { type, source, createdAt } = item;
    return [{ id, handle, type, title, content, tags, relevance, source, createdAt, stale }];
  });
}

async function itemOf(
  { id, shelf, scope }: Hit,
  { project, global }: Pick<World, "project" | "global">,
): Promise<Item | undefined> {
  const [item] = await (scope === "global" ? global : project).items(shelf, [id]);
  return item;
}

/** A long last message and what stands around it. */
const TAIL_BYTES = 128_000;

/** Which line asks the agent to keep what was just settled, once a session for each kind. `own`: what the person typed. */
async function nudgeWith(
  own: string,
  { transcript, given }: { transcript: string | null; given: ReadonlySet<string> },
  { transcripts, settings }: Pick<World, "transcripts" | "settings">,
): Promise<NudgeKind | null> {
  if (settings.context.nudges === "off") return null;
  const corrects = nudgeFor(null, own);
  const kind = corrects ?? nudgeFor(transcript === null ? null : await lastWords(transcript, transcripts), own);
  return kind === null || given.has(nudgeKey(kind)) ? null : kind;
}

/** Read from the file, because nobody may have taken it in yet. The prompt itself may stand there already. */
async function lastWords(path: string, transcripts: World["transcripts"]): Promise<string | null> {
  const file = await transcripts.find(path);
  if (!file) return null;
  const from = Math.max(0, file.bytes - TAIL_BYTES);
  const { lines = [] } = (await transcripts.read(path, from, TAIL_BYTES, { isFinal: true })) ?? {};
  const host = hostOfTranscript(lines);
  if (host === null) return null;
  const events = lines.flatMap((line, index) => eventsOfLine(line, index, host).events);
  const said = events.filter(({ kind }) => kind !== "title" && kind !== "start");
  const last = said.at(-1)?.kind === "prompt" ? said.at(-2) : said.at(-1);
  return last?.kind === "reply" ? last.text : null;
}
