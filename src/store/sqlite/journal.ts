/**
 * The journal: what was changed, by whom, and what was there before.
 *
 * Each entry's hash covers the one before it; length and last hash are kept apart. The
 * before-image lies beside the chain under a salt, so it can be erased without breaking
 * the chain or leaving a hash that could be guessed. Working memories, documents and code
 * are not journaled; of evidence only id and hash.
 */
import { hash as digest, randomBytes } from "node:crypto";
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
  write(entry: JournalEntry, set: { at: number; origin: Origin }): void;
  /** Moves the head; called once before the commit. Answers the change set's number, or null when nothing was written. */
  flush(): number | null;
  /** Forgets how far this transaction had come, after a rollback. */
  discard(): void;
  length(): number;
}

const SALT_BYTES = 16;

export function journal(db: Database): Journal {
  const head = db.prepare<[], { length: number; hash: Buffer }>(`select length, hash from journal_head where one = 1`);
  const advance = db.prepare<[number, Buffer]>(`update journal_head set length = ?, hash = ? where one = 1`);
  const append = db.prepare(`
    insert into journal (seq, change_set, at, verb, host, session, call, kind, shelf, item_id, payload_hash, hash)
    values (@seq, @change_set, @at, @verb, @host, @session, @call, @kind, @shelf, @item_id, @payload_hash, @hash)`);
  const keep = db.prepare<[number, Buffer, string]>(
    `insert into journal_payload (seq, salt, payload) values (?, ?, ?)`,
  );

  let tip: { first: number; length: number; hash: Buffer } | null = null;

  return {
    write({ kind, shelf, before, after }, { at, origin }) {
      const item = after ?? before;
      if (!item || JOURNALED[shelf] === "never" || item.scope === "working") return;
      const payload = payloadOf(shelf, before, after);
      const salt = payload === null ? null : randomBytes(SALT_BYTES);
      const last = tip ?? head.get()!;
      const first = tip?.first ?? last.length + 1;
      const entry = {
        seq: last.length + 1,
        change_set: first,
        at,
        verb: origin.verb,
        host: origin.host,
        session: origin.session,
        call: origin.call ?? null,
        kind,
        shelf,
        item_id: item.id,
        payload_hash: salt && sha256(salt.toString("hex") + payload),
      };
      const hash = chainHash(last.hash, entry);
      append.run({ ...entry, hash });
      if (salt) keep.run(entry.seq, salt, payload!);
      tip = { first, length: entry.seq, hash };
    },
    flush() {
      const first = tip?.first ?? null;
      if (tip) advance.run(tip.length, tip.hash);
      tip = null;
      return first;
    },
    discard() {
      tip = null;
    },
    length: () => head.get()!.length,
  };
}

const sha256 = (text: string): Buffer => digest("sha256", text, "buffer");

/** What was there before; null when nothing was. What it became is in the row itself, or before the next change. */
function payloadOf(shelf: Shelf, before: Item | null, after: Item | null): string | null {
  if (JOURNALED[shelf] === "hash") return JSON.stringify({ before: before?.hash ?? null, after: after?.hash ?? null });
  return before && JSON.stringify({ before });
}

function chainHash(previous: Buffer, entry: Record<string, string | number | Buffer | null>): Buffer {
  const fields = Object.values(entry).map((value) => (Buffer.isBuffer(value) ? value.toString("hex") : value));
  return sha256(previous.toString("hex") + JSON.stringify(fields));
}
