/**
 * Remembers an item: redacts, routes, looks for equal content, writes; then, if asked, compares it with older ones. The
 * write never waits for an embedder.
 */
import { derivedSubject } from "../decisions/subject.ts";
import { Failure } from "../errors.ts";
import { mainLanguage } from "../files/languages.ts";
import { checkLasting, relating } from "../graph/link.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { type Clean, cleanFields, type Redaction, redactor } from "../redaction/redact.ts";
import type { Store } from "../store/store.ts";
import { contentHash } from "../text/content-hash.ts";
import { oneLine } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { sourceFor } from "./authorship.ts";
import { needMemory } from "./find-item.ts";
import { handleOf } from "./handles.ts";
import { saidIn, shelfFor } from "./item-changes.ts";
import type { SaidField } from "./item-fields.ts";
import type { Context, Item, MemoryType, Scope } from "./item.ts";
import type { Near } from "./near-pair.ts";
import { passagesOf } from "./passages.ts";
import { type Draft, planRemember, type Remembered } from "./remember-rules.ts";
import { resolveId } from "./resolve-id.ts";
import { type Route, route, ROUTING_TABLES } from "./routing.ts";
import type { StatedScope } from "./stated-scope.ts";
import { isGlobalByType, mayStateScope } from "./visibility.ts";

export interface RememberRequest extends Partial<Pick<Item, SaidField | "summary" | "scope" | "session" | "source">> {
  content: string;
  type: MemoryType;
  ttlSeconds?: number | undefined;
  /** Must be in the future, and excludes a lifetime. */
  expiresAt?: number | undefined;
  supersedes?: string | undefined;
  /** Why; only of a decision. */
  rationale?: string | undefined;
  /** Memories it relates to, in the store that it is routed to. */
  relates?: readonly string[] | undefined;
  /** Whether to look for older items about the same thing; bulk work does not. */
  compare?: boolean;
  context: Partial<Context>;
}

export interface RememberAnswer {
  status: "stored" | "duplicate" | "proposed";
  id: string;
  scope: Scope;
  type: MemoryType;
  reason: string;
  confidence: number;
  /** The memory it replaced, if asked to. */
  replaced: string | null;
  /** Memories it was related to; not those it was related to before. */
  related: string[];
  /** Whether the journal has it, so that it can be undone. */
  isOnRecord: boolean;
  redactions: Redaction[];
  near: Near[];
}

export async function remember(request: RememberRequest, world: World): Promise<RememberAnswer> {
  const memory = await prepareMemory(request, world);
  const { draft, route: way, predecessor } = memory;
  const isCompared = request.compare === true && way.scope !== "working" && world.settings.remember.compareMs > 0;
  // Loaded only where something is compared: bulk and working memories are not.
  const comparing = isCompared ? await import("./near.ts") : null;
  const vector = comparing ? comparing.embedIfReady(draft.content, world) : Promise.resolve(null);
  const answer = await commit(memory.store, memory.plan, world);
  const { scope, reason, confidence } = way;
  const isNew = answer.status !== "duplicate";
  const subject = draft.type === "decision" ? (draft.title ?? null) : null;
  const shelf = draft.type === "decision" ? ("proposal" as const) : ("memory" as const);
  const except = predecessor ? [predecessor.id] : [];
  const written = { id: answer.id, shelf, content: draft.content, subject, scope, except };
  const near = comparing && isNew ? await comparing.findNear(written, vector, world) : [];
  return { ...answer, scope, reason, confidence, redactions: memory.redactions(), near };
}

type Consequences = Pick<RememberAnswer, "isOnRecord" | "replaced" | "related">;

/** A memory ready to be written. Whoever commits the plan may add changes to its transaction. */
export interface PreparedMemory {
  store: Store;
  route: Route;
  draft: Draft;
  predecessor: Item | null;
  /** From the current state, so that it can be planned again after a conflict. */
  plan(attempt: number): Promise<{ changes: Change[]; answer: Remembered & Consequences }>;
  redactions(): Redaction[];
}

export async function prepareMemory(request: RememberRequest, world: World): Promise<PreparedMemory> {
  checkExpiry(request, world);
  const { clean, redactions } = redactor();
  const draft = draftOf(request, clean, world);
  const predecessor = request.supersedes
    ? await needPredecessor(await resolveId(request.supersedes, "memory", world), world)
    : null;
  const way = routeFor(request, draft, { predecessor, stated: await statedIn(draft) }, world);
  const store = way.scope === "global" ? world.global : world.project;
  const related = await needRelated(request, way, world);
  const shelf = shelfFor(draft.type);
  const passages = await passagesOf(draft, world);
  // Most content is new, so equal content is looked up only after the store has refused a duplicate.
  const isLikelyNew = predecessor === null && way.scope !== "working";

  async function plan(attempt: number): ReturnType<PreparedMemory["plan"]> {
    const now = world.clock.now();
    const room = { session: world.origin.session, capacity: world.settings.working.capacity, now };
    const { changes, answer } = planRemember(draft, {
      id: world.ids.next(),
      now,
      origin: world.origin,
      spaceId: world.place.spaceId,
      route: way,
      workingTtlSeconds: world.settings.working.ttlSeconds,
      duplicate: isLikelyNew && attempt === 1 ? null : await store.sameContent(shelf, way.scope, draft.hash),
      predecessor: predecessor && (await needPredecessor(predecessor.id, world)),
      leaving: way.scope === "working" ? await store.leaving(shelf, room) : [],
      passages,
    });
    changes.push(...(await relating(answer.id, related, store, world)));
    return { changes, answer: { ...answer, ...consequencesOf(changes, answer.id, way) } };
  }
  return { store, route: way, draft, predecessor, plan, redactions };
}

function consequencesOf(changes: readonly Change[], id: string, { scope }: Route): Consequences {
  const closed = changes.find((change) => change.kind === "revise_item" && change.set.supersededBy === id);
  return {
    replaced: closed?.kind === "revise_item" ? closed.id : null,
    related: changes.flatMap((change) => (change.kind === "insert_edge" ? [change.edge.target] : [])),
    isOnRecord: scope !== "working" && changes.some(({ kind }) => kind !== "touch_items"),
  };
}

function checkExpiry({ ttlSeconds, expiresAt }: RememberRequest, { clock }: Pick<World, "clock">): void {
  if (expiresAt === undefined) return;
  if (ttlSeconds !== undefined)
    throw new Failure("invalid_input", "ttlSeconds and expiresAt both say when it expires.", "Give only one of them.");
  if (expiresAt > clock.now()) return;
  throw new Failure(
    "invalid_input",
    "The time at which it expires is not in the future.",
    "Give a later time, or leave it out.",
  );
}

const TITLE_CHARACTERS = 200;

const NO_TERMS: NonNullable<Draft["proposal"]> = {
  rationale: null,
  rejected: [],
  evidence: [],
  supersedes: [],
  relates: [],
  validFrom: null,
  validUntil: null,
};

/** What the code was like when this was learnt. */
const newestCommit = ({ place }: World): string[] => [place.commit()].filter((id) => id !== null);

function draftOf(request: RememberRequest, clean: Clean, world: World): Draft {
  const { branch, commits = newestCommit(world), files = [], symbols = [] } = request.context;
  const language = request.context.language ?? mainLanguage(files);
  const context = { branch: branch ?? world.place.branch(), commits, files, symbols, language };
  const { type, ...free } = { ...saidIn(request), type: request.type, content: request.content, context };
  const said = cleanFields(free, clean);
  const { summary, source = sourceFor(world), ttlSeconds, expiresAt } = request;
  // The title of a decision is its subject, without which nobody could ratify it.
  const derived = () => oneLine(derivedSubject({ tags: [], ...said }), TITLE_CHARACTERS, clean);
  return {
    ...said,
    type,
    source,
    ttlSeconds,
    expiresAt,
    hash: contentHash(said.content),
    title: said.title ?? (type === "decision" ? derived() : null),
    ...(summary !== undefined && { summary: clean(summary) }),
    ...(request.rationale !== undefined && { proposal: { ...NO_TERMS, rationale: clean(request.rationale) } }),
  };
}

async function needRelated({ relates = [], type }: RememberRequest, { scope }: Route, world: World): Promise<Item[]> {
  if (relates.length > 0 && type === "decision") {
    throw new Failure(
      "invalid_input",
      "A decision relates to decisions, not to memories.",
      "Use `propose` with `relates` and the ids of decisions.",
    );
  }
  if (relates.length > 0 && scope === "working") {
    throw new Failure(
      "invalid_input",
      "The new memory would be working; only lasting memories can be linked.",
      "Set the scope to project, or leave the relation out.",
    );
  }
  const related: Item[] = [];
  for (const typed of relates) {
    const { item } = await needMemory(await resolveId(typed, "memory", world), world);
    checkLasting(item);
    if ((item.scope === "global") !== (scope === "global")) {
      throw new Failure(
        "invalid_input",
        `Memory ${handleOf(item.id)} is ${item.scope} and the new one would be ${scope}; an edge cannot connect two stores.`,
        `Set the scope to ${item.scope}, or leave the relation out.`,
      );
    }
    related.push(item);
  }
  return related;
}

async function needPredecessor(id: string, world: World): Promise<Item> {
  const { item } = await needMemory(id, world);
  if (item.status === "active") return item;
  throw new Failure(
    "conflict",
    `Memory ${handleOf(id)} is ${item.status}; it cannot be superseded.`,
    item.supersededBy ? `Supersede ${handleOf(item.supersededBy)} instead.` : "Remember the new content separately.",
  );
}

/** A successor has the scope of its predecessor, because a chain never spans two stores. */
/** The phrases are loaded only for a text that may contain one. */
async function statedIn({ title, content }: Draft): Promise<StatedScope | null> {
  const text = title ? `${title}\n\n${content}` : content;
  if (!mayStateScope(text)) return null;
  const { statedScope } = await import("./stated-scope.ts");
  return statedScope(text);
}

function routeFor(
  request: RememberRequest,
  draft: Draft,
  { predecessor, stated }: { predecessor: Item | null; stated: StatedScope | null },
  { settings }: Pick<World, "settings">,
): Route {
  if (draft.type === "decision") {
    if (predecessor?.scope === "global") {
      throw new Failure(
        "invalid_input",
        `Memory ${handleOf(predecessor.id)} is global; a decision of this project cannot supersede it.`,
        "Remember the decision separately.",
      );
    }
    return { scope: "project", reason: "a person ratifies decisions", confidence: 1, by: "type" };
  }
  const input = {
    tags: [],
    ...draft,
    scope: request.scope,
    hasLifetime: request.ttlSeconds !== undefined,
    hasSession: request.session !== undefined,
  };
  const way = route(input, ROUTING_TABLES[settings.routing.preset], stated);
  if (!predecessor) return way;
  const by = isGlobalByType(predecessor) ? "type" : "caller";
  // Where its predecessor was shown in every project, its type does not restrict it to this one.
  if (way.scope === predecessor.scope) return way.scope === "global" && way.by === "type" ? { ...way, by } : way;
  if (way.by !== "caller") {
    return { scope: predecessor.scope, reason: "same scope as its predecessor", confidence: 1, by };
  }
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(predecessor.id)} is ${predecessor.scope}; a ${way.scope} memory cannot supersede it.`,
    "Leave the scope out, or promote the old memory first.",
  );
}
