/**
 * Decides what happens to imported items.
 *
 * The higher version wins, an unknown item is inserted as it is, and nothing is overwritten because it merely differs:
 * two items that claim the same version, or have the same content under two ids, are a conflict for a person to
 * resolve.
 */
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handles.ts";
import type { Incoming } from "../../model/transfer/export-line.ts";
import type { Item } from "../../model/memory/item.ts";
import type { DecisionOutline } from "../../model/recall/search.ts";
import type { Passage, Shelf } from "../../model/memory/shelf.ts";
import type { Decisions } from "../decisions/decision-chain.ts";
import { reversedEdgeId } from "../graph/edge-id.ts";
import { cleanItem } from "./export-clean.ts";
import { itemLine } from "./export-encode.ts";
import { brokenChains } from "./import-chains.ts";
import { isExpired } from "../memory/expiry.ts";
import { removing, revising, revisionTo } from "../memory/item-changes.ts";
import { uniqueSlotOf } from "../memory/uniqueness.ts";

export type Verdict =
  /** `clears` is an expired item with the same content; it is no longer visible but still holds the unique slot. */
  | { outcome: "inserted" | "updated"; clears: Item | null }
  | { outcome: "unchanged" | "older" }
  | { outcome: "conflict"; reason: string };

/** The store's state, by the keys of the incoming items. */
export interface ImportSituation {
  now: number;
  present: ReadonlyMap<string, Item>;
  /** An existing item with the same content, which holds the slot of the incoming one. */
  twins: ReadonlyMap<string, Item>;
  clean(text: string): string;
  /** Whether a person is present: a decision holds only because one has ratified it. */
  mayDecide: boolean;
  /** Whether somebody chose the version in the file, by the id of the item. */
  isChosen(id: string): boolean;
  /** Existing decisions: a chain may lead to some that are not in the file. */
  decisions: Decisions<DecisionOutline>;
}

const PERSON_ONLY = "only a person can import decisions, with `stele import`";

/** Unique within a file: a lasting scope is also a store. */
export const keyOf = (shelf: Shelf, { scope, id }: Pick<Item, "scope" | "id">): string => `${scope} ${shelf} ${id}`;

/** In order: an item may take the slot that an earlier one gives up. */
export function judgeImport(incoming: readonly Incoming[], situation: ImportSituation): Verdict[] {
  const freed = new Set<string>();
  const verdicts = incoming.map((one) => {
    const present = situation.present.get(keyOf(one.shelf, one.item)) ?? null;
    const verdict =
      comparison(one, present, situation) ??
      undecided(one, present, situation) ??
      unchosen(one, present, situation) ??
      placing(one, present, freed, situation);
    if (verdict.outcome === "updated" && uniqueSlotOf(one.shelf, present!) !== uniqueSlotOf(one.shelf, one.item)) {
      freed.add(keyOf(one.shelf, present!));
    }
    return verdict;
  });
  return withWholeChains(incoming, verdicts, situation);
}

/** Decisions that would break a chain are rejected; the rest is imported. */
function withWholeChains(incoming: readonly Incoming[], verdicts: Verdict[], situation: ImportSituation): Verdict[] {
  const decided = incoming.filter(({ shelf }, index) => shelf === "decision" && "clears" in verdicts[index]!);
  if (decided.length === 0) return verdicts;
  const here = new Map(situation.decisions);
  for (const { shelf, item } of incoming) {
    const existing = shelf === "decision" ? situation.present.get(keyOf(shelf, item)) : undefined;
    if (existing) here.set(existing.id, existing);
  }
  const faults = brokenChains(
    decided.map(({ item }) => item),
    here,
  );
  return verdicts.map((verdict, index) => {
    const { shelf, item } = incoming[index]!;
    const fault = shelf === "decision" && "clears" in verdict ? faults.get(item.id) : undefined;
    return fault === undefined ? verdict : conflict(fault);
  });
}

/** Compares two versions of one item; null if the incoming one is to be written. */
function comparison({ shelf, item }: Incoming, present: Item | null, { clean }: ImportSituation): Verdict | null {
  if (!present) return null;
  if (present.version > item.version) return { outcome: "older" };
  if (present.version === item.version) {
    // An item stored before a redaction rule existed may contain what the rule redacts in the file.
    const incomingText = says(shelf, item);
    const isEqual =
      says(shelf, present) === incomingText || says(shelf, cleanItem(shelf, present, clean)) === incomingText;
    return isEqual ? { outcome: "unchanged" } : conflict(`version ${item.version} in this store is different`);
  }
  if (present.createdAt !== item.createdAt) return conflict(`another ${shelf} in this store has this id`);
  return null;
}

/** Whether it needs a person's consent: a decision, or the settlement of a proposal. */
export function needsConsent({ shelf, item }: Pick<Incoming, "shelf" | "item">, present: Item | null): boolean {
  if (shelf !== "proposal") return shelf === "decision";
  return item.status !== (present?.status ?? "pending");
}

function undecided(one: Incoming, present: Item | null, { mayDecide }: ImportSituation): Verdict | null {
  const { shelf, item } = one;
  // Decisions and memories are told apart by their shelf alone.
  if (shelf === "memory" && item.type === "decision") return conflict("a decision cannot be imported as a memory");
  if (shelf === "evidence" && present && present.hash !== item.hash) return conflict("evidence is never changed");
  return needsConsent(one, present) && !mayDecide ? conflict(PERSON_ONLY) : null;
}

/**
 * Anyone can write a file with a higher version, so a version alone replaces nothing. A decision that a person agreed to
 * was chosen with that.
 */
function unchosen(one: Incoming, present: Item | null, situation: ImportSituation): Verdict | null {
  if (!present || situation.isChosen(present.id)) return null;
  if (needsConsent(one, present) && situation.mayDecide) return null;
  const { id, version } = present;
  return conflict(
    `version ${version} is here, ${one.item.version} in the file; \`--replace ${handleOf(id)}\` takes that of the file`,
  );
}

function placing(
  { shelf, item }: Incoming,
  present: Item | null,
  freed: Set<string>,
  situation: ImportSituation,
): Verdict {
  const twin = situation.twins.get(keyOf(shelf, item)) ?? null;
  const blocks = twin && !freed.has(keyOf(shelf, twin));
  if (blocks && !isExpired(twin, situation.now)) return conflict(`${shelf} ${handleOf(twin.id)} has the same content`);
  return { outcome: present ? "updated" : "inserted", clears: blocks ? twin : null };
}

const conflict = (reason: string): Verdict => ({ outcome: "conflict", reason });

/** All of an item except its access record and passages. */
const says = (shelf: Shelf, item: Item): string => itemLine(shelf, { item, passages: [], embed: false });

/** The item exactly as imported; an existing one keeps its creation time and access record. */
export function importing(
  incoming: Incoming,
  present: Item | null,
  clears: Item | null,
  passages: Passage[],
): Change[] {
  const { shelf, item, embed } = incoming;
  const clearing = clears ? [removing(shelf, clears)] : [];
  const rereading = rereadingFiles(shelf, present, item);
  if (!present) return [...clearing, { kind: "insert_item", shelf, item, passages, embed }, ...rereading];
  const revision = { ...revising(shelf, present, revisionTo(item)), version: item.version, passages, embed };
  return [...clearing, revision, ...rereading];
}

/** An imported item may differ from the indexed file, so the file must be read again. */
function rereadingFiles(shelf: Shelf, present: Item | null, item: Item): Change[] {
  if (shelf !== "document" && shelf !== "code") return [];
  const paths = new Set([present?.path ?? null, item.path].filter((path) => path !== null));
  return paths.size === 0 ? [] : [{ kind: "drop_files", paths: [...paths] }];
}

export type EdgeVerdict = { outcome: "inserted" | "unchanged" } | { outcome: "conflict"; reason: string };

/** The store's state for incoming edges. */
export interface EdgeSituation {
  /** By id. */
  present: ReadonlyMap<string, Edge>;
  /** Whether an item exists on the edge's shelf. */
  isHere(shelf: Shelf, id: string): boolean;
  /** What has replaced an item, if anything. */
  successorOf(shelf: Shelf, id: string): string | null;
  mayDecide: boolean;
}

/** An edge needs both its ends, and an existing one stays as it is. */
export function judgeEdge(edge: Edge, { present, isHere, successorOf, mayDecide }: EdgeSituation): EdgeVerdict {
  const existing = present.get(edge.id);
  const says = ({ strength, bidirectional, status, verdict }: Edge) =>
    JSON.stringify([strength, bidirectional, status, verdict]);
  if (existing)
    return says(existing) === says(edge)
      ? { outcome: "unchanged" }
      : { outcome: "conflict", reason: "the one in this store is different" };
  const isReversed = present.has(reversedEdgeId(edge)) || successorOf(edge.shelf, edge.source) === edge.target;
  if (edge.relation === "supersedes" && isReversed)
    return {
      outcome: "conflict",
      reason: `${handleOf(edge.target)} supersedes ${handleOf(edge.source)} in this store`,
    };
  const missing = [edge.source, edge.target].find((end) => !isHere(edge.shelf, end));
  if (missing !== undefined)
    return { outcome: "conflict", reason: `${edge.shelf} ${handleOf(missing)} does not exist in this store` };
  return edge.shelf === "decision" && !mayDecide
    ? { outcome: "conflict", reason: PERSON_ONLY }
    : { outcome: "inserted" };
}
