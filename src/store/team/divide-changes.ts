/**
 * Divides a transaction between the server and this machine.
 *
 * Working memories, notes, the index of files and what a session was handed stay here; all else goes to the server. A
 * working memory that is to last moves there (`divide-revisions.ts`). Questions stay here too: the server is told that a memory
 * was read, not what was asked.
 */
import { Failure } from "../../errors.ts";
import type { Applied, Change, ChangeKind, QueuedPassage } from "../../journal/change.ts";
import { handleOf } from "../../memory/handles.ts";
import { isExpected, removing, revising } from "../../memory/item-changes.ts";
import type { Item } from "../../memory/item.ts";
import { type Shelf, SHELVES } from "../../memory/shelves.ts";
import { contentHash } from "../../text/content-hash.ts";
import { saysDamaged } from "../packed-body.ts";
import type { Store } from "../store.ts";
import { isOfFiles, ownAmong, type Parts } from "./parts.ts";
import { dividedNumbers, isOwnLease, isOwnNumber, lowered } from "./reads.ts";

/** A transaction that is being divided between the server and this machine. */
interface Divided {
  own: Change[];
  shared: Change[];
  /** On this machine again, once the server has taken its part; what belongs together is one list. */
  last: Change[][];
  /** Takes back what was done here, if the server refuses its part. */
  undo: Change[];
}

type Conflict = Extract<Applied, { status: "conflict" }>;

/** What is known before the changes are divided. */
interface Situation {
  parts: Parts;
  /** Memories of this machine, those of this transaction included. */
  here: ReadonlySet<string>;
  /** Those that are closed here in favour of one on the server, with that one. */
  folded: ReadonlyMap<string, string>;
  divided: Divided;
}

type Of<K extends ChangeKind> = Extract<Change, { kind: K }>;
type Outcome = Promise<Conflict | void>;

const toOwn = async (change: Change, { divided }: Situation): Promise<void> => void divided.own.push(change);
const toShared = async (change: Change, { divided }: Situation): Promise<void> => void divided.shared.push(change);
const toBoth = async (change: Change, now: Situation): Promise<void> => {
  await toOwn(change, now);
  await toShared(change, now);
};

// Divides revisions of memories, which may move them from this machine to the server.
//
// A working memory that is to last is inserted there, and only then removed here, on record, so that a rollback brings it
// back. One that is replaced, as by a summary, becomes a closed memory of this machine: only what replaced it is sent.

/** A working memory that is to last in the project. One that becomes global is nobody else's. */
const isPromotion = (change: Change): change is Of<"revise_item"> =>
  becomesProject(change) && change.set.status !== "superseded";

/** A working memory that is kept for its history alone. */
const isFolding = (change: Change): change is Of<"revise_item"> =>
  becomesProject(change) && change.set.status === "superseded" && Boolean(change.set.supersededBy);

const becomesProject = (change: Change): change is Of<"revise_item"> =>
  change.kind === "revise_item" && change.shelf === "memory" && change.set.scope === "project";

const ofItem = async (change: Of<"revise_item" | "remove_item">, now: Situation): Outcome => {
  const isHere = isOfFiles(change.shelf) || (change.shelf === "memory" && now.here.has(change.id));
  await (isHere ? toOwn : toShared)(change, now);
};

/** A promoted memory is inserted there, and then removed here. */
const revise = async (change: Of<"revise_item">, now: Situation): Outcome => {
  const { parts, divided } = now;
  if (now.folded.has(change.id)) return fold(change, now);
  const [whole] = isPromotion(change) ? await parts.own.whole("memory", [change.id]) : [];
  if (!whole || whole.item.source === "file-index") return ofItem(change, now);
  const { item } = whole;
  const { expectedVersion, version = expectedVersion + 1, passages } = change;
  if (!isExpected(item, change)) return changed(change);
  const body = passages === null ? { passages: whole.passages, embed: whole.embed } : { passages, embed: change.embed };
  const moved = { ...item, ...change.set, version };
  divided.shared.push({ kind: "insert_item", shelf: "memory", item: moved, ...body });
  divided.last.push([{ ...revising("memory", item, change.set), version }, removing("memory", moved)]);
};

const changed = ({ kind, id }: Of<"revise_item">): Conflict => ({
  status: "conflict",
  kind,
  reason: `memory ${handleOf(id)} was changed`,
});

/** Closed once the server has what takes its place, which this store cannot look up. */
const fold = async ({ expectsSuccessor: _, ...closing }: Of<"revise_item">, { parts, divided }: Situation): Outcome => {
  const [item] = await parts.own.items("memory", [closing.id]);
  if (!item || !isExpected(item, closing)) return changed(closing);
  divided.last.push([closing]);
};

/** A memory on the server that was to replace some here, and is closed by now. */
async function closedSuccessor(changes: readonly Change[], { parts, folded }: Situation): Promise<Conflict | null> {
  const inserted = new Set(changes.map((change) => (change.kind === "insert_item" ? change.item.id : "")));
  const expecting = changes.filter((change) => isFolding(change) && change.expectsSuccessor && folded.has(change.id));
  const successors = new Set(expecting.map((change) => folded.get((change as Of<"revise_item">).id)!));
  const asked = [...successors].filter((id) => !inserted.has(id));
  if (asked.length === 0) return null;
  const found = await parts.shared.items("memory", asked);
  const closed = asked.find((id) => found.find((one) => one.id === id)?.status !== "active");
  if (closed === undefined) return null;
  return { status: "conflict", kind: "revise_item", reason: `memory ${handleOf(closed)} is no longer active` };
}

type Dividers = { [K in ChangeKind]: (change: Of<K>, now: Situation) => Outcome };

export async function divideChanges(changes: readonly Change[], parts: Parts): Promise<Divided | Conflict> {
  const divided: Divided = { own: [], shared: [], last: [], undo: [] };
  const here = await ownAmong(changes.flatMap(memoriesIn), parts);
  for (const change of changes)
    if (change.kind === "insert_item" && change.shelf === "memory" && staysHere(change.item)) here.add(change.item.id);
  for (const change of changes) if (isPromotion(change)) here.delete(change.id);
  const folded = new Map(changes.filter(isFolding).map(({ id, set }) => [id, set.supersededBy!]));
  for (const [id, successor] of folded) if (!here.has(id) || here.has(successor)) folded.delete(id);
  const now: Situation = { parts, here, folded, divided };
  const refusal = await closedSuccessor(changes, now);
  if (refusal) return refusal;
  for (const change of changes) {
    // The type makes the table complete; TypeScript cannot pair a union member with its divider.
    const conflict = await (DIVIDERS[change.kind] as (change: Change, now: Situation) => Outcome)(change, now);
    if (conflict) return conflict;
  }
  return divided;
}

/** Notes are a person's own files. */
const staysHere = ({ scope, source }: Pick<Item, "scope" | "source">): boolean =>
  scope === "working" || source === "file-index";

function memoriesIn(change: Change): string[] {
  switch (change.kind) {
    case "revise_item":
    case "remove_item":
      return change.shelf === "memory" ? [change.id] : [];
    case "touch_items":
      return change.shelf === "memory" ? [...change.touches, ...(change.besides ?? [])].map(({ id }) => id) : [];
    case "redact_items":
      return change.shelf === "memory" ? change.items.map(({ id }) => id) : [];
    case "insert_edge":
      return change.edge.shelf === "memory" ? [change.edge.source, change.edge.target] : [];
    default:
      return [];
  }
}

const insertItem = async (change: Of<"insert_item">, now: Situation): Outcome => {
  const { shelf, item } = change;
  const isHere = shelf === "memory" && now.here.has(item.id);
  if (isHere) now.divided.undo.push({ kind: "evict_items", shelf, ids: [item.id] });
  await (isHere || isOfFiles(shelf) ? toOwn : toShared)(change, now);
};

const insertEdge = async (change: Of<"insert_edge">, now: Situation): Outcome => {
  const { shelf, source, target } = change.edge;
  const ends = shelf === "memory" ? [source, target].filter((id) => now.here.has(id)) : [];
  if (ends.length !== 1) return (ends.length === 2 ? toOwn : toShared)(change, now);
  // That one replaced the other is kept with the other, here.
  if ([source, target].includes(now.folded.get(ends[0]!) ?? "")) return;
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(ends[0]!)} is on this machine alone, and the other one is the team's; an edge cannot connect them.`,
    "Link memories that are in the same place.",
  );
};

const removeEdge = async (change: Of<"remove_edge">, now: Situation): Outcome => {
  const isHere = change.shelf === "memory" && (await now.parts.own.edges("memory", [change.id])).length > 0;
  await (isHere ? toOwn : toShared)(change, now);
};

const touch = async (change: Of<"touch_items">, now: Situation): Outcome => {
  if (isOfFiles(change.shelf)) return toOwn(change, now);
  const isHere = ({ id }: { id: string }) => change.shelf === "memory" && now.here.has(id);
  const [here, there] = [change.touches.filter(isHere), change.touches.filter((one) => !isHere(one))];
  const found = change.besides ?? [];
  const besides = found.filter(isHere);
  // Who erases what is there would not find the question that is kept here.
  const isFoundHere = there.length === 0 && besides.length === found.length;
  const query = isFoundHere ? change.query : null;
  if (here.length + besides.length > 0) await toOwn({ ...change, touches: here, besides, query }, now);
  // The server is told what was read, not what was asked.
  if (there.length > 0) await toShared({ ...change, touches: there, besides: [], query: null }, now);
};

/** What a session was handed of an item on the server is kept here. */
const redact = async (change: Of<"redact_items">, now: Situation): Outcome => {
  if (isOfFiles(change.shelf)) return toOwn(change, now);
  const isHere = ({ id }: { id: string }) => change.shelf === "memory" && now.here.has(id);
  const [here, there] = [change.items.filter(isHere), change.items.filter((one) => !isHere(one))];
  if (here.length > 0) await toOwn({ ...change, items: here }, now);
  if (there.length === 0) return;
  await dropHandovers(
    there.map(({ id }) => id),
    now,
  );
  await toShared({ ...change, items: there }, now);
};

const dropHandovers = async (ids: string[], now: Situation): Promise<void> =>
  toOwn({ kind: "drop_handovers", items: ids, sessions: await now.parts.shared.sessionsOf(ids) }, now);

const removeItem = async (change: Of<"remove_item">, now: Situation): Outcome => {
  if (change.shelf === "evidence") await dropHandovers([change.id], now);
  await ofItem(change, now);
};

/** What a session was handed is known here by the hash of its text and the session, which only the server knows. */
const purge = async (change: Of<"purge_items">, now: Situation): Outcome => {
  const { shared } = now.parts;
  const hashes: string[] = [];
  for (const shelf of SHELVES.filter((one) => !isOfFiles(one)))
    hashes.push(...(await readableAmong(change.ids, shelf, shared)).map(({ content }) => contentHash(content)));
  const sessions = [...(change.sessions ?? []), ...(await shared.sessionsOf(change.ids))];
  await toOwn({ ...change, ids: [...change.ids, ...hashes], sessions }, now);
  await toShared({ ...change, queries: [] }, now);
};

/** What is damaged is erased too, without the hash of its text. */
async function readableAmong(ids: readonly string[], shelf: Shelf, store: Store): Promise<Item[]> {
  try {
    return await store.items(shelf, ids);
  } catch (thrown) {
    if (!saysDamaged(thrown)) throw thrown;
    if (ids.length === 1) return [];
    const found: Item[] = [];
    for (const id of ids) found.push(...(await readableAmong([id], shelf, store)));
    return found;
  }
}

/**
 * How far a transcript was read is known where its evidence is. Which ones this machine reads is known here alone: a path
 * that somebody else has put on the server must never be opened.
 */
const saveCheckpoint = async (change: Of<"save_checkpoint">, now: Situation): Outcome => {
  const { checkpoint } = change;
  const known = await now.parts.own.checkpoint(checkpoint.transcript);
  const mark: Change = {
    kind: "save_checkpoint",
    checkpoint: { ...checkpoint, state: null },
    expectedOffset: known?.offset ?? null,
  };
  // Whatever happens in between, it stays open here for as long as it is open there.
  if (checkpoint.isOpen || known === null) await toOwn(mark, now);
  else now.divided.last.push([mark]);
  await toShared(change, now);
};

/** The head that the surface was made from is the server's; the file here has one of its own. */
const keepSurface = async (change: Of<"keep_surface">, now: Situation): Outcome => {
  const { own, shared } = now.parts;
  if ((await shared.chainHead()).hash !== change.expectedHead)
    return { status: "conflict", kind: change.kind, reason: "something was changed in the meantime" };
  await toOwn({ ...change, expectedHead: (await own.chainHead()).hash }, now);
};

const ofPassages = async <T extends QueuedPassage>(
  all: readonly T[],
  put: { own(some: T[]): unknown; shared(some: T[]): unknown },
): Promise<void> => {
  const isHere = (one: T) => isOfFiles(one.shelf) || isOwnNumber(one.passage);
  const down = (one: T): T => (isOwnNumber(one.passage) ? { ...one, passage: lowered(one.passage) } : one);
  const [here, there] = [all.filter(isHere).map(down), all.filter((one) => !isHere(one))];
  if (here.length > 0) put.own(here);
  if (there.length > 0) put.shared(there);
};

const ofNumbers = async (change: Of<"drop_accesses" | "drop_payloads">, now: Situation): Outcome => {
  const { own, shared } = dividedNumbers(change.numbers);
  if (own.length > 0) await toOwn({ ...change, numbers: own }, now);
  if (shared.length > 0) await toShared({ ...change, numbers: shared }, now);
};

const ofLease = (change: Of<"take_lease" | "release_lease">, now: Situation): Outcome =>
  (isOwnLease(change.name) ? toOwn : toShared)(change, now);

const DIVIDERS: Dividers = {
  insert_item: insertItem,
  revise_item: revise,
  remove_item: removeItem,
  insert_edge: insertEdge,
  remove_edge: removeEdge,
  touch_items: touch,
  redact_items: redact,
  keep_surface: keepSurface,
  drop_accesses: ofNumbers,
  drop_payloads: ofNumbers,
  take_lease: ofLease,
  release_lease: ofLease,
  lease_passages: (change, { divided }) =>
    ofPassages(change.passages, {
      own(passages) {
        divided.own.push({ ...change, passages });
        divided.undo.push({ ...change, passages, until: 0 });
      },
      shared: (passages) => divided.shared.push({ ...change, passages }),
    }),
  store_vectors: (change, { divided }) =>
    ofPassages(change.vectors, {
      own: (vectors) => divided.own.push({ ...change, vectors }),
      shared: (vectors) => divided.shared.push({ ...change, vectors }),
    }),
  purge_items: purge,
  adopt_embedder: toBoth,
  note_redaction: toBoth,
  note_maintenance: toBoth,
  drop_events: toBoth,
  link_memories: toShared,
  note_near: toShared,
  redact_events: toShared,
  adopt_journal: toShared,
  note_event: toShared,
  save_checkpoint: saveCheckpoint,
  drop_checkpoints: toBoth,
  evict_items: (change, now) => (isOfFiles(change.shelf) || change.shelf === "memory" ? toOwn : toShared)(change, now),
  drop_surfaces: toOwn,
  // A vector would stay in a store that does not know the text, so nobody could erase it with the text.
  cache_vectors: async () => undefined,
  note_files: toOwn,
  drop_files: toOwn,
  note_look: toOwn,
  put_symbols: toOwn,
  put_references: toOwn,
  rank_documents: toOwn,
  count_together: toOwn,
  note_usage: toOwn,
  note_surface_run: toOwn,
  note_injected: toOwn,
  clear_injected: toOwn,
  keep_session: toShared,
  judge_note: toShared,
  note_handover: toOwn,
  settle_handover: toOwn,
  drop_handovers: toOwn,
  insert_space: toOwn,
  move_space: toOwn,
};
