/** Updates a memory: corrects it in place, or replaces it if its meaning changes. */
import { Failure } from "../../errors.ts";
import { saidIn } from "../../logic/memory/new-item.ts";
import { cleanFields } from "../../logic/redaction/clean-fields.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { type Edit, type Updated, planUpdate } from "../../logic/memory/plan-update.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { ReviseWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { clearDuplicate, needMemory } from "./find-item.ts";
import { passagesOf } from "../text/passages.ts";
import { sourceFor } from "./source.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { resolveId } from "./resolve-id.ts";

export interface UpdateAnswer extends Updated {
  /** False for working memories, which are not journaled. */
  isOnRecord: boolean;
  redactions: Redaction[];
}

export async function update(
  typed: string,
  edit: Edit,
  world: ReviseWorld & Pick<World, "ids">,
): Promise<UpdateAnswer> {
  const { clean, redactions } = redactor();
  const cleanEdit = cleanFields(edit, clean);
  const id = await resolveId(typed, "memory", world);
  const { store, item: planned } = await needMemory(id, world);
  const answer = await commit(
    store,
    async () => {
      const { item } = await needMemory(id, world);
      if (item.status !== "active") throw closed(id, item.status, item.supersededBy);
      const edited = { ...item, ...saidIn(cleanEdit) };
      const hash = contentHash(edited.content);
      const clearing = await clearDuplicate({ id, scope: item.scope, hash }, store, world);
      const passages = await passagesOf(edited, world);
      const { host, session, byAgent } = world.origin;
      const author = { host, session, source: sourceFor(world) };
      const made = { id: world.ids.next(), now: world.clock.now(), author, byAgent };
      return planUpdate(cleanEdit, { ...made, item, passages, clearing });
    },
    world,
  );
  return { ...answer, isOnRecord: planned.scope !== "working", redactions: redactions() };
}

function closed(id: string, status: string, successor: string | null): Failure {
  const hint = successor
    ? `Update ${handleOf(successor)}, which replaced it.`
    : "Remember the content again to bring it back.";
  return new Failure("conflict", `Memory ${handleOf(id)} is ${status}; it can no longer be changed.`, hint);
}
