/**
 * Reads an export: everything is checked and redacted before anything is written.
 *
 * Reads line by line and packs items into small parcels, so that a large file takes about its
 * own size in memory and no more. One invalid line refuses the whole file; the error names it.
 */
import { Failure } from "../errors.ts";
import { type Edge, newEdge } from "../graph/edges.ts";
import { CHAIN_START, entryHash, payloadHash } from "../journal/chain.ts";
import { type ChainEntry, droppedThrough, LIMITED_SHELVES } from "../journal/journal.ts";
import { handleOf } from "../memory/handles.ts";
import type { Item, LastingScope } from "../memory/item.ts";
import { uniqueSlotOf } from "../memory/remember-rules.ts";
import type { Shelf } from "../memory/shelves.ts";
import { circles } from "../memory/succession.ts";
import { cleanDeep, type Redaction, redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";
import {
  type AccessLine,
  decodeHeader,
  decodeLine,
  type EdgeLine,
  type EntryLine,
  type ExportLine,
  type HeadLine,
  type Incoming,
  type IncomingEdge,
  type ItemLine,
} from "./export-line.ts";
import { PART_NAMES, partPath } from "./export.ts";
import { cleanEntry, cleanIncoming, isCleanEntry, keyOf } from "./import-rules.ts";

// Who replaces whom in a file, whether an item or an edge says so.
//
// Nothing replaces itself, not even by a long way round, and no two items replace each other: both would vanish.

/** Each says what is wrong with the line, or null. */
interface Successions {
  item(line: Pick<Item, "id" | "supersededBy"> & { scope: LastingScope; shelf: Shelf }): string | null;
  edge(store: LastingScope, edge: Pick<Edge, "shelf" | "source" | "target" | "relation">): string | null;
}

function successions(): Successions {
  const chains = { project: circles(), global: circles() };
  const known = new Set<string>();
  function both(store: LastingScope, shelf: Shelf, successor: string, replaced: string): string | null {
    const pair = (one: string, two: string) => JSON.stringify([store, shelf, one, two]);
    if (known.has(pair(replaced, successor)))
      return `has ${handleOf(successor)} and ${handleOf(replaced)} replace each other`;
    known.add(pair(successor, replaced));
    return null;
  }
  return {
    item({ scope, shelf, id, supersededBy }) {
      if (supersededBy === null) return null;
      if (!chains[scope].replace(`${shelf} ${id}`, `${shelf} ${supersededBy}`))
        return `has ${shelf} ${handleOf(id)} eventually replace itself`;
      return both(scope, shelf, supersededBy, id);
    },
    edge: (store, { shelf, source, target, relation }) =>
      relation === "supersedes" ? both(store, shelf, source, target) : null,
  };
}

const LINE_LIMIT_BYTES = 8_000_000;
const FILE_LIMIT_BYTES = 1_000_000_000;
const LINES_LIMIT = 5_000_000;

const PARCEL_ITEMS = 200;
const PARCEL_BYTES = 4_000_000;

/** Items for one store, written together. */
interface Parcel {
  scope: LastingScope;
  items(): Incoming[];
}

export interface Intake {
  parcels: Parcel[];
  /** Number of items in the parcels. */
  total: number;
  /** The keys of all items in the file. */
  keys: ReadonlySet<string>;
  edges: IncomingEdge[];
  /** Items with the same content as an earlier one in the file. */
  twins: { id: string; shelf: Shelf; reason: string }[];
  /** Journals whose chain verifies; `fault` says why one cannot be adopted nevertheless. */
  journals: Map<LastingScope, { entries: ChainEntry[]; fault: string | null }>;
  redactions: Redaction[];
}

export async function readExport(path: string, world: Pick<World, "files">): Promise<Intake> {
  const intake = collector();
  let [bytesLeft, linesLeft] = [FILE_LIMIT_BYTES, LINES_LIMIT];
  for (const file of await filesOf(path, world)) {
    let number = 0;
    const limits = { lineBytes: LINE_LIMIT_BYTES, fileBytes: bytesLeft };
    for await (const text of world.files.lines(file, limits)) {
      number += 1;
      linesLeft -= 1;
      const decoded = number === 1 ? decodeHeader(text) : decodeLine(text);
      if ("fault" in decoded) throw faulty(file, number, decoded.fault, decoded.next);
      const fault = linesLeft < 0 ? "exceeds the limit on lines" : takeLine(decoded.line, intake);
      if (fault !== null) throw faulty(file, number, fault);
      bytesLeft -= Buffer.byteLength(text) + 1;
    }
    if (number === 0) throw new Failure("invalid_input", `${file} is empty.`, `Nothing was imported. ${AGAIN}`);
    const open = intake.openJournal();
    if (open) throw faulty(file, number, `ends the ${open} journal without its head: the file was cut off`);
  }
  return intake.finish();
}

/** The file itself, or those of a split export. */
async function filesOf(path: string, { files }: Pick<World, "files">): Promise<string[]> {
  const kind = await files.kindOf(path);
  if (kind === "file") return [path];
  if (kind === "absent") throw new Failure("not_found", `${path} does not exist.`, "Check the path.");
  if (kind !== "folder") throw new Failure("invalid_input", `${path} is not a regular file.`, "Name the file itself.");
  const parts: string[] = [];
  for (const name of PART_NAMES) {
    const part = partPath(path, name);
    if ((await files.kindOf(part)) !== "absent") parts.push(part);
  }
  if (parts.length > 0) return parts;
  throw new Failure(
    "not_found",
    `There is no export in ${path}.`,
    "Name a file, or a folder that export --split wrote.",
  );
}

/** What is wrong with the line, or null if it was accepted. */
function takeLine(line: ExportLine | null, intake: Collector): string | null {
  switch (line?.line) {
    case undefined:
      return null;
    case "item":
      return intake.item(line);
    case "edge":
      return intake.edge(line);
    case "access":
      return intake.access(line);
    case "entry":
      return intake.entry(line);
    case "head":
      return intake.head(line);
  }
}

interface Collector {
  item(line: ItemLine): string | null;
  edge(line: EdgeLine): string | null;
  access(line: AccessLine): string | null;
  entry(line: EntryLine): string | null;
  head(line: HeadLine): string | null;
  /** The store whose journal has entries but no head yet. */
  openJournal(): LastingScope | null;
  finish(): Intake;
}

function collector(): Collector {
  const { clean, redactions } = redactor();
  const { clean: uncounted } = redactor();
  const keys = new Set<string>();
  const slots = new Map<string, string>();
  const accesses = new Map<string, Pick<AccessLine, "accessedAt" | "accessCount">>();
  const twins: Intake["twins"] = [];
  const edges = new Map<string, IncomingEdge>();
  const succession = successions();
  const packer = parcelPacker(accesses);
  const journals = journalCollector(clean);
  return {
    ...journals,
    item(line) {
      const key = keyOf(line.shelf, line);
      if (keys.has(key)) return "repeats the id of an earlier item";
      if (hasSecret([line.id, line.supersededBy], clean)) return SECRET_ID;
      // Decisions of a broken chain are left out one by one, because they are checked with those that exist.
      const fault = line.shelf === "decision" ? null : succession.item(line);
      if (fault !== null) return fault;
      keys.add(key);
      const incoming = cleanIncoming(line, clean, uncounted);
      const slot = uniqueSlotOf(incoming.shelf, incoming.item);
      const other = slot === null ? undefined : slots.get(slot);
      if (other !== undefined) {
        twins.push({
          id: line.id,
          shelf: line.shelf,
          reason: `${line.shelf} ${handleOf(other)} in the file has the same content`,
        });
        return null;
      }
      if (slot !== null) slots.set(slot, line.id);
      packer.add(incoming);
      return null;
    },
    edge({ line: _, store, ...fields }) {
      if (hasSecret([fields.source, fields.target], clean)) return SECRET_ID;
      const edge = newEdge(cleanDeep(fields, clean) as typeof fields);
      const key = keyOf(edge.shelf, { scope: store, id: edge.id });
      if (edges.has(key)) return "repeats the edge of an earlier line";
      const fault = succession.edge(store, edge);
      if (fault !== null) return fault;
      edges.set(key, { store, edge });
      return null;
    },
    // A line whose item is not in the file is ignored: merging files may have dropped the item.
    access({ shelf, scope, id, accessedAt, accessCount }) {
      if (hasSecret([id], clean)) return SECRET_ID;
      const key = keyOf(shelf, { scope, id });
      if (accesses.has(key)) return "repeats the access of an earlier line";
      accesses.set(key, { accessedAt, accessCount });
      return null;
    },
    finish: () => ({
      ...packer.finish(),
      keys,
      twins,
      edges: [...edges.values()],
      journals: journals.sound,
      redactions: redactions(),
    }),
  };
}

/** A redacted id would refer to nothing, so a secret in an id cannot be removed. */
const hasSecret = (ids: readonly (string | null)[], clean: (text: string) => string): boolean =>
  ids.some((id) => id !== null && clean(id) !== id);
const SECRET_ID = "has an id that looks like a secret";

/** Packs items as text, which takes less memory than objects. */
function parcelPacker(accesses: ReadonlyMap<string, Pick<AccessLine, "accessedAt" | "accessCount">>) {
  const parcels: Parcel[] = [];
  const open: Record<LastingScope, { lines: string[]; length: number }> = {
    project: { lines: [], length: 0 },
    global: { lines: [], length: 0 },
  };
  let total = 0;
  function close(scope: LastingScope): void {
    const { lines } = open[scope];
    if (lines.length === 0) return;
    open[scope] = { lines: [], length: 0 };
    const packed = Buffer.from(`[${lines.join(",")}]`);
    const items = () =>
      (JSON.parse(packed.toString()) as Incoming[]).map((incoming) => {
        // Access lines come after those of the items.
        const access = accesses.get(keyOf(incoming.shelf, incoming.item));
        return { ...incoming, item: { ...incoming.item, ...access } };
      });
    parcels.push({ scope, items });
  }
  return {
    add(incoming: Incoming): void {
      const scope = incoming.item.scope as LastingScope;
      const line = JSON.stringify(incoming);
      const parcel = open[scope];
      parcel.lines.push(line);
      parcel.length += line.length;
      total += 1;
      if (parcel.lines.length === PARCEL_ITEMS || parcel.length > PARCEL_BYTES) close(scope);
    },
    finish(): Pick<Intake, "parcels" | "total"> {
      close("project");
      close("global");
      return { parcels, total };
    },
  };
}

interface BegunJournal {
  entries: ChainEntry[];
  isClean: boolean;
  /** Items with missing payloads that no erasure explains so far, each with its last such entry. */
  incomplete: Map<string, ChainEntry>;
}

/** Reads journals and verifies that each entry is linked to the previous one and the head to the last. */
function journalCollector(clean: (text: string) => string) {
  const sound: Intake["journals"] = new Map();
  const begun = new Map<LastingScope, BegunJournal>();
  return {
    sound,
    entry({ line: _, store, ...entry }: EntryLine): string | null {
      if (sound.has(store)) return "comes after the head of its journal";
      const journal = begun.get(store) ?? { entries: [], isClean: true, incomplete: new Map() };
      const last = journal.entries.at(-1) ?? { seq: 0, hash: CHAIN_START };
      const isLinked = entry.seq === last.seq + 1 && entry.hash === entryHash(last.hash, entry);
      if (!isLinked) return "does not link to the entry before it";
      if (entry.payload && payloadHash(entry.payload) !== entry.payloadHash) return "has a payload that was changed";
      if (hasSecret([entry.itemId], clean)) return SECRET_ID;
      begun.set(store, journal);
      addEntry(journal, entry, clean);
      return null;
    },
    head({ store, length, hash }: HeadLine): string | null {
      const { entries, isClean, incomplete } = begun.get(store) ?? {
        entries: [],
        isClean: true,
        incomplete: new Map(),
      };
      if (entries.length !== length || entries.at(-1)?.hash !== hash) return "does not match the journal before it";
      // An incomplete journal could never be verified here, nor rolled back completely.
      const isWhole = isClean && incomplete.size === 0;
      sound.set(store, {
        entries,
        fault: isWhole ? null : "parts of it, such as secrets, cannot be kept here",
      });
      begun.delete(store);
      return null;
    },
    openJournal: () => begun.keys().next().value ?? null,
  };
}

function addEntry(journal: BegunJournal, entry: ChainEntry, clean: (text: string) => string): void {
  const kept = cleanEntry(entry, clean);
  journal.entries.push(kept);
  journal.isClean &&= isCleanEntry(entry, clean);
  if (entry.kind === "purge_items" || entry.kind === "redact_items") journal.incomplete.delete(entry.itemId);
  if (entry.kind === "drop_payloads") {
    const through = droppedThrough(entry.itemId);
    const isDropped = ({ seq, shelf }: ChainEntry) => seq <= through && LIMITED_SHELVES.includes(shelf);
    for (const [id, last] of journal.incomplete) if (isDropped(last)) journal.incomplete.delete(id);
  }
  if (entry.payloadHash !== null && kept.payload === null) journal.incomplete.set(entry.itemId, kept);
}

const AGAIN = "Create the file again.";

function faulty(path: string, line: number, what: string, next = "Correct the line, or export again."): Failure {
  return new Failure("invalid_input", `${path}, line ${line} ${what}.`, `Nothing was imported. ${next}`);
}
