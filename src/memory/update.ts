/** Updates a memory: corrects it in place, replaces it if its meaning changes, and moves it to another scope. */
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { cleanFields, type Redaction, redactor } from "../redaction/redact.ts";
import { contentHash } from "../text/content-hash.ts";
import { summaryOf } from "../text/short-text.ts";
import type { ReviseWorld, World } from "../world.ts";
import { adoption, detailsBy, rewording, sourceFor } from "./authorship.ts";
import { clearDuplicate, needMemory } from "./find-item.ts";
import { handleOf } from "./handles.ts";
import { closing, isEmbedded, revising, saidIn } from "./item-changes.ts";
import { INDEXED_FIELDS, type SaidField } from "./item-fields.ts";
import type { Item, LastingScope, Revision, Scope } from "./item.ts";
import { replacesMeaning } from "./meaning.ts";
import { move } from "./move.ts";
import type { Near } from "./near-pair.ts";
import { passagesOf } from "./passages.ts";
import { resolveId } from "./resolve-id.ts";
import type { Passage } from "./shelves.ts";

/**
 * The changes of an update: a revision in place, or a successor.
 *
 * Only a change of meaning creates a new memory; tags, priority and wording do not.
 */
export type Edit = { [Name in SaidField]?: NonNullable<Item[Name]> | undefined } & {
  /** Archives it, or brings it back. */
  status?: "active" | "archived" | undefined;
  /** Whether the edit corrects the memory or replaces it; inferred from the text if omitted. */
  as?: "revision" | "replacement" | undefined;
};

interface UpdateSituation {
  id: string;
  now: number;
  item: Item;
  passages: Passage[];
  /** Removals that come first, such as an expired memory with equal content. */
  clearing: readonly Change[];
  author: Pick<Item, "host" | "session" | "source">;
  /** Whether the author is an agent in a shell of its own. */
  byAgent?: boolean | undefined;
}

interface Updated {
  status: "revised" | "replaced" | "restored" | "archived" | "unchanged";
  id: string;
  supersedes: string | null;
}

export function planUpdate(
  edit: Edit,
  { id, now, item, passages, clearing, author, byAgent = false }: UpdateSituation,
): { changes: Change[]; answer: Updated } {
  const set = revisionOf(edit, item);
  if (Object.keys(set).length === 0)
    return { changes: [], answer: { status: "unchanged", id: item.id, supersedes: null } };
  const embed = isEmbedded(set.type ?? item.type);
  if (isReplacement(edit, item)) {
    const successor: Item = {
      ...item,
      ...set,
      ...author,
      details: detailsBy(byAgent, item),
      id,
      version: 1,
      createdAt: now,
      updatedAt: now,
      accessedAt: now,
      accessCount: 0,
      validFrom: now,
      validUntil: null,
    };
    const changes: Change[] = [
      ...clearing,
      closing(item, id, now),
      { kind: "insert_item", shelf: "memory", item: successor, passages, embed },
    ];
    return { changes, answer: { status: "replaced", id, supersedes: item.id } };
  }
  const reindex = INDEXED_FIELDS.some((name) => name in set);
  const isRestored = set.status === "active";
  const by = { ...author, byAgent };
  const authorship = set.content !== undefined ? rewording(item, by) : isRestored ? adoption(item, by) : {};
  const change: Change = {
    ...revising("memory", item, { ...set, ...authorship, updatedAt: now }),
    passages: reindex ? passages : null,
    embed,
  };
  const outcome = isRestored ? "restored" : (set.status ?? "revised");
  return {
    changes: [...clearing, change, ...(isRestored ? [reading(item, now)] : [])],
    answer: { status: outcome as Updated["status"], id: item.id, supersedes: null },
  };
}

/** Whoever brings a memory back wants it, so it must not fade away again at once for want of access. */
function reading({ id }: Item, at: number): Change {
  const touches = [{ id, how: "shown" as const, relevance: null }];
  return { kind: "touch_items", shelf: "memory", touches, query: null, at };
}

function isReplacement(edit: Edit, item: Item): boolean {
  if (edit.content === undefined || edit.content === item.content) return false;
  return edit.as ? edit.as === "replacement" : replacesMeaning(item.content, edit.content);
}

/** Only fields that differ: an edit that changes nothing writes nothing. */
function revisionOf(edit: Edit, item: Item): Revision {
  const said = saidIn({ ...edit, ...(edit.tags && { tags: [...new Set(edit.tags)] }) });
  const given = { ...said, ...(edit.status && { status: edit.status }) };
  const differs = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(item[name as SaidField]);
  const set: Revision = Object.fromEntries(Object.entries(given).filter(differs));
  if (set.content === undefined) return set;
  return { ...set, summary: summaryOf(set.content), hash: contentHash(set.content) };
}

interface UpdateRequest extends Edit {
  /** The scope to move it to; it stays where it is if omitted. */
  scope?: LastingScope | undefined;
}

interface UpdateAnswer extends Updated {
  scope: Scope;
  /** Whether it is in another scope than before. */
  isMoved: boolean;
  /** False for working memories, which are not journaled. */
  isOnRecord: boolean;
  redactions: Redaction[];
}

type UpdateWorld = ReviseWorld & Pick<World, "ids">;

export async function update(
  typed: string,
  { scope, ...given }: UpdateRequest,
  world: UpdateWorld,
): Promise<UpdateAnswer> {
  if (scope !== undefined && given.status !== undefined) {
    throw new Failure(
      "invalid_input",
      "A memory cannot be moved and change its status at once.",
      "Do one, then the other.",
    );
  }
  const { clean, redactions } = redactor();
  const edit = cleanFields(given, clean);
  const id = await resolveId(typed, "memory", world);
  const answer = scope === undefined ? await inPlace(id, edit, world) : await intoScope(id, scope, edit, world);
  return { ...answer, isOnRecord: answer.scope !== "working", redactions: redactions() };
}

/** What its new text is near. */
export async function nearUpdated(
  { id, status, scope, supersedes }: UpdateAnswer | Omit<UpdateAnswer, "isMoved" | "isOnRecord">,
  typed: string,
  world: World,
): Promise<Near[]> {
  if ((status !== "revised" && status !== "replaced") || scope === "working") return [];
  if (world.settings.remember.compareMs === 0) return [];
  const { embedIfReady, findNear } = await import("./near.ts");
  const content = redactor().clean(typed);
  const except = supersedes === null ? [] : [supersedes];
  return findNear({ id, shelf: "memory", content, subject: null, scope, except }, embedIfReady(content, world), world);
}

/** The present text of a memory, for a person to edit. */
export async function contentToEdit(typed: string, world: UpdateWorld): Promise<string> {
  const { item } = await needMemory(await resolveId(typed, "memory", world), world);
  return item.content;
}

type Placed = Updated & Pick<UpdateAnswer, "scope" | "isMoved">;

async function inPlace(id: string, edit: Edit, world: UpdateWorld): Promise<Placed> {
  const { store, item: planned } = await needMemory(id, world);
  const plan = planner(edit, world);
  const answer = await commit(
    store,
    async () => {
      const { item } = await needMemory(id, world);
      return plan(item, (hash) => clearDuplicate({ id, scope: item.scope, hash }, store, world));
    },
    world,
  );
  return { ...answer, scope: planned.scope, isMoved: false };
}

async function intoScope(id: string, scope: LastingScope, edit: Edit, world: UpdateWorld): Promise<Placed> {
  const plan = planner(edit, world);
  // The move itself makes room in the target.
  const { status, edited } = await move(id, scope, (item) => plan(item, async () => []), world);
  const isMoved = status !== "unchanged";
  return { ...edited, status: isMoved && edited.status === "unchanged" ? "revised" : edited.status, scope, isMoved };
}

type Plan = (
  item: Item,
  makeRoom: (hash: string) => Promise<Change[]>,
) => Promise<{ changes: Change[]; answer: Updated }>;

/** Every attempt has the same id for a successor, so that one written before a move was restarted is found again. */
function planner(edit: Edit, world: UpdateWorld): Plan {
  const id = world.ids.next();
  const { host, session, byAgent } = world.origin;
  const author = { host, session, source: sourceFor(world) };
  return async (item, makeRoom) => {
    const { status = item.status } = edit;
    if (item.status !== "active" && (edit.status === undefined || isReplaced(item))) throw closed(item);
    const edited = { ...item, ...saidIn(edit) };
    const clearing = status === "active" ? await makeRoom(contentHash(edited.content)) : [];
    const passages = await passagesOf(edited, world);
    return planUpdate(edit, { id, now: world.clock.now(), item, passages, clearing, author, byAgent });
  };
}

/** Also one that was forgotten after it was replaced: what no longer holds must not come back. */
const isReplaced = ({ status, supersededBy }: Item): boolean => status === "superseded" || supersededBy !== null;

function closed(item: Item): Failure {
  const { id, status, supersededBy } = item;
  if (!isReplaced(item)) {
    const hint = `Bring it back with \`stele update ${handleOf(id)} --status active\`.`;
    return new Failure("conflict", `Memory ${handleOf(id)} is ${status}; it cannot be changed.`, hint);
  }
  const hint = supersededBy ? `Update ${handleOf(supersededBy)}, which replaced it.` : "Remember its content again.";
  return new Failure("conflict", `Memory ${handleOf(id)} is ${status}; it can no longer be changed.`, hint);
}
