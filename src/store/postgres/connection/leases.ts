/**
 * Leases: long work for one process at a time. An expired lease is free, so a crash blocks nobody; so is one that ends
 * much later than any taken now could, because the clock was ahead when it was taken.
 */
import type { Change } from "../../../model/journal/change.ts";
import type { LeaseReads } from "../../../ports/store/leases.ts";
import { CLOCK_TOLERANCE_MS, latestEnd } from "../../rows/search/queue-ranks.ts";
import type { Database } from "./database.ts";

export function leaseWriter(db: Database) {
  const take = db.prepare(`
    insert into lease (name, owner, until) values (@name, @owner, @until::bigint)
    on conflict (name) do update set owner = excluded.owner, until = excluded.until
    where lease.owner = excluded.owner or lease.until <= @at or lease.until > @until + ${CLOCK_TOLERANCE_MS}`);
  const release = db.prepare(`delete from lease where name = @name and owner = @owner`);
  return {
    async take_lease({ name, owner, at, until }: Extract<Change, { kind: "take_lease" }>): Promise<string | null> {
      const taken = await take.run({ name, owner, at, until });
      return taken === 1 ? null : `${name} is being done by another process`;
    },
    async release_lease({ name, owner }: Extract<Change, { kind: "release_lease" }>): Promise<null> {
      await release.run({ name, owner });
      return null;
    },
  };
}

export function leaseReads(db: Database): LeaseReads {
  const holder = db.prepareColumn<string>(
    `select owner from lease where name = @name and until > @now and until <= @latest`,
  );
  return {
    leaseHolder: async (name, now, lastsMs) =>
      (await holder.get({ name, now, latest: latestEnd(now, lastsMs) })) ?? null,
  };
}
