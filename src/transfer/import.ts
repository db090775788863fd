/**
 * Imports items exactly as they were exported. Another version of an item that exists is a conflict, unless it was chosen.
 *
 * The whole file is checked before the first write. Batches are written one by one as one call,
 * so one rollback undoes them all; a batch in conflict with another process is planned again.
 * Conflicting items are reported, never overwritten.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { isForAgent, type Touched } from "../decisions/consent.ts";
import { readOutlines } from "../decisions/read-decisions.ts";
import { Failure, isForbidden, toFailure } from "../errors.ts";
import { type Edge, EDGE_SHELVES, reversedEdgeId } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import type { ChainEntry } from "../journal/journal.ts";
import { identityOf, withHandle } from "../memory/handles.ts";
import { type Item, LastingScope } from "../memory/item.ts";
import { passagesOf, withTokens } from "../memory/passages.ts";
import { isUniqueByContent, uniqueSlotOf } from "../memory/remember-rules.ts";
import type { Passage, Shelf } from "../memory/shelves.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import type { EdgeReads, ItemReads, JournalReads, Store } from "../store/store.ts";
import type { Stores, World } from "../world.ts";
import type { Incoming, IncomingEdge } from "./export-line.ts";
import { chooser, decisionsAmong, replacedAmong } from "./import-decisions.ts";
import { type EdgeVerdict, halfDone, importing, judgeEdge, judgeImport, keyOf, type Verdict } from "./import-rules.ts";
import { type Intake, readExport } from "./read-export.ts";

/** Imports edges, after the items: each edge needs both its ends. */
const PARCEL_EDGES = 200;

interface JudgedEdge {
  edge: Edge;
  verdict: EdgeVerdict;
}

async function* importEdges(
  incoming: readonly IncomingEdge[],
  mayDecide: boolean,
  world: Stores & Pick<World, "origin">,
): AsyncGenerator<JudgedEdge> {
  for (const scope of LastingScope.options) {
    const edges = incoming.filter(({ store }) => store === scope).map(({ edge }) => edge);
    for (let start = 0; start < edges.length; start += PARCEL_EDGES) {
      const parcel = edges.slice(start, start + PARCEL_EDGES);
      yield* await writeParcel(parcel, mayDecide, world[scope], world);
      await immediate();
    }
  }
}

/** Whoever imports may not be allowed all of it: a writer of a shared project does not decide. */
const NOT_ALLOWED = "your role in the shared project does not allow it; a ratifier imports it";

async function unlessForbidden<T, Otherwise>(
  work: Promise<T> | null,
  otherwise: Otherwise,
): Promise<T | Otherwise | null> {
  try {
    return await work;
  } catch (thrown) {
    if (isForbidden(thrown)) return otherwise;
    throw thrown;
  }
}

/** One by one if some of them are not allowed. */
async function writeParcel(
  parcel: readonly Edge[],
  mayDecide: boolean,
  store: Store,
  world: Pick<World, "origin">,
): Promise<JudgedEdge[]> {
  const write = (edges: readonly Edge[]) => commit(store, () => planEdges(edges, mayDecide, store), world);
  const together = await unlessForbidden(write(parcel), null);
  if (together) return together;
  const judged: JudgedEdge[] = [];
  for (const edge of parcel) {
    const refused: JudgedEdge[] = [{ edge, verdict: { outcome: "conflict", reason: NOT_ALLOWED } }];
    judged.push(...((await unlessForbidden(write([edge]), refused)) ?? []));
  }
  return judged;
}

async function planEdges(
  edges: readonly Edge[],
  mayDecide: boolean,
  store: ItemReads & EdgeReads,
): Promise<{ changes: Change[]; answer: JudgedEdge[] }> {
  const present = new Map<string, Edge>();
  const here = new Set<string>();
  const successors = new Map<string, string | null>();
  for (const shelf of EDGE_SHELVES) {
    const own = edges.filter((edge) => edge.shelf === shelf);
    if (own.length === 0) continue;
    for (const edge of await store.edges(
      shelf,
      own.flatMap((edge) => (edge.relation === "supersedes" ? [edge.id, reversedEdgeId(edge)] : [edge.id])),
    ))
      present.set(edge.id, edge);
    const ends = [...new Set(own.flatMap(({ source, target }) => [source, target]))];
    for (const { id } of await store.outlines(shelf, ends)) here.add(`${shelf} ${id}`);
    const replacing = own.filter(({ relation }) => relation === "supersedes").map(({ source }) => source);
    for (const { id, supersededBy } of replacing.length > 0 ? await store.items(shelf, replacing) : [])
      successors.set(`${shelf} ${id}`, supersededBy);
  }
  const situation = {
    present,
    mayDecide,
    isHere: (shelf: string, id: string) => here.has(`${shelf} ${id}`),
    successorOf: (shelf: string, id: string) => successors.get(`${shelf} ${id}`) ?? null,
  };
  const answer = edges.map((edge) => ({ edge, verdict: judgeEdge(edge, situation) }));
  const changes = answer.flatMap(({ edge, verdict }): Change[] =>
    verdict.outcome === "inserted" ? [{ kind: "insert_edge", edge }] : [],
  );
  return { changes, answer };
}

interface ImportConflict {
  id: string;
  handle: string;
  shelf: Shelf;
  /** The edge from this item that conflicts; null if the item itself does. */
  edge: Pick<Edge, "relation" | "target"> | null;
  reason: string;
}

export interface ImportAnswer {
  inserted: number;
  updated: number;
  unchanged: number;
  older: number;
  /** Their conflicts are listed with those of items. */
  edges: { inserted: number; unchanged: number };
  /** Only the first ones. */
  conflicts: ImportConflict[];
  conflictCount: number;
  redactions: Redaction[];
  /** `reason` says why the first one was skipped. */
  journal: { adopted: number; skipped: number; reason: string | null };
}

const CONFLICTS_SHOWN = 100;

/** What somebody agrees to: that decisions are imported, and that what they chose replaces what is here. */
interface Agreed {
  decisions: boolean;
  replacements: boolean;
}

interface ImportRequest {
  path: string;
  /** Ids or handles of items whose version in the file is to replace the one here, or `all`. */
  replace?: readonly string[] | undefined;
}

/** Decisions are imported, and versions replaced, only if `agreeTo` agrees to both effects; everything else always is. */
export async function importItems(
  { path, replace = [] }: ImportRequest,
  given: ImportWorld,
  agreeTo: (touched: Touched, replaced: Touched) => Agreed = () => ({
    decisions: !isForAgent(given.origin),
    replacements: !isForAgent(given.origin),
  }),
): Promise<ImportAnswer> {
  const intake = await readExport(given.files.resolve(path), given);
  const agreed = agreeTo(await decisionsAmong(intake, given), await replacedAmong(intake, replace, given));
  const world: Importing = {
    ...given,
    mayDecide: agreed.decisions,
    isChosen: agreed.replacements ? chooser(replace) : () => false,
  };
  const answer = emptyAnswer(intake);
  try {
    for (const scope of LastingScope.options) await adoptJournal(scope, intake, answer, world);
    await writeItems(intake, answer, world);
    await writeEdges(intake, answer, world);
  } catch (thrown) {
    throw answer.inserted + answer.updated + answer.edges.inserted > 0 ? halfDone(toFailure(thrown), world) : thrown;
  }
  return answer;
}

function emptyAnswer({ twins, redactions }: Intake): ImportAnswer {
  const conflicts = twins.slice(0, CONFLICTS_SHOWN).map((twin) => ({ ...withHandle(twin), edge: null }));
  const journal = { adopted: 0, skipped: 0, reason: null };
  return {
    inserted: 0,
    updated: 0,
    unchanged: 0,
    older: 0,
    edges: { inserted: 0, unchanged: 0 },
    conflicts,
    conflictCount: twins.length,
    redactions,
    journal,
  };
}

type ImportWorld = Stores & Pick<World, "tokenizer" | "clock" | "log" | "progress" | "files" | "origin">;

interface Importing extends ImportWorld {
  readonly mayDecide: boolean;
  isChosen(id: string): boolean;
}

/** A journal is adopted only by a store that has none, because two chains cannot be merged. */
async function adoptJournal(
  scope: LastingScope,
  { journals }: Intake,
  answer: ImportAnswer,
  world: Importing,
): Promise<void> {
  const journal = journals.get(scope);
  if (!journal) return;
  const { entries, fault } = journal;
  const store = world[scope];
  const adopting = commit(
    store,
    async () => {
      const refusal = fault ?? (await refusalOf(entries, store, world));
      return { changes: refusal === null ? [{ kind: "adopt_journal", entries }] : [], answer: refusal };
    },
    world,
  );
  const reason = await unlessForbidden(
    adopting,
    "it contains decisions, which only a ratifier of the project may write",
  );
  answer.journal[reason === null ? "adopted" : "skipped"] += entries.length;
  answer.journal.reason ??= reason;
}

async function refusalOf(
  entries: readonly ChainEntry[],
  store: JournalReads,
  world: Importing,
): Promise<string | null> {
  if ((await store.chainHead()).length > 0) return "this store already has a journal";
  // A rollback could restore decisions from the file without asking.
  if (world.mayDecide || entries.every(({ shelf }) => shelf !== "decision")) return null;
  return "it contains decisions, which a person imports with `stele import`";
}

async function writeItems(intake: Intake, answer: ImportAnswer, world: Importing): Promise<void> {
  let done = 0;
  for (const { scope, items } of groupsOf(intake, await findTangles(intake, world))) {
    const verdicts = await writeGroup(scope, items, world);
    for (const [index, verdict] of verdicts.entries()) count(items[index]!, verdict, answer);
    world.progress.report((done += items.length), intake.total, "Importing");
    // A group without changes runs synchronously, so other work gets its turn here.
    await immediate();
  }
}

async function writeEdges({ edges }: Intake, answer: ImportAnswer, world: Importing): Promise<void> {
  for await (const { edge, verdict } of importEdges(edges, world.mayDecide, world)) {
    if (verdict.outcome === "conflict") tell(edgeConflict(edge, verdict.reason), answer);
    else answer.edges[verdict.outcome] += 1;
  }
}

/** The id of an edge is a hash, which no verb accepts; its ends and relation name it. */
const edgeConflict = ({ shelf, source, target, relation }: Edge, reason: string): ImportConflict => ({
  ...identityOf(source),
  shelf,
  edge: { relation, target },
  reason,
});

function count({ shelf, item }: Incoming, verdict: Verdict, answer: ImportAnswer): void {
  if (verdict.outcome === "conflict")
    tell({ ...identityOf(item.id), shelf, edge: null, reason: verdict.reason }, answer);
  else answer[verdict.outcome] += 1;
}

function tell(conflict: ImportConflict, answer: ImportAnswer): void {
  answer.conflictCount += 1;
  if (answer.conflicts.length < CONFLICTS_SHOWN) answer.conflicts.push(conflict);
}

type Tangles = ReadonlyMap<string, "gives" | "takes">;

/** Items with the same content as a stored one that the file changes too. */
async function findTangles({ parcels, keys }: Intake, world: Stores): Promise<Tangles> {
  const tangles = new Map<string, "gives" | "takes">();
  for (const { scope, items } of parcels) {
    for (const { shelf, item } of items()) {
      const twin = await twinOf(world[scope], shelf, item);
      if (!twin || !keys.has(keyOf(shelf, twin))) continue;
      tangles.set(keyOf(shelf, twin), "gives");
      if (!tangles.has(keyOf(shelf, item))) tangles.set(keyOf(shelf, item), "takes");
    }
    await immediate();
  }
  return tangles;
}

/** Tangled items come first, in one group, givers before takers, so that no group depends on another's writes. */
function* groupsOf({ parcels }: Intake, tangles: Tangles): Generator<{ scope: LastingScope; items: Incoming[] }> {
  const roleOf = ({ shelf, item }: Incoming) => tangles.get(keyOf(shelf, item));
  for (const scope of tangles.size > 0 ? LastingScope.options : []) {
    const own = parcels.filter((parcel) => parcel.scope === scope);
    const tangled = own.flatMap(({ items }) => items().filter((incoming) => roleOf(incoming) !== undefined));
    const gives = tangled.filter((incoming) => roleOf(incoming) === "gives");
    yield { scope, items: [...gives, ...tangled.filter((incoming) => roleOf(incoming) === "takes")] };
  }
  for (const { scope, items } of parcels) {
    yield { scope, items: items().filter((incoming) => roleOf(incoming) === undefined) };
  }
}

async function writeGroup(scope: LastingScope, items: readonly Incoming[], world: Importing): Promise<Verdict[]> {
  const store = world[scope];
  const together = await commit(store, () => plan(store, items, world), world).catch((thrown: unknown) => {
    if (isForbidden(thrown) || (thrown instanceof Failure && thrown.code === "conflict")) return null;
    throw thrown;
  });
  if (together) return together;
  // One item conflicts for a reason only the store can see. Written one by one, the others succeed.
  const verdicts: Verdict[] = [];
  for (const incoming of items) {
    const { changes, answer } = await plan(store, [incoming], world);
    const applying = changes.length > 0 ? store.apply(changes, world.origin) : null;
    const applied = await unlessForbidden(applying, { status: "conflict", reason: NOT_ALLOWED });
    verdicts.push(applied?.status === "conflict" ? { outcome: "conflict", reason: applied.reason } : answer[0]!);
  }
  return verdicts;
}

async function plan(
  store: Store,
  items: readonly Incoming[],
  world: Importing,
): Promise<{ changes: Change[]; answer: Verdict[] }> {
  const present = await presentIn(store, items);
  const twins = new Map<string, Item>();
  for (const { shelf, item } of items) {
    const twin = await twinOf(store, shelf, item);
    if (twin) twins.set(keyOf(shelf, item), twin);
  }
  const answer = judgeImport(items, {
    now: world.clock.now(),
    present,
    twins,
    clean: redactor().clean,
    mayDecide: world.mayDecide,
    isChosen: world.isChosen,
    decisions: await outlinesFor(items, store, world),
  });
  const changes: Change[] = [];
  for (const [index, incoming] of items.entries()) {
    const verdict = answer[index]!;
    if (!("clears" in verdict)) continue;
    const there = present.get(keyOf(incoming.shelf, incoming.item)) ?? null;
    changes.push(...importing(incoming, there, verdict.clears, await preparedPassages(incoming, world)));
  }
  return { changes, answer };
}

/** Read only if a decision is imported. */
const outlinesFor = async (items: readonly Incoming[], project: Store, { clock }: Pick<World, "clock">) =>
  items.some(({ shelf }) => shelf === "decision") ? readOutlines({ project, clock }) : new Map<string, Item>();

async function presentIn(store: ItemReads, items: readonly Incoming[]): Promise<Map<string, Item>> {
  const present = new Map<string, Item>();
  for (const [shelf, incoming] of Map.groupBy(items, (one) => one.shelf)) {
    const keys = new Map(incoming.map(({ item }) => [item.id, keyOf(shelf, item)]));
    for (const item of await store.items(shelf, [...keys.keys()])) present.set(keys.get(item.id)!, item);
  }
  return present;
}

/** Another item with the same content, on a shelf where content is unique. */
async function twinOf(store: ItemReads, shelf: Shelf, item: Item): Promise<Item | null> {
  const slot = uniqueSlotOf(shelf, item);
  if (slot === null || !isUniqueByContent(shelf)) return null;
  const twin = await store.sameContent(shelf, item.scope, item.hash);
  return twin && twin.id !== item.id && uniqueSlotOf(shelf, twin) === slot ? twin : null;
}

function preparedPassages({ item, passages }: Incoming, world: Pick<World, "tokenizer" | "log">): Promise<Passage[]> {
  if (passages === null) return passagesOf(item, world);
  return withTokens(
    passages.map((passage, ordinal) => ({ ...passage, ordinal })),
    world,
  );
}
