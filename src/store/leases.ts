/**
 * Leases: long work for one process at a time. An expired lease is free, so a crash blocks nobody; so is one that ends
 * much later than any taken now could, because the clock was ahead when it was taken.
 */
import { latestEnd } from "./queue.ts";
import { count, type Room, send, sql, value, type Writers } from "./sql.ts";
import type { LeaseReads } from "./store.ts";

export const leaseReads: Room<LeaseReads> = {
  leaseHolder: (name, now, lastsMs) =>
    value<string>(
      sql`select owner from lease where name = ${name} and until > ${now} and until <= ${latestEnd(now, lastsMs)}`,
    ),
};

export const leaseWriters: Writers<"take_lease" | "release_lease"> = {
  *take_lease({ name, owner, at, until }) {
    const taken = yield* count(sql`
      insert into lease (name, owner, until) values (${name}, ${owner}, ${until})
      on conflict (name) do update set owner = excluded.owner, until = excluded.until
      where lease.owner = excluded.owner or lease.until <= ${at} or lease.until > ${latestEnd(until, 0)}`);
    return taken === 1 ? null : `${name} is being done by another process`;
  },
  *release_lease({ name, owner }) {
    yield* send(sql`delete from lease where name = ${name} and owner = ${owner}`);
    return null;
  },
};
