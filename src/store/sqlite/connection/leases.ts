/**
 * Leases: long work for one process at a time. An expired lease is free, so a crash blocks nobody; so is one that ends
 * much later than any taken now could, because the clock was ahead when it was taken.
 */
import type { Change } from "../../../model/journal/change.ts";
import type { LeaseReads } from "../../../ports/store/leases.ts";
import { CLOCK_TOLERANCE_MS } from "../../rows/search/queue-ranks.ts";
import type { Database } from "./database.ts";
import type { Sync } from "./reads.ts";

export function leaseWriter(db: Database) {
  const take = db.prepare(`
    insert into lease (name, owner, until) values (@name, @owner, @until)
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
    where owner = excluded.owner or until <= @at or until > @until + ${CLOCK_TOLERANCE_MS}`);
  const release = db.prepare<[string, string]>(`delete from lease where name = ? and owner = ?`);
  return {
    take_lease({ name, owner, at, until }: Extract<Change, { kind: "take_lease" }>): string | null {
      return take.run({ name, owner, at, until }).changes === 1 ? null : `${name} is being done by another process`;
    },
    release_lease({ name, owner }: Extract<Change, { kind: "release_lease" }>): null {
      release.run(name, owner);
      return null;
    },
  };
}

export function leaseReads(db: Database): Sync<LeaseReads> {
  const holder = db
    .prepare<[string, number, number], string>(`select owner from lease where name = ? and until > ? and until <= ?`)
    .pluck();
  return { leaseHolder: (name, now, lastsMs) => holder.get(name, now, now + lastsMs + CLOCK_TOLERANCE_MS) ?? null };
}
