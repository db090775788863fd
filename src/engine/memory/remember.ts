/** Remembers an item: redacts, routes, looks for equal content, writes. Never waits for an embedder. */
import { Failure } from "../../errors.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { oneLine } from "../../logic/text/one-line.ts";
import { type Draft, planRemember } from "../../logic/memory/plan-remember.ts";
import { shelfFor } from "../../logic/memory/shelving.ts";
import { type Route, route } from "../../logic/memory/routing.ts";
import { derivedSubject } from "../../logic/decisions/subject.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Context, Item, Scope, Source } from "../../model/memory/item.ts";
import type { MemoryType } from "../../model/memory/memory.ts";
import type { World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { needMemory } from "./find-item.ts";
import { passagesOf } from "../text/passages.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { resolveId } from "./resolve-id.ts";
import { sourceFor } from "./source.ts";

export interface RememberRequest {
  content: string;
  type: MemoryType;
  scope?: Scope | undefined;
  title?: string | undefined;
  summary?: string | undefined;
  tags: string[];
  priority: number;
  confidence?: number | undefined;
  pinned: boolean;
  ttlSeconds?: number | undefined;
  supersedes?: string | undefined;
  source?: Source | undefined;
  session?: string | undefined;
  context: Partial<Context>;
}

export interface RememberAnswer {
  status: "stored" | "duplicate" | "proposed";
  id: string;
  scope: Scope;
  type: MemoryType;
  reason: string;
  confidence: number;
  redactions: Redaction[];
}

export async function remember(request: RememberRequest, world: World): Promise<RememberAnswer> {
  const { clean, redactions } = redactor();
  const draft = draftOf(request, clean, world);
  const predecessor = request.supersedes
    ? await needPredecessor(await resolveId(request.supersedes, "memory", world), world)
    : null;
  const way = routeFor(request, draft, predecessor);
  const store = way.scope === "global" ? world.global : world.project;
  const shelf = shelfFor(draft.type);
  const passages = await passagesOf(draft.content, world);

  // Most content is new, so equal content is looked up only after the store has refused a duplicate.
  const isLikelyNew = predecessor === null && way.scope !== "working";
  const answer = await commit(
    store,
    async (attempt) => {
      const now = world.clock.now();
      const room = { session: world.origin.session, capacity: world.settings.working.capacity, now };
      return planRemember(draft, {
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
    },
    world,
  );
  const { scope, reason, confidence } = way;
  return { ...answer, scope, reason, confidence, redactions: redactions() };
}

function draftOf(request: RememberRequest, clean: (text: string) => string, world: World): Draft {
  const branch = request.context.branch ?? world.place.branch();
  const content = clean(request.content);
  const tags = request.tags.map(clean);
  return {
    content,
    hash: contentHash(content),
    type: request.type,
    title: titleOf(request, { content, tags }, clean),
    summary: request.summary === undefined ? null : clean(request.summary),
    tags,
    priority: request.priority,
    confidence: request.confidence ?? null,
    pinned: request.pinned,
    source: request.source ?? sourceFor(world),
    context: {
      branch: branch === null ? null : clean(branch),
      commits: (request.context.commits ?? []).map(clean),
      files: (request.context.files ?? []).map(clean),
      symbols: (request.context.symbols ?? []).map(clean),
      language: request.context.language ?? null,
    },
    ttlSeconds: request.ttlSeconds ?? null,
  };
}

const TITLE_CHARACTERS = 200;

/** The title of a decision is its subject, without which nobody could ratify it. */
function titleOf(
  { title, type }: RememberRequest,
  text: { content: string; tags: readonly string[] },
  clean: (text: string) => string,
): string | null {
  if (title !== undefined) return clean(title);
  return type === "decision" ? oneLine(derivedSubject(text), TITLE_CHARACTERS, clean) : null;
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
function routeFor(request: RememberRequest, draft: Draft, predecessor: Item | null): Route {
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
  const way = route({
    ...draft,
    scope: request.scope,
    ttlSeconds: request.ttlSeconds,
    hasSession: request.session !== undefined,
  });
  if (!predecessor || way.scope === predecessor.scope) return way;
  if (way.by !== "caller")
    return { scope: predecessor.scope, reason: "same scope as its predecessor", confidence: 1, by: "caller" };
  throw new Failure(
    "invalid_input",
    `Memory ${handleOf(predecessor.id)} is ${predecessor.scope}; a ${way.scope} memory cannot supersede it.`,
    "Leave the scope out, or promote the old memory first.",
  );
}
