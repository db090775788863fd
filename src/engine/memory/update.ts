/** Updates a memory: corrects it in place, replaces it if its meaning changes, and moves it to another scope. */
import { Failure } from "../../errors.ts";
import { saidIn } from "../../logic/memory/new-item.ts";
import { cleanFields } from "../../logic/redaction/clean-fields.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { type Edit, type Updated, planUpdate } from "../../logic/memory/plan-update.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Near } from "../../model/memory/near.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item, LastingScope, Scope } from "../../model/memory/item.ts";
import type { ReviseWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { clearDuplicate, needMemory } from "./find-item.ts";
import { move } from "./move.ts";
import { passagesOf } from "../text/passages.ts";
import { sourceFor } from "./source.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { resolveId } from "./resolve-id.ts";

export interface UpdateRequest extends Edit {
  /** The scope to move it to; it stays where it is if omitted. */
  scope?: LastingScope | undefined;
}

export interface UpdateAnswer extends Updated {
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
