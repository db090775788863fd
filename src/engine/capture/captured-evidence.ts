/**
 * What becomes of the evidence that a captured item was taken from, when the item is erased.
 *
 * It holds the same words, so it is erased too. What a decision rests on stays, and so does what another project keeps:
 * only who erases it by its own handle means it. Only reads.
 */
import { Failure } from "../../errors.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelves.ts";
import type { ItemReads, WholeItem } from "../../ports/store/items.ts";
import type { JournalReads } from "../../ports/store/journal.ts";
import type { Stores, World } from "../../ports/world.ts";
import { type ChangeRecord, isEdgeRecord } from "../../model/journal/journal.ts";
import { recordsOf } from "../journal/records.ts";

export interface CapturedEvidence {
  /** Ids of the evidence that is erased too. */
  evidence: string[];
  /** Ids of the evidence that stays. */
  evidenceKept: string[];
  /** Number of other items that were taken from the erased evidence, and stay without it. */
  evidenceShared: number;
}

const CAPTURED_SHELVES = ["memory", "proposal", "decision"] as const satisfies Shelf[];
const WALKED_AT_ONCE = 500;

export async function evidenceOf(
  ids: readonly string[],
  world: Stores & Pick<World, "otherSpaces">,
): Promise<CapturedEvidence> {
  const answer: CapturedEvidence = { evidence: [], evidenceKept: [], evidenceShared: 0 };
  const named = await namedBy(ids, world);
  if (named.size === 0) return answer;
  const isOther = ({ id }: Item) => !ids.includes(id);
  const resting = await pointing("decision", named, world.project);
  // What cannot be read may rest on any of it.
  const restedOn = resting === null ? named : new Set(resting.filter(isOther).flatMap(evidenceIn));
  for (const id of named) {
    const place = await placeOf(id, world);
    if (place === "gone") continue;
    (place === "elsewhere" || restedOn.has(id) ? answer.evidenceKept : answer.evidence).push(id);
  }
  if (answer.evidence.length === 0) return answer;
  const erased = new Set(answer.evidence);
  const others = new Set<string>();
  for (const [shelf, store] of [
    ["memory", world.project],
    ["memory", world.global],
    ["proposal", world.project],
  ] as const)
    for (const { id } of ((await pointing(shelf, erased, store)) ?? []).filter(isOther)) others.add(id);
  return { ...answer, evidenceShared: others.size };
}

/** As far as rows and journals know these items: a capture may have been rolled back. */
async function namedBy(ids: readonly string[], { project, global }: Stores): Promise<Set<string>> {
  const named = new Set<string>();
  const add = (item: Item | null | undefined) => {
    if (item?.source === "extraction") for (const one of evidenceIn(item)) named.add(one);
  };
  for (const store of [project, global]) {
    for (const shelf of CAPTURED_SHELVES) {
      (await unlessDamaged(() => store.items(shelf, ids), [])).forEach(add);
      await unlessDamaged(async () => {
        for await (const record of recordsOf(store, { itemIds: ids, shelf }))
          if (!isEdgeRecord(record)) [record.before.item, record.after.item].forEach(add);
      }, undefined);
    }
  }
  return named;
}

/** What an item says about its evidence may come from a file. */
const evidenceIn = ({ details }: Pick<Item, "details">): string[] =>
  Array.isArray(details["evidence"]) ? details["evidence"].filter((one) => typeof one === "string") : [];

/** A damaged item can be erased too. */
async function unlessDamaged<T>(read: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof Failure) return otherwise;
    throw thrown;
  }
}

async function placeOf(
  id: string,
  { project, otherSpaces }: Pick<World, "project" | "otherSpaces">,
): Promise<"here" | "elsewhere" | "gone"> {
  if ((await project.outlines("evidence", [id])).length > 0) return "here";
  const last = await lastChange(id, project);
  // What only the journal knows may still be in a backup.
  if (last !== null) return last === "purge_items" ? "gone" : "here";
  return (await otherSpaces.mention([id])) ? "elsewhere" : "gone";
}

/** Without evidence that was erased. */
export async function evidenceLeft(ids: readonly string[], store: ItemReads & JournalReads): Promise<string[]> {
  const there = new Set((await store.outlines("evidence", ids)).map(({ id }) => id));
  const left: string[] = [];
  for (const id of ids) if (there.has(id) || (await lastChange(id, store)) !== "purge_items") left.push(id);
  return left;
}

async function lastChange(id: string, store: JournalReads): Promise<ChangeRecord["kind"] | null> {
  const { records } = await store.journal({ itemIds: [id] }, { limit: 1, offset: 0 });
  return records[0]?.kind ?? null;
}

/** Items of the shelf that point to any of this evidence; null if one of the shelf is damaged. */
async function pointing(shelf: Shelf, evidence: ReadonlySet<string>, store: ItemReads): Promise<Item[] | null> {
  const found: Item[] = [];
  const read = (after: string | null) => store.walk(shelf, { after, limit: WALKED_AT_ONCE });
  for (let after: string | null = null; ; ) {
    const page: WholeItem[] | null = await unlessDamaged<WholeItem[] | null>(read.bind(null, after), null);
    if (page === null) return null;
    found.push(...page.map(({ item }) => item).filter((item) => evidenceIn(item).some((id) => evidence.has(id))));
    if (page.length < WALKED_AT_ONCE) return found;
    after = page.at(-1)!.item.id;
  }
}
