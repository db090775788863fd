/**
 * Lists what was changed: who, how, when, what, before and after.
 *
 * Both stores appear in one list. A journal that was edited by hand is shown as it is; only
 * the verification reports the tampering.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { StoreName } from "../maintenance/backup.ts";
import { identityOf } from "../memory/handles.ts";
import { FIELDS } from "../memory/item-fields.ts";
import type { Item } from "../memory/item.ts";
import { findRecorded, unknownIdFailure } from "../memory/resolve-id.ts";
import { isoTime } from "../memory/shown-item.ts";
import type { JournalQuery, JournalReads } from "../store/store.ts";
import { summaryOf } from "../text/short-text.ts";
import type { LookupWorld, World } from "../world.ts";
import { type ChainProblem, chainWalk } from "./chain.ts";
import type { Author, ChangeRecord, EdgeImage, Gone, Image } from "./journal.ts";

export { CHAIN_PROBLEMS } from "./chain.ts";

export interface AuditRequest {
  /** Only changes of this item: its id, a handle or a prefix. */
  id?: string | undefined;
  query: Omit<JournalQuery, "itemIds">;
  limit: number;
  offset: number;
  verify: boolean;
}

type Fields = Record<string, unknown>;

interface AuditEntry {
  /** Null for changes made before calls were recorded. */
  call: string | null;
  store: StoreName;
  number: number;
  at: string;
  verb: string;
  host: string;
  session: string;
  /** Only in a shared project: the role that the server saw, and the name that its settings say. */
  by: Author | null;
  /** The project it was made from; null if not recorded. */
  space: string | null;
  kind: string;
  shelf: string;
  id: string;
  handle: string;
  before: Fields | null;
  /** Why the previous fields are not available. */
  beforeNote: Note | null;
  after: Fields | null;
  afterNote: Note | null;
}

type Note = Exclude<Gone, "absent">;

interface Verification {
  ok: boolean;
  checked: number;
  /** Number of all problems; the list has only the first ones of each store. */
  count: number;
  problems: (ChainProblem & { store: StoreName })[];
}

interface Audit {
  entries: AuditEntry[];
  total: number;
  verification: Verification | null;
}

type AuditWorld = LookupWorld & Pick<World, "progress">;

const PAGE_ENTRIES = 1_000;

export async function audit(
  { id, query: rest, limit, offset, verify }: AuditRequest,
  world: AuditWorld,
): Promise<Audit> {
  const query: JournalQuery = id === undefined ? rest : { ...rest, itemIds: [await needRecorded(id, world)] };
  // A page of the merged list may come entirely from one store, so both return a full page.
  const page = { limit: offset + limit, offset: 0 };
  const [project, global] = [await world.project.journal(query, page), await world.global.journal(query, page)];
  return {
    entries: merged(project.records, global.records)
      .slice(offset, offset + limit)
      .map(entryOf),
    total: project.total + global.total,
    verification: verify ? await verification(world) : null,
  };
}

/** Also finds removed items. */
async function needRecorded(typed: string, world: AuditWorld): Promise<string> {
  const id = await findRecorded(typed, "item", world);
  if (id !== null) return id;
  throw await unknownIdFailure(typed, "item", world);
}

interface Located {
  store: StoreName;
  record: ChangeRecord;
}

/** Newest first. Each store keeps its own order, even if the clock was set back, so that pages never overlap. */
function merged(project: readonly ChangeRecord[], global: readonly ChangeRecord[]): Located[] {
  const all: Located[] = [];
  let next = 0;
  for (const record of project) {
    for (; next < global.length && global[next]!.at > record.at; next += 1)
      all.push({ store: "global", record: global[next]! });
    all.push({ store: "project", record });
  }
  return [...all, ...global.slice(next).map((record): Located => ({ store: "global", record }))];
}

function entryOf({ store, record }: Located): AuditEntry {
  const { call, seq, at, verb, host, session, by = null, space, kind, shelf, itemId, before, after } = record;
  const changed = before.item && after.item ? differences(before.item, after.item) : { before: null, after: null };
  return {
    call: call || null,
    store,
    number: seq,
    at: timeText(at),
    verb,
    host,
    session,
    by,
    space: space || null,
    kind,
    shelf,
    ...identityOf(itemId),
    before: changed.before ?? wholeOf(before),
    beforeNote: noteOf(before),
    after: changed.after ?? wholeOf(after),
    afterNote: noteOf(after),
  };
}

const noteOf = (image: Image | EdgeImage): Note | null => ("why" in image && image.why !== "absent" ? image.why : null);

/** Fields that are not shown: they follow from others, or only count reads. */
const HIDDEN: ReadonlySet<string> = new Set(["id", "hash", "version", "updatedAt", "accessedAt", "accessCount"]);
export const TIMES: ReadonlySet<string> = new Set(
  FIELDS.filter(([, { kind }]) => kind === "moment").map(([name]) => name),
);

function fieldsOf(item: Item): Fields {
  const fields = Object.entries(item).filter(([name]) => !HIDDEN.has(name));
  return Object.fromEntries(
    fields.map(([name, value]) => [name, TIMES.has(name) && value !== null ? timeText(value) : (value as unknown)]),
  );
}

/** The fields that differ, before and after; a summary only if it was not derived from the content. */
function differences(one: Item, other: Item): { before: Fields; after: Fields } {
  const [before, after] = [fieldsOf(one), fieldsOf(other)];
  if ([one, other].every(hasDerivedSummary)) (delete before["summary"], delete after["summary"]);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const only = (fields: Fields): Fields => Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]));
  return { before: only(before), after: only(after) };
}

/** All fields of an item that are set. */
function wholeOf(image: Image | EdgeImage): Fields | null {
  if ("edge" in image) return edgeFields(image);
  const { item } = image;
  if (!item) return null;
  const isSet = ([name, value]: [string, unknown]) =>
    value !== null && !(Array.isArray(value) && value.length === 0) && !(name === "summary" && hasDerivedSummary(item));
  return Object.fromEntries(Object.entries(fieldsOf(item)).filter(isSet));
}

function edgeFields({ edge }: EdgeImage): Fields | null {
  if (!edge) return null;
  const { id: _, shelf: __, createdAt, ...rest } = edge;
  return { ...rest, createdAt: timeText(createdAt) };
}

const hasDerivedSummary = ({ summary, content }: Item): boolean => summary === summaryOf(content);

/** A tampered time may be invalid. */
function timeText(at: unknown): string {
  return typeof at === "number" && !Number.isNaN(new Date(at).getTime()) ? isoTime(at) : String(at);
}

async function verification(world: AuditWorld): Promise<Verification> {
  const result: Verification = { ok: true, checked: 0, count: 0, problems: [] };
  for (const store of ["project", "global"] as const) {
    const { checked, count, problems } = await verifyStore(world[store], world);
    result.checked += checked;
    result.count += count;
    result.problems.push(...problems.map((problem) => ({ store, ...problem })));
  }
  return { ...result, ok: result.count === 0 };
}

/** The head is read before and after, because other processes may be writing. */
async function verifyStore(store: JournalReads, { progress }: AuditWorld) {
  const head = await store.chainHead();
  const walk = chainWalk(head);
  for (let from = -Infinity; ; ) {
    const page = await store.chain(from, PAGE_ENTRIES);
    walk.add(page);
    const last = page.at(-1)?.seq ?? 0;
    // An unsafe number is not one of ours, and adding 1 to it would loop forever.
    if (page.length < PAGE_ENTRIES || !Number.isSafeInteger(last)) break;
    from = last + 1;
    progress.report(last, head.length, "Verifying");
    await nextTurn();
  }
  return walk.finish(await store.chainHead());
}
