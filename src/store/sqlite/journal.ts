/**
 * The journal: what was changed, by whom, and what was there before.
 *
 * Each entry's hash covers the one before it; length and last hash are kept apart. The
 * before-image lies beside the chain under a salt, so it can be erased without breaking
 * the chain or leaving a hash that could be guessed. Working memories, documents and code
 * are not journaled; of evidence only id and hash.
 */
import { createHash, randomBytes } from "node:crypto";
import type { ChangeKind, Origin } from "../../model/change.ts";
import type { Item } from "../../model/item.ts";
import type { Shelf } from "../../model/shelf.ts";
import type { Database } from "./database.ts";

const JOURNALED: Record<Shelf, "whole" | "hash" | "never"> = {
  memory: "whole",
  decision: "whole",
  proposal: "whole",
  evidence: "hash",
  document: "never",
  code: "never",
};

export interface JournalEntry {
  kind: ChangeKind;
  shelf: Shelf;
  before: Item | null;
  after: Item | null;
}

export interface Journal {
  write(entry: JournalEntry, set: { id: string; at: number; origin: Origin }): void;
  length(): number;
}

export function journal(db: Database): Journal {
  const head = db.prepare<[], { length: number; hash: Buffer }>(`select length, hash from journal_head where one = 1`);
  const advance = db.prepare<[number, Buffer]>(`update journal_head set length = ?, hash = ? where one = 1`);
  const append = db.prepare(`
    insert into journal (seq, change_set, at, verb, host, session, kind, shelf, item_id, payload_hash, hash)
    values (@seq, @change_set, @at, @verb, @host, @session, @kind, @shelf, @item_id, @payload_hash, @hash)`);
  const keep = db.prepare<[number, Buffer, string]>(
    `insert into journal_payload (seq, salt, payload) values (?, ?, ?)`,
  );

  return {
    write({ kind, shelf, before, after }, { id, at, origin }) {
      const item = after ?? before;
      if (!item || JOURNALED[shelf] === "never" || item.scope === "working") return;
      const salt = randomBytes(16);
      const payload = JSON.stringify(payloadOf(shelf, before, after));
      const last = head.get()!;
      const entry = {
        seq: last.length + 1,
        change_set: id,
        at,
        ...origin,
        kind,
        shelf,
        item_id: item.id,
        payload_hash: createHash("sha256").update(salt).update(payload).digest(),
      };
      const hash = chainHash(last.hash, entry);
      append.run({ ...entry, hash });
      keep.run(entry.seq, salt, payload);
      advance.run(entry.seq, hash);
    },
    length: () => head.get()!.length,
  };
}

/** The before-image, and a fingerprint of what it became, so that a later edit outside the journal shows. */
function payloadOf(shelf: Shelf, before: Item | null, after: Item | null): object {
  if (JOURNALED[shelf] === "hash")
    return { before: before && { id: before.id, hash: before.hash }, after: after?.hash ?? null };
  return { before, after: after && createHash("sha256").update(JSON.stringify(after)).digest("hex") };
}

function chainHash(previous: Buffer, entry: Record<string, string | number | Buffer>): Buffer {
  const fields = Object.values(entry).map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : value));
  return createHash("sha256").update(previous).update(JSON.stringify(fields)).digest();
}
