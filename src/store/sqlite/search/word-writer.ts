/**
 * Writes the words of one shelf's passages, and keeps the index's own row count correct.
 *
 * An index that keeps no text removes the words of a deleted row but still counts the row. Every rewritten file would
 * make all words seem rarer, until common words weigh as much as rare ones. So the count is corrected before words are
 * removed: later in the transaction the index would overwrite the correction. Lengths are scaled with the count,
 * because only their mean is used.
 */
import { indexedText } from "../../../logic/text/words.ts";
import type { Item } from "../../../model/memory/item.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";
import type { Database } from "../connection/database.ts";

/** A few extra rows make no difference. */
const TOLERATED = 16;
const TOLERATED_SHARE = 0.02;
/** The row of the index's totals: the number of rows, then the words of each column. */
const TOTALS_ROW = 1;

export interface WordWriter {
  write(number: number, text: string, item: Pick<Item, "title" | "tags">): void;
  remove(number: number): void;
  /** Called when the transaction has ended or was partly rolled back. */
  reset(): void;
}

export function wordWriter(db: Database, shelf: Shelf): WordWriter {
  const statements = prepare(db, shelf);
  let hasWritten = false;
  return {
    write(number, text, { title, tags }) {
      const words = indexedText({ title, text, tags });
      hasWritten = true;
      statements.insert.run(number, words.title, words.text, words.tags, words.split, words.cjk);
    },
    remove(number) {
      if (!hasWritten) correctCount(db, shelf, statements);
      hasWritten = true;
      statements.delete.run(number);
    },
    reset() {
      hasWritten = false;
    },
  };
}

function prepare(db: Database, shelf: Shelf) {
  return {
    insert: db.prepare<[number, string, string, string, string, string]>(
      `insert into ${shelf}_fts (rowid, title, text, tags, split, cjk) values (?, ?, ?, ?, ?, ?)`,
    ),
    delete: db.prepare<[number]>(`delete from ${shelf}_fts where rowid = ?`),
    totals: db.prepare<[], Buffer>(`select block from ${shelf}_fts_data where id = ${TOTALS_ROW}`).pluck(),
    passages: db.prepare<[], number>(`select count(*) from ${shelf}_passage`).pluck(),
  };
}

function correctCount(db: Database, shelf: Shelf, { totals: kept, passages }: ReturnType<typeof prepare>): void {
  const [rows = 0, ...words] = varintsIn(kept.get() ?? Buffer.alloc(0));
  const present = passages.get() ?? 0;
  if (rows - present <= Math.max(TOLERATED, present * TOLERATED_SHARE)) return;
  const totals = [present, ...words.map((count) => Math.round((count * present) / rows))];
  // The driver protects such tables from accidental writes.
  db.unsafeMode(true);
  try {
    const write = db.prepare<[Buffer]>(`update ${shelf}_fts_data set block = ? where id = ${TOTALS_ROW}`);
    write.run(Buffer.from(totals.flatMap(varint)));
  } finally {
    db.unsafeMode(false);
  }
}

/** Seven bits per byte, highest first; all but the last have the eighth bit set. */
function varintsIn(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of bytes) {
    value = value * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function varint(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128);
  return bytes;
}
