/**
 * How far memories are linked: up to which passage.
 *
 * Passage numbers are never reused, and a memory whose text changes gets new ones. So a mark is all the queue there is:
 * writing a memory costs nothing more, and whatever is numbered after the mark waits.
 */
import type { EdgeReads } from "../../../ports/store/edges.ts";
import type { Database } from "../connection/database.ts";

const KEY = "linked_memory";

export function linkMark(db: Database): { get(): Promise<number>; moveTo(passage: number): Promise<void> } {
  const read = db.prepareColumn<string>(`select value from fact where key = '${KEY}'`);
  const write = db.prepare(`
    insert into fact (key, value) values ('${KEY}', @value) on conflict (key) do update set value = excluded.value`);
  return {
    get: async () => Number((await read.get()) ?? 0),
    moveTo: async (passage) => void (await write.run({ value: String(passage) })),
  };
}

export function unlinkedReader(db: Database): Pick<EdgeReads, "unlinked" | "unlinkedAmong"> {
  const mark = linkMark(db);
  const next = db.prepareColumn<number>(`select seq from memory_passage where seq > @after order by seq limit @limit`);
  // Ordered by their last passage, because that is where a memory's turn comes.
  const ending = db.prepareColumn<string>(`
    select item.id from memory_passage passage join memory_item item on item.seq = passage.item_seq
    where passage.seq > @after and passage.seq <= @upTo and not exists (
      select 1 from memory_passage later where later.item_seq = passage.item_seq and later.seq > passage.seq)
    order by passage.seq`);
  const among = db.prepareColumn<string>(`
    select item.id from memory_item item where item.id = any (@ids::text[]) and exists (
      select 1 from memory_passage passage where passage.item_seq = item.seq and passage.seq > @after)`);
  return {
    async unlinked(limit, given) {
      const after = given ?? (await mark.get());
      const upTo = (await next.all({ after, limit })).at(-1);
      return upTo === undefined ? null : { after, upTo, ids: await ending.all({ after, upTo }) };
    },
    unlinkedAmong: (ids, after) => among.all({ ids, after }),
  };
}
