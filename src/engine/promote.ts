/**
 * Promoting: a memory moves to a wider scope and keeps its id.
 *
 * Across stores it is inserted in the target first and closed at the source afterwards, so
 * a crash in between leaves two copies rather than none; repeating the call finishes it.
 */
import { Failure } from "../errors.ts";
import { isEmbedded, isExpired } from "../logic/plan-remember.ts";
import type { Change } from "../model/change.ts";
import { type Item, SCOPES, type Scope } from "../model/item.ts";
import type { World } from "../ports.ts";
import { commit } from "./commit.ts";
import { needMemory, refuseTwin } from "./find-item.ts";
import { passagesOf } from "./passages.ts";

export interface Promoted {
  status: "promoted" | "unchanged";
  id: string;
  scope: Scope;
}

export async function promote(id: string, scope: Scope, world: World): Promise<Promoted> {
  const { item, store } = await needMemory(id, world);
  if (scope === "global") return toGlobal(id, world);
  checkDirection(item, scope, world.clock.now());
  return commit<Promoted>(
    store,
    async () => {
      const { item: now } = await needMemory(id, world);
      if (now.scope === scope) return { changes: [], answer: { status: "unchanged", id, scope } };
      await refuseTwin({ ...now, scope }, store);
      const set = { scope, expiresAt: null, updatedAt: world.clock.now() };
      const change: Change = {
        kind: "revise_item",
        shelf: "memory",
        id,
        expectedVersion: now.version,
        set,
        passages: null,
        embed: false,
      };
      return { changes: [change], answer: { status: "promoted", id, scope } };
    },
    world,
  );
}

async function toGlobal(id: string, world: World): Promise<Promoted> {
  const answer = { status: "promoted" as const, id, scope: "global" as const };
  const [source] = await world.project.items("memory", [id]);
  const [target] = await world.global.items("memory", [id]);
  const isThere = target?.status === "active";
  if (isThere && source?.status !== "active") return { ...answer, status: "unchanged" };
  if (!source)
    throw new Failure("conflict", `Memory ${id} is not active.`, "Remember its content again in the global scope.");
  if (!isThere) {
    checkDirection(source, "global", world.clock.now());
    await insertInto(source, world);
  }
  await commit(world.project, () => closeSource(id, world), world);
  return answer;
}

async function insertInto(source: Item, world: World): Promise<void> {
  const passages = await passagesOf(source.content, world);
  await commit(
    world.global,
    async () => {
      const [there] = await world.global.items("memory", [source.id]);
      if (there?.status === "active") return { changes: [], answer: null };
      await refuseTwin({ ...source, scope: "global" }, world.global);
      if (there) return { changes: [reopening(there, world.clock.now())], answer: null };
      const item: Item = { ...source, scope: "global", version: 1, expiresAt: null, updatedAt: world.clock.now() };
      const change: Change = { kind: "insert_item", shelf: "memory", item, passages, embed: isEmbedded(item.type) };
      return { changes: [change], answer: null };
    },
    world,
  );
}

/** It was global before and has been forgotten there since. */
function reopening({ id, version }: Item, now: number): Change {
  const set = { status: "active" as const, updatedAt: now };
  return { kind: "revise_item", shelf: "memory", id, expectedVersion: version, set, passages: null, embed: false };
}

async function closeSource(id: string, world: World): Promise<{ changes: Change[]; answer: null }> {
  const [source] = await world.project.items("memory", [id]);
  if (!source || source.status !== "active") return { changes: [], answer: null };
  const change: Change = {
    kind: "revise_item",
    shelf: "memory",
    id,
    expectedVersion: source.version,
    set: { status: "archived", updatedAt: world.clock.now() },
    passages: null,
    embed: false,
  };
  return { changes: [change], answer: null };
}

function checkDirection(item: Item, scope: Scope, now: number): void {
  if (item.status === "active" && isExpired(item, now)) {
    throw new Failure("conflict", `Memory ${item.id} has expired.`, "Remember its content again.");
  }
  if (item.status !== "active") {
    throw new Failure(
      "conflict",
      `Memory ${item.id} is ${item.status}; only active ones are promoted.`,
      "Remember its content again.",
    );
  }
  if (SCOPES.indexOf(scope) < SCOPES.indexOf(item.scope)) {
    throw new Failure(
      "invalid_input",
      `${scope} is narrower than ${item.scope}.`,
      "Promote goes from working to project to global.",
    );
  }
}
