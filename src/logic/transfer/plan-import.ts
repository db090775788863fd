/**
 * What becomes of imported items.
 *
 * The higher version wins, an unknown item comes in as it is, and nothing here is overwritten
 * by what merely differs: two that claim the same version, or say the same under two ids, are
 * a conflict for a person to settle.
 */
import type { Change } from "../../model/journal/change.ts";
import type { Edge } from "../../model/memory/edge.ts";
import type { Incoming } from "../../model/transfer/export-line.ts";
import type { Item } from "../../model/memory/item.ts";
import type { DecisionOutline } from "../../model/recall/search.ts";
import type { Passage, Shelf } from "../../model/memory/shelf.ts";
import type { Decisions } from "../decisions/decision-chain.ts";
import { cleanItem } from "./export-clean.ts";
import { itemLine } from "./export-encode.ts";
import { brokenChains } from "./import-chains.ts";
import { isExpired } from "../memory/expiry.ts";
import { removing, revising } from "../memory/item-changes.ts";
import { uniqueSlotOf } from "../memory/uniqueness.ts";

export type Verdict =
  /** `clears` is an expired item that says the same; nobody sees it any more, but it holds the place. */
  | { outcome: "inserted" | "updated"; clears: Item | null }
  | { outcome: "unchanged" | "older" }
  | { outcome: "conflict"; reason: string };

/** What the store knows of the incoming items, by their keys. */
export interface Situation {
  now: number;
  present: ReadonlyMap<string, Item>;
  /** Another item that says the same as an incoming one and stands where it would stand. */
  twins: ReadonlyMap<string, Item>;
  clean(text: string): string;
  /** Whether a person is at work: what a decision says holds only because one has ratified it. */
  mayDecide: boolean;
  /** Decisions here: a chain may lead to what is not in the file. */
  decisions: Decisions<DecisionOutline>;
}

const PERSON_ONLY = "a person imports decisions, with `stele import`";

/** Unique in a file: a scope that lasts is also a store. */
export const keyOf = (shelf: Shelf, { scope, id }: Pick<Item, "scope" | "id">): string => `${scope} ${shelf} ${id}`;

/** In their order: an item may take the place that one before it gives up. */
export function judgeImport(incoming: readonly Incoming[], situation: Situation): Verdict[] {
  const freed = new Set<string>();
  const verdicts = incoming.map((one) => {
    const present = situation.present.get(keyOf(one.shelf, one.item)) ?? null;
    const verdict =
      comparison(one, present, situation) ??
      undecided(one, present, situation) ??
      placing(one, present, freed, situation);
    if (verdict.outcome === "updated" && uniqueSlotOf(one.shelf, present!) !== uniqueSlotOf(one.shelf, one.item)) {
      freed.add(keyOf(one.shelf, present!));
    }
    return verdict;
  });
  return withWholeChains(incoming, verdicts, situation);
}

/** What would break a chain stays out, and the rest comes in. */
function withWholeChains(incoming: readonly Incoming[], verdicts: Verdict[], situation: Situation): Verdict[] {
  const decided = incoming.filter(({ shelf }, index) => shelf === "decision" && "clears" in verdicts[index]!);
  if (decided.length === 0) return verdicts;
  const here = new Map(situation.decisions);
  for (const { shelf, item } of incoming) {
    const there = shelf === "decision" ? situation.present.get(keyOf(shelf, item)) : undefined;
    if (there) here.set(there.id, there);
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

/** What two versions of one item have to do with each other; null when the incoming one is to be written. */
function comparison({ shelf, item }: Incoming, present: Item | null, { clean }: Situation): Verdict | null {
  if (!present) return null;
  if (present.version > item.version) return { outcome: "older" };
  if (present.version === item.version) {
    // What was stored before a rule existed may hold what the rule takes out of the file.
    const said = says(shelf, item);
    const isEqual = says(shelf, present) === said || says(shelf, cleanItem(present, clean)) === said;
    return isEqual ? { outcome: "unchanged" } : conflict(`version ${item.version} says something else here`);
  }
  if (present.createdAt !== item.createdAt) return conflict(`another ${shelf} has this id here`);
  return null;
}

/** Whether only a person may let it in: a decision, or a word of one on a proposal. */
export function isPersonal({ shelf, item }: Pick<Incoming, "shelf" | "item">, present: Item | null): boolean {
  if (shelf !== "proposal") return shelf === "decision";
  return item.status !== (present?.status ?? "pending");
}

function undecided(one: Incoming, present: Item | null, { mayDecide }: Situation): Verdict | null {
  const { shelf, item } = one;
  // What is decided is told from what is learnt by its shelf alone.
  if (shelf === "memory" && item.type === "decision") return conflict("a decision is proposed, not remembered");
  if (shelf === "evidence" && present && present.hash !== item.hash) return conflict("what was said is never changed");
  return isPersonal(one, present) && !mayDecide ? conflict(PERSON_ONLY) : null;
}

function placing({ shelf, item }: Incoming, present: Item | null, freed: Set<string>, situation: Situation): Verdict {
  const twin = situation.twins.get(keyOf(shelf, item)) ?? null;
  const stands = twin && !freed.has(keyOf(shelf, twin));
  if (stands && !isExpired(twin, situation.now)) return conflict(`${twin.id} says the same here`);
  return { outcome: present ? "updated" : "inserted", clears: stands ? twin : null };
}

const conflict = (reason: string): Verdict => ({ outcome: "conflict", reason });

/** All of an item but who looked at it and how it was cut. */
const says = (shelf: Shelf, item: Item): string => itemLine(shelf, { item, passages: [], embed: false });

/** The item exactly as it comes in; where one is there, its birth and who looked at it stay. */
export function importing(
  incoming: Incoming,
  present: Item | null,
  clears: Item | null,
  passages: Passage[],
): Change[] {
  const { shelf, item, embed } = incoming;
  const clearing = clears ? [removing(shelf, clears)] : [];
  const anew = lookingAnew(shelf, present, item);
  if (!present) return [...clearing, { kind: "insert_item", shelf, item, passages, embed }, ...anew];
  const { id: _, version, createdAt: __, accessedAt: ___, accessCount: ____, ...set } = item;
  return [...clearing, { ...revising(shelf, present, set), version, passages, embed }, ...anew];
}

/** What comes from elsewhere is not what was known of the file: it is to be looked at again. */
export function lookingAnew(shelf: Shelf, present: Item | null, item: Item): Change[] {
  if (shelf !== "document" && shelf !== "code") return [];
  const paths = new Set([present?.path ?? null, item.path].filter((path) => path !== null));
  return paths.size === 0 ? [] : [{ kind: "drop_files", paths: [...paths] }];
}

export type EdgeVerdict = { outcome: "inserted" | "unchanged" } | { outcome: "conflict"; reason: string };

/** What the store knows of incoming edges. */
export interface EdgeSituation {
  /** By their ids. */
  present: ReadonlyMap<string, Edge>;
  /** Whether an item of the edge's shelf is here. */
  isHere(shelf: Shelf, id: string): boolean;
  mayDecide: boolean;
}

/** An edge needs both its ends, and one that is here stays as it is. */
export function judgeEdge(edge: Edge, { present, isHere, mayDecide }: EdgeSituation): EdgeVerdict {
  const there = present.get(edge.id);
  const says = ({ strength, bidirectional, status }: Edge) => JSON.stringify([strength, bidirectional, status]);
  if (there)
    return says(there) === says(edge)
      ? { outcome: "unchanged" }
      : { outcome: "conflict", reason: "says something else here" };
  const missing = [edge.source, edge.target].find((end) => !isHere(edge.shelf, end));
  if (missing !== undefined) return { outcome: "conflict", reason: `${missing} is not here` };
  return edge.shelf === "decision" && !mayDecide
    ? { outcome: "conflict", reason: PERSON_ONLY }
    : { outcome: "inserted" };
}
