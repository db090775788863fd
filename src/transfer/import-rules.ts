/**
 * Decides what happens to imported items.
 *
 * The higher version wins, an unknown item is inserted as it is, and nothing is overwritten because it merely differs:
 * two items that claim the same version, or have the same content under two ids, are a conflict for a person to
 * resolve.
 */
import { type Decisions, replacements, successors, windowOf } from "../decisions/chain.ts";
import { Failure } from "../errors.ts";
import { type Edge, edgeId, reversedEdgeId } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import type { ChainEntry } from "../journal/journal.ts";
import { handleOf } from "../memory/handles.ts";
import { isEmbedded, isExpired, removing, revising, revisionTo } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { uniqueSlotOf } from "../memory/remember-rules.ts";
import type { Passage, Shelf, Turn } from "../memory/shelves.ts";
import type { DecisionOutline } from "../recall/search.ts";
import { type Clean, cleanFields } from "../redaction/redact.ts";
import { contentHash } from "../text/content-hash.ts";
import { SUMMARY_LIMIT_CHARACTERS, summaryOf } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { type Incoming, itemFault, type ItemLine, JournalPayload, parseJson } from "./export-line.ts";
import { itemLine } from "./export-text.ts";

// Redacts imported data before any of it is stored.
//
// Text that was clean when written stays as it is, so that an export can be imported unchanged: a summary or passage
// that is part of clean content is clean, even if it ends inside a placeholder. Refuses nothing: entries that cannot be
// cleaned without breaking them are dropped.

/**
 * Access records come in other lines; until then, the item counts as not accessed since it was written. `again` cleans
 * parts of text that `clean` has already seen, so that no secret is counted twice.
 */
export function cleanIncoming(line: ItemLine, clean: Clean, again: Clean = clean): Incoming {
  const { line: _, shelf, ...rest } = line;
  const { embed, passages, ...fields } =
    "passages" in rest ? rest : { ...rest, embed: isEmbedded(rest.type), passages: null };
  const raw: Item = { ...fields, accessedAt: fields.updatedAt, accessCount: 0 };
  const item = cleanItem(shelf, raw, clean);
  const contents = { raw: raw.content, content: item.content };
  return { shelf, item, passages: passages && cleanPassages(passages, contents, clean, again), embed };
}

function cleanItem(shelf: Shelf, item: Item, clean: Clean): Item {
  const cleaned = cleanFields(item, clean);
  const { content, tags } = cleaned;
  return {
    ...cleaned,
    tags: [...new Set(tags)],
    summary: cleanSummary(shelf, item, content, clean),
    hash: content === item.content ? item.hash : contentHash(content),
  };
}

/**
 * A person reads the summary and an agent the content, so nobody may give one that says something else. Files describe
 * themselves, and are read again from where they are.
 */
function cleanSummary(shelf: Shelf, { summary }: Item, content: string, clean: Clean): string {
  if (shelf !== "document" && shelf !== "code") return summaryOf(content);
  const cleaned = clean(summary);
  return [...cleaned].length <= SUMMARY_LIMIT_CHARACTERS ? cleaned : summaryOf(cleaned);
}

/** Null if a secret was redacted from the content: its halves may be in two passages, so they must be split again. */
function cleanPassages<P extends Pick<Passage, "heading" | "text" | "turn">>(
  passages: readonly P[],
  { raw, content }: { raw: string; content: string },
  clean: Clean,
  again: Clean,
): P[] | null {
  let from = 0;
  const cleaned: P[] = [];
  for (const passage of passages) {
    const text = raw === content ? passage.text : again(passage.text);
    const at = content.indexOf(text, from);
    // Part of clean content is clean; in changed content, anything else may be half a secret.
    if (at === -1 && raw !== content) return null;
    if (at !== -1) from = at;
    cleaned.push({
      ...passage,
      heading: passage.heading === null ? null : clean(passage.heading),
      text: at === -1 ? clean(text) : text,
      ...(passage.turn && { turn: cleanTurn(passage.turn, clean) }),
    });
  }
  return cleaned;
}

const cleanTurn = (turn: Turn, clean: Clean): Turn => ({
  ...turn,
  speaker: turn.speaker === null ? null : clean(turn.speaker),
});

/** Whether the chain's own fields are clean; they cannot be changed without breaking it. */
export function isCleanEntry({ verb, host, session, call, space }: ChainEntry, clean: Clean): boolean {
  return [verb, host, session, call, space].every((text) => clean(text) === text);
}

/** The entry without its payload if that is invalid or holds a secret: the chain stays intact without it. */
export function cleanEntry(entry: ChainEntry, clean: Clean): ChainEntry {
  return entry.payload === null || isCleanPayload(entry, entry.payload.text, clean)
    ? entry
    : { ...entry, payload: null };
}

function isCleanPayload({ shelf, itemId }: ChainEntry, text: string, clean: Clean): boolean {
  const parsed = parseJson(text);
  const payload = "fault" in parsed ? null : JournalPayload.safeParse(parsed.line);
  if (!payload?.success) return false;
  const { before, passages = [] } = payload.data;
  if (before === null || typeof before === "string") return passages.length === 0;
  if ("relation" in before) {
    const isOwn = before.id === itemId && edgeId(before) === itemId && before.shelf === shelf;
    return isOwn && [before.source, before.target, before.verdict?.when ?? ""].every((text) => clean(text) === text);
  }
  if (before.id !== itemId || itemFault({ shelf, ...before }) !== null) return false;
  const item = cleanItem(shelf, before, clean);
  const pieces = cleanPassages(passages, { raw: before.content, content: item.content }, clean, clean);
  return JSON.stringify([item, pieces]) === JSON.stringify([before, passages]);
}

/**
 * Keeps decision chains intact during an import: no two decisions of a chain ever hold at once, and none leads back to
 * itself.
 *
 * Decisions imported together are checked together, because a file may have the new end of one decision before the
 * start of its successor.
 */
type Outlines = Decisions<DecisionOutline>;

/** Why some decisions cannot be imported, by id; without these, the others can. */
function brokenChains(incoming: readonly DecisionOutline[], here: Outlines): Map<string, string> {
  const faults = new Map<string, string>();
  const open = new Map(incoming.map((item) => [item.id, item]));
  for (;;) {
    const broken = firstBroken(open, new Map([...here, ...open]));
    if (!broken) return faults;
    faults.set(broken.id, broken.fault);
    open.delete(broken.id);
  }
}

/** A decision with a wrong end or successor is at fault before the successor. */
function firstBroken(open: Outlines, standing: Outlines): { id: string; fault: string } | null {
  const replaced = replacements(standing);
  for (const item of open.values()) {
    const fault = faultAhead(item, standing);
    if (fault !== null) return { id: item.id, fault };
  }
  for (const item of open.values()) {
    const older = (replaced.get(item.id) ?? []).find((one) => isTooLong(one, item));
    if (older) return { id: item.id, fault: `would hold together with ${handleOf(older.id)}, which it replaces` };
  }
  return null;
}

function faultAhead(item: DecisionOutline, standing: Outlines): string | null {
  if (item.supersededBy === null) return null;
  const later = successors(item.id, standing);
  if ((later.at(-1) ?? item).supersededBy === item.id) return "would eventually replace itself";
  const [next] = later;
  return next && isTooLong(item, next) ? `would hold together with ${handleOf(next.id)}, which replaces it` : null;
}

/** Also if one of them was forgotten: its neighbours in the chain would hold at the same time. */
function isTooLong(older: DecisionOutline, newer: DecisionOutline): boolean {
  const { until } = windowOf(older);
  return until === null || until > windowOf(newer).from;
}

export type Verdict =
  /** `clears` is an expired item with the same content; it is no longer visible but still holds the unique slot. */
  | { outcome: "inserted" | "updated"; clears: Item | null }
  | { outcome: "unchanged" | "older" }
  | { outcome: "conflict"; reason: string };

/** The store's state, by the keys of the incoming items. */
interface ImportSituation {
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

/** The failure of an import that has written a part: says so, and how to undo or finish it. */
export function halfDone(cause: Failure, { origin }: Pick<World, "origin">): Failure {
  const { code, message, hint } = cause;
  const rest = `Part of it is imported; \`stele rollback ${handleOf(origin.call)}\` undoes that part.`;
  return new Failure(code, `${message} ${rest}`, `${hint} Repeating the import finishes it.`, { cause });
}
