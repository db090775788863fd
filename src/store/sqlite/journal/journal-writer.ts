/**
 * Writes the journal: what was changed, by whom, and the state before.
 *
 * Length and last hash are kept separately, so that missing entries can be noticed. Working
 * memories, documents and code are not journaled; of evidence only id, hash and state, until it is removed.
 */
import { randomBytes } from "node:crypto";
import { entryHash, payloadHash } from "../../../logic/journal/journal-chain.ts";
import { stateChange } from "../../../logic/memory/item-state.ts";
import type { Origin } from "../../../model/journal/change.ts";
import type { Edge } from "../../../model/memory/edge.ts";
import type { Item } from "../../../model/memory/item.ts";
import { type ChainEntry, type EDGE_KINDS, type JournaledKind, droppedName } from "../../../model/journal/journal.ts";
import type { Passage, Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

const JOURNALED: Record<Shelf, "whole" | "hash" | "never"> = {
  memory: "whole",
  decision: "whole",
  proposal: "whole",
  evidence: "hash",
  document: "never",
  code: "never",
};

export const isJournaled = (shelf: Shelf): boolean => JOURNALED[shelf] !== "never";

/** Evidence is split where its speakers change; no rule could split it again. */
export const keepsPassages = (shelf: Shelf): boolean => JOURNALED[shelf] === "hash";

export interface ItemChange {
  kind: JournaledKind;
  shelf: Shelf;
  before: Item | null;
  after: Item | null;
  /** For a removed item whose passages no rule could split again. */
  passages?: readonly Passage[] | undefined;
}

/** The origin of a transaction, and its time. */
export interface TransactionOrigin {
  at: number;
  origin: Origin;
}

export interface Journal {
  write(change: ItemChange, transaction: TransactionOrigin): void;
  writeEdge(kind: (typeof EDGE_KINDS)[number], edge: Edge, transaction: TransactionOrigin): void;
  /** Records that an item or an edge was erased, without its content. */
  writeErasure(shelf: Shelf, itemId: string, transaction: TransactionOrigin): void;
  /** Records that the previous states up to this entry were dropped. */
  writeDrop(through: number, transaction: TransactionOrigin): void;
  /** Continues a chain that began elsewhere; false when this store already has one. */
  adopt(entries: readonly ChainEntry[]): boolean;
  /** The last hash, this commit included. */
  lastHash(): string;
  beginTransaction(): void;
  /** The number of the current transaction, or null when it has written nothing. */
  transactionNumber(): number | null;
  /** Discards the current transaction; earlier ones in the commit remain. */
  discard(): void;
  /** Moves the head; called once before the commit. */
  flush(): void;
  /** Called after the commit, successful or not. */
  reset(): void;
}

const SALT_BYTES = 16;

type Tip = Pick<ChainEntry, "hash"> & { length: number };
type Linked = Pick<ChainEntry, "kind" | "shelf" | "itemId">;

export function journal(db: Database): Journal {
  const statements = prepare(db);
  // The chain's end in this commit, its end before the current transaction, and the first entry of that transaction.
  let tip: Tip | null = null;
  let settled: Tip | null = null;
  let first: number | null = null;
  const end = (): Tip => tip ?? statements.head.get()!;

  function link({ kind, shelf, itemId }: Linked, text: string | null, { at, origin }: TransactionOrigin): void {
    const last = end();
    const seq = last.length + 1;
    const payload = text === null ? null : { salt: randomBytes(SALT_BYTES).toString("hex"), text };
    const { verb, host, session, call, space } = origin;
    const entry: ChainEntry = {
      ...{ seq, transaction: first ?? seq, at, verb, host, session, call, space, kind, shelf, itemId },
      ...{ payloadHash: payload && payloadHash(payload), hash: "", payload },
    };
    entry.hash = entryHash(last.hash, entry);
    append(entry);
  }

  function append(entry: ChainEntry): void {
    statements.append.run(valuesOf(entry));
    if (entry.payload) statements.keep.run(entry.seq, entry.payload.salt, entry.payload.text);
    tip = { length: entry.seq, hash: entry.hash };
    first ??= entry.seq;
  }

  return {
    write({ kind, shelf, before, after, passages }, transaction) {
      const [item, isWorking] = [after ?? before, [before, after].every((one) => !one || one.scope === "working")];
      if (!item || !isJournaled(shelf) || isWorking) return;
      link({ kind, shelf, itemId: item.id }, payloadOf({ kind, shelf, before, after, passages }), transaction);
    },
    writeEdge(kind, edge, transaction) {
      const payload = kind === "remove_edge" ? JSON.stringify({ before: edge }) : null;
      link({ kind, shelf: edge.shelf, itemId: edge.id }, payload, transaction);
    },
    writeErasure: (shelf, itemId, transaction) => link({ kind: "purge_items", shelf, itemId }, null, transaction),
    writeDrop: (through, transaction) =>
      link({ kind: "drop_payloads", shelf: "memory", itemId: droppedName(through) }, null, transaction),
    adopt(entries) {
      if (end().length > 0) return false;
      for (const entry of entries) append(entry);
      return true;
    },
    lastHash: () => end().hash,
    beginTransaction() {
      settled = tip;
      first = null;
    },
    transactionNumber: () => first,
    discard: () => void ([tip, first] = [settled, null]),
    flush() {
      if (tip) statements.advance.run(tip.length, tip.hash);
    },
    reset() {
      tip = settled = first = null;
    },
  };
}

/** The state before, or null. The state after is in the row itself, or in the item's next entry. */
function payloadOf({ shelf, before, after, passages }: ItemChange): string | null {
  if (passages) return JSON.stringify({ before, passages: passages.map(({ tokens: _, ...passage }) => passage) });
  if (JOURNALED[shelf] === "hash") {
    const change = before && after && stateChange(shelf, before, after);
    return JSON.stringify({ before: before?.hash ?? null, after: after?.hash ?? null, ...change });
  }
  return before && JSON.stringify({ before });
}

/** By position, because binding by name costs as much as the write itself. */
function valuesOf(entry: ChainEntry): (string | number | null)[] {
  const { seq, transaction, at, verb, host, session, call, space, kind, shelf, itemId, payloadHash, hash } = entry;
  return [seq, transaction, at, verb, host, session, call, space, kind, shelf, itemId, payloadHash, hash];
}

function prepare(db: Database) {
  return {
    head: db.prepare<[], { length: number; hash: string }>(
      `select length, lower(hex(hash)) as hash from journal_head where one = 1`,
    ),
    advance: db.prepare<[number, string]>(`update journal_head set length = ?, hash = unhex(?) where one = 1`),
    append: db.prepare(`
      insert into journal
        (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, payload_hash, hash)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, unhex(?), unhex(?))`),
    keep: db.prepare<[number, string, string]>(
      `insert into journal_payload (seq, salt, payload) values (?, unhex(?), ?)`,
    ),
  };
}
