/**
 * Writes the journal: what was changed, by whom, and the state before.
 *
 * Length and last hash are kept separately, so that missing entries can be noticed. The entries of a transaction are
 * written together at its end; only then must the end of the chain be known.
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
  adopt(entries: readonly ChainEntry[]): Promise<boolean>;
  /** The last hash, this transaction included. */
  lastHash(): Promise<string>;
  /** The number of the transaction, or null when it has written nothing; known after `flush`. */
  transactionNumber(): number | null;
  /** Writes what is pending. Whoever reads or erases entries within the transaction calls it first. */
  flush(): Promise<void>;
}

/** `tip` is the end of the chain when the transaction began. */
export function journal(db: Database, tip: Promise<Tip>, random?: Random): Journal {
  const statements = prepare(db);
  const linkTo = linker(random);
  let end = tip;
  let first: number | null = null;
  let waiting: ((last: Tip) => ChainEntry)[] = [];

  function link(linked: Linked & { text: string | null }, transaction: TransactionOrigin): void {
    waiting.push((last) => linkTo(last, { ...linked, first }, transaction));
  }

  async function flush(): Promise<void> {
    const entries: ChainEntry[] = [];
    let last = await end;
    for (const make of waiting) {
      const entry = make(last);
      entries.push(entry);
      last = { length: entry.seq, hash: entry.hash };
      first ??= entry.seq;
    }
    waiting = [];
    end = Promise.resolve(last);
    if (entries.length > 0) statements.append.send({ ...columnsOf(entries), ...last });
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
    async adopt(entries) {
      if (waiting.length > 0 || (await end).length > 0) return false;
      waiting.push(...entries.map((entry) => () => entry));
      return true;
    },
    async lastHash() {
      await flush();
      return (await end).hash;
    },
    transactionNumber: () => first,
    flush,
  };
}

/** Lists of values by column. */
const columnsOf = (entries: readonly ChainEntry[]) => ({
  seqs: entries.map(({ seq }) => seq),
  transactions: entries.map(({ transaction }) => transaction),
  times: entries.map(({ at }) => at),
  verbs: entries.map(({ verb }) => verb),
  hosts: entries.map(({ host }) => host),
  sessions: entries.map(({ session }) => session),
  calls: entries.map(({ call }) => call),
  spaces: entries.map(({ space }) => space),
  kinds: entries.map(({ kind }) => kind),
  shelves: entries.map(({ shelf }) => shelf),
  itemIds: entries.map(({ itemId }) => itemId),
  payloadHashes: entries.map(({ payloadHash }) => payloadHash),
  hashes: entries.map(({ hash }) => hash),
  salts: entries.map(({ payload }) => payload?.salt ?? null),
  payloads: entries.map(({ payload }) => payload?.text ?? null),
});

function prepare(db: Database) {
  return {
    append: db.prepare(`
      with entry as (
        select * from unnest(@seqs::bigint[], @transactions::bigint[], @times::bigint[], @verbs::text[], @hosts::text[],
          @sessions::text[], @calls::text[], @spaces::text[], @kinds::text[], @shelves::text[], @itemIds::text[],
          @payloadHashes::text[], @hashes::text[], @salts::text[], @payloads::text[])
          entry (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, payload_hash, hash,
            salt, payload)
      ), written as (
        insert into journal
          (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, payload_hash, hash)
        select seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id,
          decode(payload_hash, 'hex'), decode(hash, 'hex')
        from entry
      ), kept as (
        insert into journal_payload (seq, salt, payload)
        select seq, decode(salt, 'hex'), payload from entry where payload is not null
      )
      update journal_head set length = @length, hash = decode(@hash, 'hex') where one = 1`),
  };
}
