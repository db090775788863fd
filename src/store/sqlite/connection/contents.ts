/** What an intact store holds, as far as a check is concerned: how many items, and whether some replace each other in a circle. */
import type Sqlite from "better-sqlite3-multiple-ciphers";
import { circles } from "../../../logic/transfer/circles.ts";
import type { Circle } from "../../../model/care/finding.ts";
import type { Shelf } from "../../../model/memory/shelf.ts";

export interface Contents {
  items: number;
  circle: Circle | null;
}

export const contentsOf = (db: Sqlite.Database, shelves: readonly Shelf[]): Contents => ({
  items: countItems(db, shelves),
  circle: firstCircle(db, shelves),
});

function countItems(db: Sqlite.Database, shelves: readonly Shelf[]): number {
  const counts = shelves.map((shelf) => db.prepare<[], number>(`select count(*) from ${shelf}_item`).pluck().get()!);
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Only a store written by an older version can have one. */
function firstCircle(db: Sqlite.Database, shelves: readonly Shelf[]): Circle | null {
  for (const shelf of shelves) {
    const rows = db
      .prepare<
        [],
        { id: string; next: string; at: number }
      >(`select id, superseded_by as next, updated_at as at from ${shelf}_item where superseded_by is not null`)
      .all();
    const nextOf = new Map(rows.map((row) => [row.id, row]));
    const { replace } = circles();
    const closing = rows.find(({ id, next }) => !replace(id, next));
    if (!closing) continue;
    const circle = [closing];
    for (let at = nextOf.get(closing.next); at && at !== closing; at = nextOf.get(at.next)) circle.push(at);
    const newest = circle.reduce((one, two) => (two.at > one.at ? two : one));
    const call = db
      .prepare<[string], string>(`select call from journal where item_id = ? order by seq desc limit 1`)
      .pluck()
      .get(newest.id);
    return { shelf, ids: circle.map(({ id }) => id), call: call ?? null };
  }
  return null;
}
