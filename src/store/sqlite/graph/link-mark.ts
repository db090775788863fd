/**
 * How far memories are linked: up to which passage.
 *
 * Passage numbers are never reused, and a memory whose text changes gets new ones. So a mark is all the queue there is:
 * writing a memory costs nothing more, and whatever is numbered after the mark waits.
 */
import type { EdgeReads } from "../../../ports/store/edges.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

const KEY = "linked_memory";

export function linkMark(db: Database): { get(): number; moveTo(passage: number): void } {
  const read = db.prepare<[], string>(`select value from fact where key = '${KEY}'`).pluck();
  const write = db.prepare<[string]>(
    `insert into fact (key, value) values ('${KEY}', ?) on conflict (key) do update set value = excluded.value`,
  );
  return {
    get: () => Number(read.get() ?? 0),
    moveTo: (passage) => void write.run(String(passage)),
  };
}

export function unlinkedReader(db: Database): Sync<Pick<EdgeReads, "unlinked" | "unlinkedAmong">> {
  const mark = linkMark(db);
  const next = db
    .prepare<[number, number], number>(`select seq from memory_passage where seq > ? order by seq limit ?`)
    .pluck();
  // Ordered by their last passage, because that is where a memory's turn comes.
  const ending = db
    .prepare<[{ after: number; upTo: number }], string>(
      `
      select item.id from memory_passage passage join memory_item item on item.seq = passage.item_seq
      where passage.seq > @after and passage.seq <= @upTo and not exists (
        select 1 from memory_passage later where later.item_seq = passage.item_seq and later.seq > passage.seq)
      order by passage.seq`,
    )
    .pluck();
  const among = db
    .prepare<[string, number], string>(
      `
      select item.id from memory_item item where item.id in (select value from json_each(?)) and exists (
        select 1 from memory_passage passage where passage.item_seq = item.seq and passage.seq > ?)`,
    )
    .pluck();
  return {
    unlinked(limit, after = mark.get()) {
      const upTo = next.all(after, limit).at(-1);
      return upTo === undefined ? null : { after, upTo, ids: ending.all({ after, upTo }) };
    },
    unlinkedAmong: (ids, after) => among.all(JSON.stringify(ids), after),
  };
}
