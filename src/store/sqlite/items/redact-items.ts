/**
 * Takes secrets out of items: the row gets its redacted form, and every other copy of the text goes, as in an erasure.
 *
 * Earlier states in the journal cannot be edited, because the chain holds their hashes; those with a secret are erased,
 * and an entry says so. The bytes are gone once the file is compacted.
 */
import { contentHash, hashAt } from "../../../logic/text/content-hash.ts";
import type { Change, RedactedItem } from "../../../model/journal/change.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { holdsSecret, textsIn } from "../../rows/journal/kept-texts.ts";
import type { Database } from "../connection/database.ts";
import { eraseContext } from "../../context.ts";
import { eraseSessions } from "../../sessions.ts";
import { driveOn } from "../connection/drive.ts";
import { type Journal, type TransactionOrigin, isJournaled } from "../journal/journal-writer.ts";
import { type Purge, textsOn } from "./purge.ts";
import type { FoundItem, ShelfWriter } from "./shelf-writer.ts";

type RedactItems = (change: Extract<Change, { kind: "redact_items" }>, transaction: TransactionOrigin) => string | null;

export function itemRedactor(
  db: Database,
  shelf: (name: Shelf) => ShelfWriter,
  log: Journal,
  purge: Purge,
): RedactItems {
  const states = db.prepare<[string], { seq: number; payload: string }>(`
    select kept.seq, kept.payload from journal entry indexed by journal_item
    join journal_payload kept on kept.seq = entry.seq where entry.item_id = ?`);
  const dropState = db.prepare<[number]>(`delete from journal_payload where seq = ?`);
  const dropCached = db.prepare<[string]>(`delete from embedding_cache where text_hash = ?`);
  const drive = driveOn(db);

  /** Erases what is kept beside the row. */
  function eraseTraces(id: string, found: FoundItem | null, writer: ShelfWriter): void {
    const held = states.all(id).filter(({ payload }) => holdsSecret(payload));
    for (const { seq } of held) dropState.run(seq);
    const texts = [...held.flatMap(({ payload }) => textsIn(payload)), ...(found ? textsOn(writer, id) : [])];
    for (const text of new Set(texts)) dropCached.run(contentHash(text));
    drive(eraseContext(found ? [contentHash(found.item.content)] : [], []));
    drive(eraseSessions([id], found ? [found.item.session] : []));
  }

  function replace({ after }: RedactedItem, found: FoundItem, writer: ShelfWriter): void {
    if (after === undefined) return;
    if (after === null) {
      purge.tracesOf(found.item.id);
      writer.remove(found.seq);
      return;
    }
    const { item, passages, embed } = after;
    // Without its secret it may say what another item says already; both stay.
    const isOnce = writer.clash(item, found.seq) === null;
    const hash = isOnce ? item.hash : hashAt(item.id, item.content);
    writer.revise(found, { ...item, hash }, { passages, embed });
  }

  return ({ shelf: name, items }, transaction) => {
    const writer = shelf(name);
    for (const one of items) {
      const found = writer.find(one.id);
      if ((found?.item.version ?? null) !== one.expectedVersion)
        return `${name} ${handleOf(one.id)} was changed in the meantime`;
      eraseTraces(one.id, found, writer);
      if (found) replace(one, found, writer);
      if (isRecorded(name, found?.item)) log.writeErasure(name, one.id, transaction, "redact_items");
    }
    purge.sweep([name]);
    return null;
  };
}

const isRecorded = (shelf: Shelf, item: Item | undefined): boolean => isJournaled(shelf) && item?.scope !== "working";
