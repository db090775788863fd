/**
 * Imports what another tool remembers: one call, and one transaction for each store that it concerns.
 *
 * The whole source is read and prepared first. Decisions become proposals, because a person here has not agreed to them.
 * Nothing is stored twice, and what was changed, archived or erased here stays so.
 */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure, toFailure } from "../../errors.ts";
import { type Edge, isSymmetric, newEdge, possibleEdgeIds } from "../../graph/edges.ts";
import type { Change } from "../../journal/change.ts";
import { commit } from "../../journal/commit.ts";
import { removing, revising } from "../../memory/item-changes.ts";
import type { Item, LastingScope } from "../../memory/item.ts";
import { passagesOf } from "../../memory/passages.ts";
import { planRemember } from "../../memory/remember-rules.ts";
import { type Redaction, redactor } from "../../redaction/redact.ts";
import type { EdgeReads } from "../../store/store.ts";
import type { DraftWorld, World } from "../../world.ts";
import { halfDone } from "../import-rules.ts";
import { findImported, type ForeignVerdict, IMPORTED, type Imported, judgeForeign, scopesOf } from "./find-imported.ts";
import { type FilesWorld, nameOf } from "./foreign-files.ts";
import type { ForeignLink, ForeignTool, LeftOut } from "./foreign-memory.ts";
import { type PreparedForeign, prepareForeign } from "./prepare-foreign.ts";
import { type ForeignRequest, readForeign } from "./read-foreign.ts";

/** The edges that foreign memories bring along. Both ends must be memories of one store; an edge that exists stays. */
const CHUNK = 50;

/** `idOf` names the memory of a key, if there is one in this store. */
async function linksToMake(
  links: readonly ForeignLink[],
  idOf: (key: string) => string | undefined,
  store: EdgeReads,
  now: number,
): Promise<{ edges: Edge[]; unchanged: number }> {
  const wanted = new Map<string, Edge>();
  for (const { source: from, target: to, relation, strength } of links) {
    const [source, target] = [idOf(from), idOf(to)];
    if (source === undefined || target === undefined || source === target) continue;
    const bidirectional = isSymmetric(relation);
    const ends = bidirectional && source > target ? { source: target, target: source } : { source, target };
    const edge = newEdge({
      shelf: "memory",
      ...ends,
      relation,
      strength,
      bidirectional,
      status: "active",
      createdAt: now,
    });
    wanted.set(edge.id, edge);
  }
  const present = await statedAmong([...wanted.values()], store);
  const edges = [...wanted.values()].filter((edge) => !present.has(pairOf(edge)));
  return { edges, unchanged: wanted.size - edges.length };
}

/** Pairs that somebody has already stated something about, in either direction. */
async function statedAmong(edges: readonly Edge[], store: EdgeReads): Promise<Set<string>> {
  const stated = new Set<string>();
  for (let start = 0; start < edges.length; start += CHUNK) {
    const ids = edges
      .slice(start, start + CHUNK)
      .flatMap(({ source, target }) => possibleEdgeIds("memory", source, target));
    for (const edge of await store.edges("memory", ids)) if (!edge.made) stated.add(pairOf(edge));
  }
  return stated;
}

const pairOf = ({ source, target }: Edge): string => [source, target].sort().join(" ");

export interface ForeignAnswer {
  inserted: number;
  updated: number;
  unchanged: number;
  /** Changed here, and kept so. */
  older: number;
  edges: { inserted: number; unchanged: number };
  redactions: Redaction[];
  proposed: number;
  /** New and changed ones; only the first. */
  items: (Pick<Item, "id" | "type" | "title" | "summary"> & { outcome: "inserted" | "updated" | "proposed" })[];
  files: string[];
  /** Alike ones counted together; only the first. */
  leftOut: (LeftOut & { count: number })[];
}

type ForeignWorld = DraftWorld & FilesWorld & Pick<World, "global" | "progress">;

const MEMORIES_MOST = 50_000;
const ITEMS_SHOWN = 100;
const LEFT_OUT_SHOWN = 50;
/** How many are prepared between two turns of other work. */
const STRIDE = 200;

export async function importForeign(
  request: ForeignRequest & { scope: LastingScope },
  world: ForeignWorld,
): Promise<ForeignAnswer> {
  const { clean, redactions } = redactor();
  const { memories, links, leftOut, files } = await readForeign(request, world);
  if (memories.length > MEMORIES_MOST) throw tooMany(memories.length);
  const prepared = prepareForeign(memories, request.from, clean, leftOut, world);
  const answer: ForeignAnswer = {
    inserted: 0,
    updated: 0,
    unchanged: 0,
    older: 0,
    edges: { inserted: 0, unchanged: 0 },
    proposed: 0,
    items: [],
    files: files.map((path) => clean(nameOf(path, world.place))),
    leftOut: [],
    redactions: redactions(),
  };
  const scopes = await scopesOf(prepared, request.scope, world);
  const parts = Map.groupBy(prepared, ({ id }) => scopes.get(id)!);
  // Usually everything goes to one store, in one transaction.
  for (const [scope, own] of parts) await write({ scope, own, links }, request.from, answer, leftOut, world);
  return { ...answer, leftOut: counted(leftOut, clean) };
}

interface Part {
  scope: LastingScope;
  own: readonly PreparedForeign[];
  links: readonly ForeignLink[];
}

async function write(
  part: Part,
  from: ForeignTool,
  answer: ForeignAnswer,
  leftOut: LeftOut[],
  world: ForeignWorld,
): Promise<void> {
  try {
    const plan = await commit(
      world[part.scope],
      async () => {
        const planned = await planPart(part, from, world);
        return { changes: planned.changes, answer: planned };
      },
      world,
    );
    for (const outcome of plan.outcomes) count(outcome, answer, leftOut);
    answer.edges.inserted += plan.edges.inserted;
    answer.edges.unchanged += plan.edges.unchanged;
  } catch (thrown) {
    const isPartDone = answer.inserted + answer.updated + answer.proposed + answer.edges.inserted > 0;
    throw isPartDone ? halfDone(toFailure(thrown), world) : thrown;
  }
}

interface Outcome {
  prepared: PreparedForeign;
  verdict: ForeignVerdict;
  /** As it is written, if it is. */
  item: Item | null;
}

async function planPart({ scope, own, links }: Part, from: ForeignTool, world: ForeignWorld) {
  const store = world[scope];
  const imported = await findImported(own, scope, world);
  const changes: Change[] = [];
  const outcomes: Outcome[] = [];
  const ids = new Map<string, string>();
  const fresh = new Map<string, string>();
  for (const [index, prepared] of own.entries()) {
    const slot = `${prepared.shelf} ${prepared.draft.hash}`;
    const situation = imported.get(prepared.id)!;
    const again = fresh.get(slot);
    const verdict: ForeignVerdict =
      again === undefined ? judgeForeign(prepared.draft.hash, situation) : { outcome: "unchanged", id: again };
    const written = await changesFor(prepared, verdict, situation, { scope, from }, world);
    changes.push(...written.changes);
    outcomes.push({ prepared, verdict, item: written.item });
    const id = written.item?.id ?? ("id" in verdict ? verdict.id : undefined);
    if (written.item) fresh.set(slot, written.item.id);
    if (id !== undefined && isEnd(prepared, situation, written.item, scope)) ids.set(prepared.key, id);
    if (index % STRIDE === 0) {
      world.progress.report(index, own.length, "Importing");
      await immediate();
    }
  }
  const { edges, unchanged } = await linksToMake(links, (key) => ids.get(key), store, world.clock.now());
  changes.push(...edges.map((edge): Change => ({ kind: "insert_edge", edge })));
  return { changes, outcomes, edges: { inserted: edges.length, unchanged } };
}

/** Whether it is a memory of this store, so that an edge can end at it. */
function isEnd(
  { shelf }: PreparedForeign,
  { present, twin }: Imported,
  item: Item | null,
  scope: LastingScope,
): boolean {
  return shelf === "memory" && (item !== null || (twin ?? present)?.scope === scope);
}

async function changesFor(
  { id, shelf, draft, session, createdAt }: PreparedForeign,
  verdict: ForeignVerdict,
  { expired }: Imported,
  { scope, from }: { scope: LastingScope; from: ForeignTool },
  world: ForeignWorld,
): Promise<{ changes: Change[]; item: Item | null }> {
  if (verdict.outcome !== "inserted" && verdict.outcome !== "updated") return { changes: [], item: null };
  const passages = await passagesOf(draft, world);
  const route = {
    scope: shelf === "proposal" ? ("project" as const) : scope,
    reason: "imported",
    confidence: 1,
    by: "caller" as const,
  };
  const { changes } = planRemember(draft, {
    id,
    now: world.clock.now(),
    spaceId: world.place.spaceId,
    route,
    passages,
    origin: { ...world.origin, host: from, session: session ?? world.origin.session },
    workingTtlSeconds: 0,
    duplicate: expired,
    predecessor: null,
    leaving: [],
  });
  const mark = { [IMPORTED]: { from, hash: draft.hash } };
  const dated = changes.map((change) =>
    change.kind === "insert_item"
      ? { ...change, item: { ...change.item, createdAt, details: { ...change.item.details, ...mark } } }
      : change,
  );
  const insertion = dated.find((change) => change.kind === "insert_item")!;
  if (verdict.outcome === "inserted") return { changes: dated, item: insertion.item };
  const { content, hash, summary, title, background, tags, context, updatedAt } = insertion.item;
  const details = { ...verdict.present.details, ...mark };
  const set = { content, hash, summary, title, background, tags, context, updatedAt, details };
  const revision: Change = { ...revising(shelf, verdict.present, set), passages, embed: insertion.embed };
  const clearing = expired ? [removing(shelf, expired)] : [];
  return { changes: [...clearing, revision], item: { ...verdict.present, ...set } };
}

function count({ prepared, verdict, item }: Outcome, answer: ForeignAnswer, leftOut: LeftOut[]): void {
  const isProposal = prepared.shelf === "proposal";
  switch (verdict.outcome) {
    case "inserted":
      answer[isProposal ? "proposed" : "inserted"] += 1;
      break;
    case "kept":
      answer.older += 1;
      break;
    case "erased":
      leftOut.push({ what: item?.title ?? prepared.draft.title ?? "a memory", reason: "was erased here" });
      break;
    default:
      answer[verdict.outcome] += 1;
  }
  if (!item || answer.items.length >= ITEMS_SHOWN) return;
  const { id, type, title, summary } = item;
  const outcome = verdict.outcome === "updated" ? "updated" : isProposal ? "proposed" : "inserted";
  answer.items.push({ id, type, title, summary, outcome });
}

function counted(leftOut: readonly LeftOut[], clean: (text: string) => string): ForeignAnswer["leftOut"] {
  const groups = Map.groupBy(leftOut, ({ what, reason }) => JSON.stringify([what, reason]));
  return [...groups.values()]
    .slice(0, LEFT_OUT_SHOWN)
    .map((group) => ({ what: clean(group[0]!.what), reason: clean(group[0]!.reason), count: group.length }));
}

const tooMany = (count: number): Failure =>
  new Failure(
    "invalid_input",
    `The source has ${count.toLocaleString("en")} memories; at most ${MEMORIES_MOST.toLocaleString("en")} can be imported at once.`,
    "Nothing was imported. Import a part of it, or remove what is no longer needed there.",
  );
