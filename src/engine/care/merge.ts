/**
 * Merges two memories into one, with a person's consent.
 *
 * Everything is planned before a person is asked, so nobody is asked about something that would be refused, and again
 * before it is written: consent covers exactly what was shown.
 */
import { Failure } from "../../errors.ts";
import {
  type KeptText,
  type MergeRefusal,
  type Pair,
  keptText,
  mergeRefusal,
  mergedItem,
  planMerge,
} from "../../logic/care/plan-merge.ts";
import { isExpired } from "../../logic/memory/expiry.ts";
import { removing } from "../../logic/memory/item-changes.ts";
import type { Consent } from "../../model/decisions/question.ts";
import type { Change } from "../../model/journal/change.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { ItemReads } from "../../ports/store/items.ts";
import type { Store } from "../../ports/store/store.ts";
import type { LookupWorld, ReviseWorld, World } from "../../ports/world.ts";
import { fingerprint } from "../decisions/consent.ts";
import { commit } from "../journal/commit.ts";
import { findAll } from "../memory/find-item.ts";
import { findId, unknownIdFailure } from "../memory/resolve-id.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { passagesOf } from "../text/passages.ts";

export interface MergeRequest {
  /** Ids, handles or prefixes. */
  first: string;
  second: string;
  /** Replaces both texts. */
  content?: string | undefined;
}

export interface Merging {
  store: Store;
  changes: Change[];
  pair: Pair;
  item: Item;
  kept: KeptText;
  /** Covers everything a person consents to, shown or not: it changes with any of it. */
  fingerprint: string;
  redactions: Redaction[];
}

type MergeWorld = ReviseWorld & Pick<World, "ids">;

export async function merge(request: MergeRequest, consent: Consent | null, world: MergeWorld): Promise<Merging> {
  const { store } = await planMerging(request, world);
  return commit(
    store,
    async () => {
      const answer = await planMerging(request, world);
      if (consent?.about !== answer.fingerprint) throw notAgreed(consent);
      return { changes: answer.changes, answer };
    },
    world,
  );
}

/** Only reads; throws if the merger would be refused. */
export async function planMerging({ first, second, content }: MergeRequest, world: MergeWorld): Promise<Merging> {
  const { clean, redactions } = redactor();
  const [one, two] = [await memoryNamed(first, world), await memoryNamed(second, world)];
  const pair: Pair = [one.item, two.item];
  const refusal = mergeRefusal(pair);
  if (refusal) throw refused(refusal, pair);
  const { store } = one;
  const kept = keptText(pair, content === undefined ? undefined : clean(content));
  const { host, session } = world.origin;
  // A person agrees to it, whoever suggested it.
  const author = { host, session, source: "user_explicit" } as const;
  const item = mergedItem(pair, kept, { id: world.ids.next(), now: world.clock.now(), ...author });
  const clearing = await clearTwin(item, pair, store, world);
  const changes = planMerge(pair, item, await passagesOf(item, world), clearing);
  return { store, changes, pair, item, kept, fingerprint: fingerprintOf(pair, item), redactions: redactions() };
}

/** An item on another shelf is named as what it is. */
async function memoryNamed(typed: string, world: LookupWorld): Promise<{ item: Item; store: Store }> {
  const id = await findId(typed, "memory", world);
  if (id === null) {
    const other = await findId(typed, "item", world);
    const [found] = other === null ? [] : await findAll(other, world);
    if (found) throw notMergeable(found.item, found.shelf);
    throw await unknownIdFailure(typed, "memory", world);
  }
  const [found, copy] = await findAll(id, world, ["memory"]);
  if (!found) throw await unknownIdFailure(typed, "memory", world);
  if (!copy) return found;
  throw new Failure(
    "conflict",
    `Memory ${handleOf(id)} is in both stores, because moving it was interrupted.`,
    "Promote it again, which completes the move.",
  );
}

/** Another memory may already say what the merged one would say. */
async function clearTwin(item: Item, pair: Pair, store: ItemReads, { clock }: Pick<World, "clock">): Promise<Change[]> {
  const twin = await store.sameContent("memory", item.scope, item.hash);
  if (!twin || pair.some(({ id }) => id === twin.id)) return [];
  if (isExpired(twin, clock.now())) return [removing("memory", twin)];
  throw new Failure(
    "conflict",
    `Memory ${handleOf(twin.id)} already has this content.`,
    `Merge with ${handleOf(twin.id)}, or give other content.`,
  );
}

/** Leaves out the id and the times, which differ each time. */
const fingerprintOf = (pair: Pair, { id: _, createdAt, updatedAt, accessedAt, validFrom, ...item }: Item): string =>
  fingerprint([pair.map(({ id, version, updatedAt: at }) => [id, version, at]), item]);

function notAgreed(consent: Consent | null): Failure {
  if (consent === null)
    return new Failure("refused", "Only a person can agree to a merger.", "Ask through a host that can.");
  return new Failure(
    "conflict",
    "The memories changed in the meantime; nothing was changed.",
    "Check the current state, then try again.",
  );
}

const INSTEAD: Partial<Record<Shelf, string>> = {
  decision: "To replace decisions, propose one that supersedes them.",
  proposal: "Ratify or reject it first.",
  document: "Edit the files themselves.",
  code: "Edit the files themselves.",
};

const notMergeable = ({ id }: Item, shelf: Shelf): Failure =>
  new Failure(
    "invalid_input",
    `${handleOf(id)} is on the shelf ${shelf}; only memories can be merged.`,
    INSTEAD[shelf] ?? "Name two memories.",
  );

function refused(refusal: MergeRefusal, [one, two]: Pair): Failure {
  if (refusal.why === "two scopes")
    return new Failure(
      "invalid_input",
      `${handleOf(one.id)} is ${one.scope} and ${handleOf(two.id)} is ${two.scope}; only memories of one scope can be merged.`,
      `Move one of them first: \`stele promote ${handleOf(two.id)} --scope ${one.scope}\`.`,
    );
  if (refusal.why === "merged already") {
    const into = handleOf(refusal.into);
    const both = `${handleOf(one.id)} and ${handleOf(two.id)}`;
    return new Failure("conflict", `${both} were already replaced by ${into}.`, `\`stele get ${into}\` shows it.`);
  }
  const { id, status, supersededBy, path } = refusal.item;
  const handle = handleOf(id);
  const successor = supersededBy === null ? null : handleOf(supersededBy);
  switch (refusal.why) {
    case "itself":
      return new Failure("invalid_input", `${handle} cannot be merged with itself.`, "Name two memories.");
    case "closed":
      return new Failure(
        "conflict",
        `Memory ${handle} is ${status}; only active memories can be merged.`,
        successor ? `Merge ${successor}, which replaced it.` : "Remember its content again to bring it back.",
      );
    case "ending":
      return new Failure("conflict", `Memory ${handle} will be replaced by ${successor}.`, "Leave it as it is.");
    case "working":
      return new Failure(
        "invalid_input",
        `Memory ${handle} is working and expires by itself.`,
        `Keep it first: \`stele promote ${handle}\`. Or fold the session: \`stele summarize\`.`,
      );
    case "from a file":
      return new Failure("invalid_input", `Memory ${handle} comes from the file ${path}.`, "Edit the file itself.");
  }
}
