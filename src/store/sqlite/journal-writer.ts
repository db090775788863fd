/**
 * Writes the journal: what was changed, by whom, and the state before.
 *
 * Length and last hash are kept separately, so that missing entries can be noticed.
 */
import type { Edge } from "../../graph/edges.ts";
import { type ChainEntry, droppedName, type EDGE_KINDS } from "../../journal/journal.ts";
import type { Shelf } from "../../memory/shelves.ts";
import {
  type ItemChange,
  journaled,
  type Linked,
  linker,
  type Random,
  type Tip,
  type TransactionOrigin,
} from "../journal-link.ts";
import type { Database } from "./database.ts";

export interface Journal {
  write(change: ItemChange, transaction: TransactionOrigin): void;
  writeEdge(kind: (typeof EDGE_KINDS)[number], edge: Edge, transaction: TransactionOrigin): void;
  /** Records that an item or an edge was erased, or secrets taken out of it and its previous states; without its content. */
  writeErasure(
    shelf: Shelf,
    itemId: string,
    transaction: TransactionOrigin,
    kind?: "purge_items" | "redact_items",
  ): void;
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

export function journal(db: Database, random?: Random): Journal {
  const statements = prepare(db);
  const linkTo = linker(random);
  // The chain's end in this commit, its end before the current transaction, and the first entry of that transaction.
  let tip: Tip | null = null;
  let settled: Tip | null = null;
  let first: number | null = null;
  const end = (): Tip => tip ?? statements.head.get()!;

  function link(linked: Linked & { text: string | null }, transaction: TransactionOrigin): void {
    append(linkTo(end(), { ...linked, first }, transaction));
  }

  function append(entry: ChainEntry): void {
    statements.append.run(valuesOf(entry));
    if (entry.payload) statements.keep.run(entry.seq, entry.payload.salt, entry.payload.text);
    tip = { length: entry.seq, hash: entry.hash };
    first ??= entry.seq;
  }

  return {
    write(change, transaction) {
      const linked = journaled(change);
      if (linked) link(linked, transaction);
    },
    writeEdge(kind, edge, transaction) {
      const text = kind === "remove_edge" ? JSON.stringify({ before: edge }) : null;
      link({ kind, shelf: edge.shelf, itemId: edge.id, text }, transaction);
    },
    writeErasure: (shelf, itemId, by, kind = "purge_items") => link({ kind, shelf, itemId, text: null }, by),
    writeDrop: (through, transaction) =>
      link({ kind: "drop_payloads", shelf: "memory", itemId: droppedName(through), text: null }, transaction),
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
    flush: () => void (tip && statements.advance.run(tip.length, tip.hash)),
    reset() {
      tip = settled = first = null;
    },
  };
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
