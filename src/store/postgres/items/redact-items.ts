/**
 * Takes secrets out of items: the row gets its redacted form, and every other copy of the text goes, as in an erasure.
 *
 * Earlier states in the journal cannot be edited, because the chain holds their hashes; those with a secret are erased,
 * and an entry says so.
 */
import { contentHash, hashAt } from "../../../logic/text/content-hash.ts";
import type { Change, RedactedItem } from "../../../model/journal/change.ts";
import { handleOf } from "../../../model/memory/handles.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import { type TransactionOrigin, isJournaled } from "../../rows/journal/journal-link.ts";
import { holdsSecret, textsIn } from "../../rows/journal/kept-texts.ts";
import type { Database } from "../connection/database.ts";
import { eraseContext } from "../../context.ts";
import { eraseSessions } from "../../sessions.ts";
import type { Journal } from "../journal/journal-writer.ts";
import { type Purge, textsOn } from "./purge.ts";
import type { FoundItem, ShelfWriter } from "./shelf-writer.ts";

type RedactItems = (
  change: Extract<Change, { kind: "redact_items" }>,
  transaction: TransactionOrigin,
) => Promise<string | null>;

export function itemRedactor(
  db: Database,
  shelf: (name: Shelf) => ShelfWriter,
  log: Journal,
  purge: Purge,
): RedactItems {
  const states = db.prepare<{ seq: number; payload: string }>(`
    select kept.seq, kept.payload from journal entry join journal_payload kept on kept.seq = entry.seq
    where entry.item_id = @id`);
  const dropStates = db.prepare(`delete from journal_payload where seq = any (@seqs::bigint[])`);
  const dropCached = db.prepare(`delete from embedding_cache where text_hash = any (@hashes::text[])`);

  /** Erases what is kept beside the row. */
  async function eraseTraces(id: string, found: FoundItem | null, writer: ShelfWriter): Promise<void> {
    await log.flush();
    const held = (await states.all({ id })).filter(({ payload }) => holdsSecret(payload));
    await dropStates.run({ seqs: held.map(({ seq }) => seq) });
    const texts = [...held.flatMap(({ payload }) => textsIn(payload)), ...(found ? await textsOn(writer, id) : [])];
    dropCached.send({ hashes: [...new Set(texts)].map(contentHash) });
    db.note("cached vectors");
    await db.drive(eraseContext(found ? [contentHash(found.item.content)] : [], []));
    await db.drive(eraseSessions([id], found ? [found.item.session] : []));
  }

  async function replace({ after }: RedactedItem, found: FoundItem, writer: ShelfWriter): Promise<void> {
    if (after === undefined) return;
    if (after === null) {
      await purge.tracesOf(found.item.id);
      await writer.remove(found.seq, found.item.id);
      return;
    }
    const { item, passages, embed } = after;
    // Without its secret it may say what another item says already; both stay.
    const isOnce = (await writer.clash(item, found.seq)) === null;
    const hash = isOnce ? item.hash : hashAt(item.id, item.content);
    await writer.revise(found, { ...item, hash }, { passages, embed });
  }

  return async ({ shelf: name, items }, transaction) => {
    const writer = shelf(name);
    for (const one of items) {
      const found = await writer.find(one.id);
      if ((found?.item.version ?? null) !== one.expectedVersion)
        return `${name} ${handleOf(one.id)} was changed in the meantime`;
      await eraseTraces(one.id, found, writer);
      if (found) await replace(one, found, writer);
      if (isRecorded(name, found?.item)) log.writeErasure(name, one.id, transaction, "redact_items");
    }
    await purge.sweep([name]);
    return null;
  };
}

const isRecorded = (shelf: Shelf, item: Item | undefined): boolean => isJournaled(shelf) && item?.scope !== "working";
