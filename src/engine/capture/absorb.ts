/**
 * Takes in events of a session: turns become evidence, and what a finished stretch of work taught becomes memories and
 * proposals.
 *
 * All of it is written in one transaction with the checkpoint, which expects the place where these events began. So two
 * processes never take in the same events, and a crash loses nothing and doubles nothing.
 */
import { sep } from "node:path";
import { contentHash } from "../../logic/text/content-hash.ts";
import {
  EXTRACTOR,
  type EvidenceSpan,
  type SessionPart,
  type SessionState,
  NEW_SESSION,
  foldSession,
  isOpen,
} from "../../logic/capture/fold-session.ts";
import type { LoggedTurn } from "../../logic/capture/turn-log.ts";
import { overtakenBy } from "../../logic/capture/overtaken.ts";
import { outcomeOf } from "../../logic/capture/plan-captured.ts";
import { mainLanguage } from "../../logic/corpus/languages.ts";
import { closing } from "../../logic/memory/item-changes.ts";
import { type Draft, planRemember } from "../../logic/memory/plan-remember.ts";
import type { Checkpoint } from "../../model/capture/checkpoint.ts";
import type { SessionEvent } from "../../model/capture/session-event.ts";
import { type Captured, STRETCH_IDLE_MS, type StretchEnd } from "../../model/capture/stretch.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import { textFault } from "../../model/text/text.ts";
import type { World } from "../../ports/world.ts";
import { draftEvidence, planEvidence } from "../decisions/keep-evidence.ts";
import { embedIfReady, findSimilar } from "../memory/find-similar.ts";
import { branchOf } from "../redaction/branch.ts";
import { chosenByLlm } from "./llm-extract.ts";
import { passagesOf } from "../text/passages.ts";
import { memoriesOfSameWork } from "./same-work.ts";
import { sharePreferences } from "./share-preferences.ts";

export type CommitAt = (time: number | null) => string | null;

/** A session, and under which name its checkpoint is kept. */
export interface SessionSource {
  transcript: string;
  session: string;
  /** The program that recorded it. */
  host: string;
  /** The newest commit at the end of a stretch of work, if the hooks of the session told it. */
  commitAt?: CommitAt | undefined;
}

export interface Batch {
  /** Without secrets. */
  events: readonly SessionEvent[];
  skipped: number;
  /** Where the next batch begins. */
  offset: number;
  lines: number;
  endedBy: StretchEnd | null;
  /** Of the transcript at its offset. */
  mark?: string;
  /** Changes that belong to the same transaction. */
  also?: readonly Change[];
}

export interface Absorbed {
  memories: string[];
  proposals: string[];
  evidence: string[];
  checkpoint: Checkpoint;
}

const ATTEMPTS = 3;
const ROUTE = { scope: "project", reason: "captured in this project", confidence: 1, by: "caller" } as const;

/** Null if another process was faster: the caller looks at the checkpoint again. */
export async function absorb(
  source: SessionSource,
  batch: Batch,
  before: Checkpoint | null,
  world: World,
): Promise<Absorbed | null> {
  const known = stateIn(before);
  const { state, parts: found } = foldSession(known, batch.events, batch.endedBy);
  const parts = await chosenByLlm(found, known.evidence, source.session, world);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan = await planParts(parts, state, source, world);
    const checkpoint: Checkpoint = {
      ...{ transcript: source.transcript, session: source.session, extractor: EXTRACTOR },
      ...{ offset: batch.offset, lines: batch.lines, skipped: (before?.skipped ?? 0) + batch.skipped },
      ...{
        state: { ...state, evidence: plan.spans, mark: batch.mark ?? null },
        isOpen: isOpen(state),
        updatedAt: world.clock.now(),
      },
    };
    const saving: Change = {
      ...{ kind: "save_checkpoint", checkpoint, expectedOffset: before?.offset ?? null },
      ...(before && { expectedUpdatedAt: before.updatedAt }),
    };
    const changes = [...plan.changes, ...(batch.also ?? []), saving];
    const outcome = await world.project.apply(changes, world.origin);
    if (outcome.status === "applied") {
      await sharePreferences(plan.inserted, source.session, world);
      return { ...plan.answer, checkpoint };
    }
    if (outcome.kind === "save_checkpoint" || outcome.kind === "note_event") return null;
  }
  return null;
}

/** The state of another version of the extractor, or one that was erased, cannot be continued. */
export function stateIn(checkpoint: Checkpoint | null): SessionState {
  const isOurs = checkpoint !== null && checkpoint.extractor === EXTRACTOR && checkpoint.state !== null;
  return isOurs ? (checkpoint.state as SessionState) : NEW_SESSION;
}

export { EXTRACTOR };

export const hasOpenWork = (checkpoint: Checkpoint | null): boolean => isOpen(stateIn(checkpoint));

interface Plan {
  changes: Change[];
  spans: EvidenceSpan[];
  answer: Omit<Absorbed, "checkpoint">;
  /** Ids by the hash of their content, because equal content is written once. */
  planned: Map<string, string>;
  /** Memories that this plan supersedes. */
  closed: Set<string>;
  /** Memories that it adds. */
  inserted: Item[];
}

async function planParts(
  parts: readonly SessionPart[],
  { evidence }: SessionState,
  source: SessionSource,
  world: World,
): Promise<Plan> {
  const answer = { memories: [], proposals: [], evidence: [] };
  const plan: Plan = { changes: [], spans: [...evidence], answer, planned: new Map(), closed: new Set(), inserted: [] };
  // Who takes a session in says nothing about who spoke in it.
  const origin = { ...world.origin, host: source.host, session: source.session, byAgent: false };
  const hasRoom = parts.some(({ turns }) => turns.length > 0) && (await hasRoomForEvidence(world));
  for (const { turns, ended } of parts) {
    for (const turn of hasRoom ? turns : []) await planTurn(turn, plan, { ...world, origin });
    if (!ended) continue;
    const { stretch, to } = ended;
    const commits = [commitAtEnd(to, source, world)].filter((id) => id !== null);
    const saidAt = Math.min(to ?? Infinity, world.clock.now());
    const said = { saidAt, branch: stretch.branch ?? (await branchOf(world)) };
    // Not what this stretch itself adds.
    const stored = stretch.memories.length > 0 ? await memoriesOfSameWork(said, { ...world, origin }) : [];
    const around = [...stored, ...plan.inserted.filter((item) => item.type !== "decision")];
    const work = { ...said, commits, around };
    for (const captured of stretch.memories) await planMemory(captured, work, plan, { ...world, origin });
    plan.spans = [];
  }
  return plan;
}

const hasRoomForEvidence = ({ project, settings }: World): Promise<boolean> =>
  project.isEvidenceBelow(settings.capture.evidenceMegabytes * 1_000_000);

/** What is checked out now says nothing about work that ended long ago. */
function commitAtEnd(to: number | null, { commitAt }: SessionSource, { place, clock }: World): string | null {
  if (commitAt) return commitAt(to);
  return to !== null && clock.now() - to < STRETCH_IDLE_MS ? place.commit() : null;
}

async function planTurn({ said, ...turn }: LoggedTurn, plan: Plan, world: World): Promise<void> {
  // Nothing but what nobody sees, or bytes: the rest of the session is kept without it.
  if (textFault(said.map(({ text }) => text).join("\n")) !== null) return;
  const request = {
    turns: said.map(({ role, text }) => ({ role, text, at: turn.at })),
    ...{ title: turn.title, session: world.origin.session, at: turn.at ?? undefined },
  };
  const { draft } = await draftEvidence(request, world);
  let id = plan.planned.get(draft.hash);
  if (id === undefined) {
    const { changes, answer } = await planEvidence(draft, world, "extraction");
    id = answer.id;
    plan.changes.push(...changes);
    if (answer.status === "stored") plan.answer.evidence.push(id);
    plan.planned.set(draft.hash, id);
  }
  plan.spans.push({ from: turn.fromLine, to: turn.toLine, id });
}

interface Work {
  branch: string | null;
  commits: string[];
  /** When its last word was said. */
  saidAt: number;
  /** Earlier memories of the same work. */
  around: readonly Item[];
}

async function planMemory(captured: Captured, work: Work, plan: Plan, world: World): Promise<void> {
  const { branch, commits, saidAt } = work;
  const { type, content, subject, symbols, confidence, priority, lines } = captured;
  if (textFault(content) !== null) return;
  const files = withinProject(captured.files, world.place);
  const evidence = plan.spans.filter(({ from, to }) => from <= lines[1] && to >= lines[0]).map(({ id }) => id);
  const draft: Draft = {
    ...{ type, content, confidence, priority, title: subject, hash: contentHash(content), source: "extraction" },
    context: { branch, commits, files, symbols, language: mainLanguage(files) },
    ...(type === "decision" ? { proposal: proposalOf(captured, evidence) } : { evidence }),
  };
  if (plan.planned.has(draft.hash)) return;
  const shelf = type === "decision" ? "proposal" : "memory";
  // A captured decision that was ratified or rejected before is not proposed again, nor is a shared preference kept here too.
  if (await world.project.sameContent(shelf, "project", draft.hash)) return;
  if (type === "preference" && (await world.global.sameContent(shelf, "global", draft.hash))) return;
  const id = world.ids.next();
  const predecessor = await replacedBy({ id, content, subject, saidAt }, plan, world);
  if (predecessor === "known") return;
  const others = type === "decision" ? [] : work.around.filter((one) => !plan.closed.has(one.id));
  const { isOvertaken, overtakes } = overtakenBy({ ...captured, saidAt, session: world.origin.session }, others);
  if (isOvertaken) return;
  const now = world.clock.now();
  const { changes } = planRemember(draft, {
    ...{ id, now, origin: world.origin, spaceId: world.place.spaceId, route: ROUTE },
    ...{ workingTtlSeconds: 0, duplicate: null, predecessor, leaving: [], passages: await passagesOf(draft, world) },
  });
  if (predecessor) plan.closed.add(predecessor.id);
  const overtaken = overtakes.filter((one) => !plan.closed.has(one.id));
  for (const one of overtaken) plan.closed.add(one.id);
  plan.planned.set(draft.hash, id);
  const dated = [...changes, ...overtaken.map((one) => closing(one, id, now))].map((change) =>
    datedBack(change, saidAt),
  );
  plan.changes.push(...dated);
  plan.inserted.push(...dated.flatMap((change) => (change.kind === "insert_item" ? [change.item] : [])));
  (type === "decision" ? plan.answer.proposals : plan.answer.memories).push(id);
}

/** Files of the project are named as its other memories name them. */
const withinProject = (files: readonly string[], { checkout, root }: World["place"]): string[] =>
  files.map((file) => {
    const folder = [checkout, root].find((one) => file.startsWith(one + sep));
    return folder === undefined ? file : file.slice(folder.length + 1).replaceAll(sep, "/");
  });

/** A memory is as old as what it tells, but begins to fade only now. */
const datedBack = (change: Change, createdAt: number): Change =>
  change.kind === "insert_item" ? { ...change, item: { ...change.item, createdAt } } : change;

const proposalOf = ({ rationale, rejected }: Captured, evidence: string[]) => ({
  ...{ rationale, rejected, evidence, supersedes: [], relates: [], validFrom: null, validUntil: null },
});

/** The captured memory that it replaces, if any; "known" if an older one says the same. */
async function replacedBy(
  { id, content, subject, saidAt }: { id: string; content: string; subject: string | null; saidAt: number },
  { closed }: Plan,
  world: World,
): Promise<Item | null | "known"> {
  const item = { id, content, subject, scope: "project" as const, predecessor: null };
  const similar = await findSimilar(item, embedIfReady(content, world), world);
  if (similar.length === 0) return null;
  if (subject !== null) return similar.some(({ kind }) => kind === "repeats") ? "known" : null;
  const ids = similar.filter(({ shelf }) => shelf === "memory").map((one) => one.id);
  const older = new Map((await world.project.items("memory", ids)).map((one) => [one.id, one]));
  const outcome = outcomeOf(similar, (one) => (closed.has(one) ? undefined : older.get(one)), {
    saidAt,
    session: world.origin.session,
  });
  if (outcome.status === "known") return "known";
  return outcome.status === "supersedes" ? outcome.predecessor : null;
}
