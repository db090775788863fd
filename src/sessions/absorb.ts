/**
 * Takes in events of a session: turns become evidence, and what a configured language model says of a finished stretch of
 * work becomes memories and proposals.
 *
 * All of it is written in one transaction with the checkpoint, which expects the place where these events began. So two
 * processes never take in the same events, and a crash loses nothing and doubles nothing.
 */
import { sep } from "node:path";
import { draftEvidence, planEvidence } from "../decisions/evidence.ts";
import { Failure } from "../errors.ts";
import { mainLanguage } from "../files/languages.ts";
import type { Change } from "../journal/change.ts";
import { recordsOf } from "../journal/commit.ts";
import { type ChangeRecord, isEdgeRecord } from "../journal/journal.ts";
import type { Item } from "../memory/item.ts";
import { passagesOf } from "../memory/passages.ts";
import { type Draft, planRemember } from "../memory/remember-rules.ts";
import type { Role, Shelf } from "../memory/shelves.ts";
import { branchOf } from "../redaction/branch.ts";
import type { ItemReads, JournalReads, WholeItem } from "../store/store.ts";
import { contentHash, hashAt } from "../text/content-hash.ts";
import { shownLine } from "../text/short-text.ts";
import { textFault } from "../text/text.ts";
import type { Stores, World } from "../world.ts";
import { chosenByLlm } from "./llm-extract.ts";
import { type Pick as Picked, pickIn } from "./picks.ts";
import { type Captured, type Checkpoint, type SessionEvent, STRETCH_IDLE_MS, type StretchEnd } from "./session.ts";
import {
  STATE_FORMAT,
  foldSession,
  isOpen,
  NEW_SESSION,
  packTurn,
  type Part,
  type PartLabel,
  searchedParts,
  type SessionState,
  type SessionStep,
  type SessionTurn,
} from "./turns.ts";

export type CommitAt = (time: number | null) => string | null;

/** A session, and under which name its checkpoint is kept. */
export interface SessionSource {
  transcript: string;
  session: string;
  /** The program that recorded it. */
  host: string;
  /** Where it worked. */
  cwd: string | null;
  /** The newest commit at the end of a stretch of work, if the hooks of the session told it. */
  commitAt?: CommitAt | undefined;
}

interface Batch {
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

interface Absorbed {
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
  const { state, steps } = foldSession(known, batch.events, batch.endedBy);
  const chosen = await chosenByLlm(steps, known.unread, source.session, world);
  // Who takes a session in says nothing about who spoke in it.
  const origin = { ...world.origin, host: source.host, session: source.session, byAgent: false };
  const hasRoom =
    steps.some((step) => "turn" in step) &&
    (await world.project.isEvidenceBelow(world.settings.capture.evidenceMegabytes * 1_000_000));
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const plan: Plan = {
      changes: [],
      memories: [],
      proposals: [],
      evidence: [],
      planned: new Map(),
      unread: [...known.unread],
    };
    let ends = 0;
    for (const step of steps) {
      if ("turn" in step) {
        if (!hasRoom) continue;
        const turn = { ...step.turn, parts: step.turn.parts.map((part) => within(part, source, world)) };
        const commit = commitAtEnd(turn.at, source, world);
        await planTurn({ ...step, turn, commit }, plan, { ...world, origin });
        continue;
      }
      const saidAt = Math.min(state.lastAt ?? Infinity, world.clock.now());
      const commit = commitAtEnd(state.lastAt, source, world);
      for (const captured of chosen[ends++] ?? [])
        await planMemory(captured, { saidAt, branch: state.branch, commit }, plan, { ...world, origin });
      plan.unread = [];
    }
    const checkpoint: Checkpoint = {
      transcript: source.transcript,
      session: source.session,
      extractor: STATE_FORMAT,
      offset: batch.offset,
      lines: batch.lines,
      skipped: (before?.skipped ?? 0) + batch.skipped,
      state: { ...state, unread: world.llm.identity === null ? [] : plan.unread, mark: batch.mark ?? null },
      isOpen: isOpen({ ...state, unread: plan.unread }),
      updatedAt: world.clock.now(),
    };
    const saving: Change = {
      kind: "save_checkpoint",
      checkpoint,
      expectedOffset: before?.offset ?? null,
      ...(before && { expectedUpdatedAt: before.updatedAt }),
    };
    const outcome = await world.project.apply([...plan.changes, ...(batch.also ?? []), saving], world.origin);
    const { memories, proposals, evidence } = plan;
    if (outcome.status === "applied") return { memories, proposals, evidence, checkpoint };
    if (outcome.kind === "save_checkpoint" || outcome.kind === "note_event") return null;
  }
  return null;
}

/** The state of another version, or one that was erased, cannot be continued. */
export function stateIn(checkpoint: Checkpoint | null): SessionState {
  const isOurs = checkpoint !== null && checkpoint.extractor === STATE_FORMAT && checkpoint.state !== null;
  return isOurs ? (checkpoint.state as SessionState) : NEW_SESSION;
}

export const hasOpenWork = (checkpoint: Checkpoint | null): boolean => isOpen(stateIn(checkpoint));

interface Plan extends Omit<Absorbed, "checkpoint"> {
  changes: Change[];
  /** Ids by the hash of their content, because equal content is written once. */
  planned: Map<string, string>;
  /** Evidence that a language model has not been asked about. */
  unread: string[];
}

const ROLE_OF = { own: "user", pasted: "user", agent: "assistant", tool: "tool" } as const satisfies Record<
  PartLabel,
  Role
>;
/** In the person's message, but not theirs. */
const PASTED = { speaker: "pasted text" };
/** `commit`: the newest one at the time, if that is known. */
type TurnStep = Extract<SessionStep, { turn: SessionTurn }> & { commit: string | null };

/** What is checked out now says nothing about work that ended long ago. */
function commitAtEnd(to: number | null, { commitAt }: SessionSource, { place, clock }: World): string | null {
  if (commitAt) return commitAt(to);
  return to !== null && clock.now() - to < STRETCH_IDLE_MS ? place.commit() : null;
}

const TITLE_CHARACTERS = 120;
const PICK_CONFIDENCE = 0.7;
const PROPOSE = /stele.*[_-]propose$/i;

async function planTurn({ turn, lastWords, commit }: TurnStep, plan: Plan, world: World): Promise<void> {
  const said = searchedParts(turn).filter(({ text }) => textFault(text) === null);
  const own = said.find(({ label }) => label === "own") ?? said[0];
  // Work of tools alone is kept with what it did, so that it can be read.
  const turns =
    said.length > 0
      ? said.map(({ label, text, at }) => ({ role: ROLE_OF[label], text, at, ...(label === "pasted" && PASTED) }))
      : [{ role: "tool" as const, text: toolNames(turn), at: turn.at }];
  if (textFault(turns[0]!.text) !== null) return;
  const { draft } = await draftEvidence(
    {
      turns,
      title: shownLine(own?.text ?? "", TITLE_CHARACTERS),
      session: world.origin.session,
      at: turn.at ?? undefined,
    },
    world,
  );
  const hash = turn.at === null ? draft.hash : hashAt(String(turn.at), draft.content);
  let id = plan.planned.get(hash);
  let isNew = false;
  if (id === undefined) {
    const details = { turn: packTurn(turn) };
    const { changes, answer } = await planEvidence(
      { ...draft, hash, details, branch: turn.branch, commit },
      world,
      "extraction",
    );
    id = answer.id;
    plan.changes.push(...changes);
    isNew = answer.status === "stored";
    if (isNew) plan.evidence.push(id);
    plan.planned.set(hash, id);
  }
  plan.unread.push(id);
  // A turn that is read again brings nothing back that was rejected.
  if (!isNew) return;
  const answer = turn.parts.flatMap(({ label, text }) => (label === "own" ? [text] : [])).join("\n");
  const pick = pickIn(lastWords, answer);
  // The agent's own proposal says it in whole sentences; the person is not asked twice.
  const isProposed = turn.parts.some(({ call }) => call && !call.failed && PROPOSE.test(call.name));
  if (pick !== null && !isProposed) await planPick(pick, id, { ...turn, commit }, plan, world);
}

/** An option that the agent offered and the person picked waits for the person as a proposal. */
async function planPick(
  { question, picked, rejected }: Picked,
  evidence: string,
  { at, branch, commit }: SessionTurn & Pick<TurnStep, "commit">,
  plan: Plan,
  world: World,
): Promise<void> {
  const draft: Draft = {
    type: "decision",
    content: picked,
    title: question,
    hash: contentHash(picked),
    source: "extraction",
    confidence: PICK_CONFIDENCE,
    context: {
      branch: branch ?? (await branchOf(world)),
      commits: commit === null ? [] : [commit],
      files: [],
      symbols: [],
      language: null,
    },
    proposal: { ...proposalResting([evidence]), rejected },
  };
  await planItem(draft, at ?? world.clock.now(), plan, world);
}

const toolNames = ({ parts }: SessionTurn): string =>
  [...new Set(parts.map(({ call }) => call?.command ?? `${call?.name ?? ""} ${call?.path ?? ""}`))].join("\n").trim();

async function planMemory(
  { type, content, subject, symbols, confidence, priority, files: named }: Captured,
  { saidAt, branch, commit }: { saidAt: number; branch: string | null; commit: string | null },
  plan: Plan,
  world: World,
): Promise<void> {
  if (textFault(content) !== null) return;
  const files = withinProject(named, world.place);
  const evidence = [...plan.unread];
  const draft: Draft = {
    type,
    content,
    confidence,
    priority,
    title: subject,
    hash: contentHash(content),
    source: "extraction",
    context: {
      branch: branch ?? (await branchOf(world)),
      commits: commit === null ? [] : [commit],
      files,
      symbols,
      language: mainLanguage(files),
    },
    ...(type === "decision" ? { proposal: proposalResting(evidence) } : { evidence }),
  };
  await planItem(draft, saidAt, plan, world);
}

async function planItem(draft: Draft, saidAt: number, plan: Plan, world: World): Promise<void> {
  const { type } = draft;
  // A captured decision that was ratified or rejected before is not proposed again.
  const shelf = type === "decision" ? "proposal" : "memory";
  if (plan.planned.has(draft.hash) || (await world.project.sameContent(shelf, "project", draft.hash))) return;
  const id = world.ids.next();
  const { changes } = planRemember(draft, {
    id,
    now: world.clock.now(),
    origin: world.origin,
    spaceId: world.place.spaceId,
    route: ROUTE,
    workingTtlSeconds: 0,
    duplicate: null,
    predecessor: null,
    leaving: [],
    passages: await passagesOf(draft, world),
  });
  plan.planned.set(draft.hash, id);
  plan.changes.push(...changes.map((change) => byCapture(change, saidAt)));
  (type === "decision" ? plan.proposals : plan.memories).push(id);
}

/** Files of the project are named as its other memories name them. */
const withinProject = (files: readonly string[], { checkout, root }: World["place"]): string[] =>
  files.map((file) => pathBelow(file, [checkout, root]));

function within(part: Part, { cwd }: SessionSource, { place }: Pick<World, "place">): Part {
  if (!part.call?.path) return part;
  const folders = [place.checkout, place.root, ...(cwd === null ? [] : [cwd])];
  return { ...part, call: { ...part.call, path: pathBelow(part.call.path, folders) } };
}

function pathBelow(file: string, folders: readonly string[]): string {
  const folder = folders.find((one) => file.startsWith(one + sep));
  return folder === undefined ? file : file.slice(folder.length + 1).replaceAll(sep, "/");
}

/** A memory is as old as what it tells, but begins to fade only now. */
const byCapture = (change: Change, createdAt: number): Change =>
  change.kind === "insert_item"
    ? { ...change, item: { ...change.item, createdAt, details: { ...change.item.details, by: "capture" } } }
    : change;

const proposalResting = (evidence: string[]) => ({
  rationale: null,
  rejected: [],
  evidence,
  supersedes: [],
  relates: [],
  validFrom: null,
  validUntil: null,
});

/**
 * What becomes of the evidence that a captured item was taken from, when the item is erased.
 *
 * It holds the same words, so it is erased too. What a decision rests on stays, and so does what another project keeps:
 * only who erases it by its own handle means it. Only reads.
 */
export interface CapturedEvidence {
  /** Ids of the evidence that is erased too. */
  evidence: string[];
  /** Ids of the evidence that stays. */
  evidenceKept: string[];
  /** Number of other items that were taken from the erased evidence, and stay without it. */
  evidenceShared: number;
}

const CAPTURED_SHELVES = ["memory", "proposal", "decision"] as const satisfies Shelf[];
const WALKED_AT_ONCE = 500;

export async function evidenceOf(
  ids: readonly string[],
  world: Stores & Pick<World, "otherSpaces">,
): Promise<CapturedEvidence> {
  const answer: CapturedEvidence = { evidence: [], evidenceKept: [], evidenceShared: 0 };
  const named = await namedBy(ids, world);
  if (named.size === 0) return answer;
  const isOther = ({ id }: Item) => !ids.includes(id);
  const resting = await pointing("decision", named, world.project);
  // What cannot be read may rest on any of it.
  const restedOn = resting === null ? named : new Set(resting.filter(isOther).flatMap(evidenceIn));
  for (const id of named) {
    const place = await placeOf(id, world);
    if (place === "gone") continue;
    (place === "elsewhere" || restedOn.has(id) ? answer.evidenceKept : answer.evidence).push(id);
  }
  if (answer.evidence.length === 0) return answer;
  const erased = new Set(answer.evidence);
  const others = new Set<string>();
  for (const [shelf, store] of [
    ["memory", world.project],
    ["memory", world.global],
    ["proposal", world.project],
  ] as const)
    for (const { id } of ((await pointing(shelf, erased, store)) ?? []).filter(isOther)) others.add(id);
  return { ...answer, evidenceShared: others.size };
}

/** As far as rows and journals know these items: a capture may have been rolled back. */
async function namedBy(ids: readonly string[], { project, global }: Stores): Promise<Set<string>> {
  const named = new Set<string>();
  const add = (item: Item | null | undefined) => {
    if (item?.source === "extraction") for (const one of evidenceIn(item)) named.add(one);
  };
  for (const store of [project, global]) {
    for (const shelf of CAPTURED_SHELVES) {
      (await unlessDamaged(() => store.items(shelf, ids), [])).forEach(add);
      await unlessDamaged(async () => {
        for await (const record of recordsOf(store, { itemIds: ids, shelf }))
          if (!isEdgeRecord(record)) [record.before.item, record.after.item].forEach(add);
      }, undefined);
    }
  }
  return named;
}

/** What an item says about its evidence may come from a file. */
const evidenceIn = ({ details }: Pick<Item, "details">): string[] =>
  Array.isArray(details["evidence"]) ? details["evidence"].filter((one) => typeof one === "string") : [];

/** A damaged item can be erased too. */
async function unlessDamaged<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure) return otherwise;
    throw thrown;
  }
}

async function placeOf(
  id: string,
  { project, otherSpaces }: Pick<World, "project" | "otherSpaces">,
): Promise<"here" | "elsewhere" | "gone"> {
  if ((await project.outlines("evidence", [id])).length > 0) return "here";
  const last = await lastChange(id, project);
  // What only the journal knows may still be in a backup.
  if (last !== null) return last === "purge_items" ? "gone" : "here";
  return (await otherSpaces.mention([id])) ? "elsewhere" : "gone";
}

/** Without evidence that was erased. */
export async function evidenceLeft(ids: readonly string[], store: ItemReads & JournalReads): Promise<string[]> {
  const there = new Set((await store.outlines("evidence", ids)).map(({ id }) => id));
  const left: string[] = [];
  for (const id of ids) if (there.has(id) || (await lastChange(id, store)) !== "purge_items") left.push(id);
  return left;
}

async function lastChange(id: string, store: JournalReads): Promise<ChangeRecord["kind"] | null> {
  const { records } = await store.journal({ itemIds: [id] }, { limit: 1, offset: 0 });
  return records[0]?.kind ?? null;
}

/** Items of the shelf that point to any of this evidence; null if one of the shelf is damaged. */
async function pointing(shelf: Shelf, evidence: ReadonlySet<string>, store: ItemReads): Promise<Item[] | null> {
  const found: Item[] = [];
  const read = (after: string | null) => store.walk(shelf, { after, limit: WALKED_AT_ONCE });
  for (let after: string | null = null; ; ) {
    const page: WholeItem[] | null = await unlessDamaged<WholeItem[] | null>(read.bind(null, after), null);
    if (page === null) return null;
    found.push(...page.map(({ item }) => item).filter((item) => evidenceIn(item).some((id) => evidence.has(id))));
    if (page.length < WALKED_AT_ONCE) return found;
    after = page.at(-1)!.item.id;
  }
}
