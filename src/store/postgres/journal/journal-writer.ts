/**
 * Writes the journal: what was changed, by whom, and the state before.
 *
 * Length and last hash are kept separately, so that missing entries can be noticed. The entries of a transaction are
 * written together at its end.
 */
import type { Edge } from "../../../model/memory/edge.ts";
import { type ChainEntry, type EDGE_KINDS, droppedName } from "../../../model/journal/journal.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import {
  type ItemChange,
  type Linked,
  type Random,
  type Tip,
  type TransactionOrigin,
  journaled,
  linker,
} from "../../rows/journal-link.ts";
import type { Database } from "../connection/database.ts";

export interface Journal {
  write(change: ItemChange, transaction: TransactionOrigin): Promise<void>;
  writeEdge(kind: (typeof EDGE_KINDS)[number], edge: Edge, transaction: TransactionOrigin): Promise<void>;
  /** Records that an item or an edge was erased, or secrets taken out of it and its previous states; without its content. */
  writeErasure(
    shelf: Shelf,
    itemId: string,
    transaction: TransactionOrigin,
    kind?: "purge_items" | "redact_items",
  ): Promise<void>;
  /** Records that the previous states up to this entry were dropped. */
  writeDrop(through: number, transaction: TransactionOrigin): Promise<void>;
  /** Continues a chain that began elsewhere; false when this store already has one. */
  adopt(entries: readonly ChainEntry[]): Promise<boolean>;
  /** The last hash, this transaction included. */
  lastHash(): Promise<string>;
  /** The number of the transaction, or null when it has written nothing. */
  transactionNumber(): number | null;
  /** Writes what is pending. Whoever reads or erases entries within the transaction calls it first. */
  flush(): Promise<void>;
}

export function journal(db: Database, random?: Random): Journal {
  const statements = prepare(db);
  const linkTo = linker(random);
  let tip: Tip | null = null;
  let first: number | null = null;
  let pending: ChainEntry[] = [];
  const end = async (): Promise<Tip> => (tip ??= (await statements.head.get())!);

  async function link(linked: Linked & { text: string | null }, transaction: TransactionOrigin): Promise<void> {
    append(linkTo(await end(), { ...linked, first }, transaction));
  }

  function append(entry: ChainEntry): void {
    pending.push(entry);
    tip = { length: entry.seq, hash: entry.hash };
    first ??= entry.seq;
  }

  return {
    async write(change, transaction) {
      const linked = journaled(change);
      if (linked) await link(linked, transaction);
    },
    async writeEdge(kind, edge, transaction) {
      const text = kind === "remove_edge" ? JSON.stringify({ before: edge }) : null;
      await link({ kind, shelf: edge.shelf, itemId: edge.id, text }, transaction);
    },
    writeErasure: (shelf, itemId, by, kind = "purge_items") => link({ kind, shelf, itemId, text: null }, by),
    writeDrop: (through, transaction) =>
      link({ kind: "drop_payloads", shelf: "memory", itemId: droppedName(through), text: null }, transaction),
    async adopt(entries) {
      if ((await end()).length > 0) return false;
      for (const entry of entries) append(entry);
      return true;
    },
    lastHash: async () => (await end()).hash,
    transactionNumber: () => first,
    async flush() {
      const written = pending;
      pending = [];
      if (written.length === 0) return;
      await statements.append.run(columnsOf(written));
      const kept = written.flatMap(({ seq, payload }) => (payload ? [{ seq, ...payload }] : []));
      if (kept.length > 0)
        await statements.keep.run({
          seqs: kept.map(({ seq }) => seq),
          salts: kept.map(({ salt }) => salt),
          payloads: kept.map(({ text }) => text),
        });
      await statements.advance.run({ length: tip!.length, hash: tip!.hash });
    },
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
});

function prepare(db: Database) {
  return {
    head: db.prepare<Tip>(`select length, encode(hash, 'hex') as hash from journal_head where one = 1`),
    advance: db.prepare(`update journal_head set length = @length, hash = decode(@hash, 'hex') where one = 1`),
    append: db.prepare(`
      insert into journal
        (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, payload_hash, hash)
      select seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id,
        decode(payload_hash, 'hex'), decode(hash, 'hex')
      from unnest(@seqs::bigint[], @transactions::bigint[], @times::bigint[], @verbs::text[], @hosts::text[],
        @sessions::text[], @calls::text[], @spaces::text[], @kinds::text[], @shelves::text[], @itemIds::text[],
        @payloadHashes::text[], @hashes::text[]) entry
        (seq, transaction_seq, at, verb, host, session, call, space, kind, shelf, item_id, payload_hash, hash)`),
    keep: db.prepare(`
      insert into journal_payload (seq, salt, payload)
      select seq, decode(salt, 'hex'), payload
      from unnest(@seqs::bigint[], @salts::text[], @payloads::text[]) kept (seq, salt, payload)`),
  };
}
