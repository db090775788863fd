/**
 * Commits transactions: begin, lock the space, check what each change expects, write, commit.
 *
 * Those of one process take turns before they ask the server for the lock, so that they do not occupy a connection each.
 */
import { Failure } from "../../errors.ts";
import type { Applied, Change, Origin } from "../../model/journal/change.ts";
import type { ApplyOptions } from "../../ports/store/store.ts";
import type { Clock } from "../../ports/world.ts";
import type { Random } from "../rows/journal-link.ts";
import { createApplier } from "./appliers.ts";
import type { Database, OpenDatabase } from "./connection/database.ts";
import { newestSchema } from "./connection/migrate.ts";

export interface Committer {
  commit(changes: readonly Change[], origin: Origin, options: ApplyOptions): Promise<Applied>;
  /** Resolves when nothing is pending. */
  settle(): Promise<void>;
}

export function committer(
  db: OpenDatabase,
  { clock, random, isFirst }: { clock: Clock; random?: Random | undefined; isFirst(): boolean },
): Committer {
  let last: Promise<unknown> = Promise.resolve();

  async function attempt(changes: readonly Change[], origin: Origin, options: ApplyOptions): Promise<Applied> {
    let applied: Applied = { status: "applied", transaction: null };
    const work = async (within: Database): Promise<boolean> => {
      await refuseNewer(within);
      applied = await applyAll(within, changes, { at: clock.now(), origin }, random);
      return applied.status === "applied" && !options.dryRun;
    };
    await db.transact(work, { impatient: options.impatient ?? false, isFirst: isFirst() });
    return applied;
  }

  return {
    commit(changes, origin, options) {
      const turn = last.then(() => attempt(changes, origin, options));
      last = turn.catch(() => undefined);
      return turn;
    },
    settle: async () => void (await last),
  };
}

async function applyAll(
  db: Database,
  changes: readonly Change[],
  transaction: { at: number; origin: Origin },
  random: Random | undefined,
): Promise<Applied> {
  const applier = createApplier(db, random);
  for (const change of changes) {
    const reason = await applier.apply(change, transaction);
    if (reason !== null) return { status: "conflict", kind: change.kind, reason };
  }
  const refusal = await applier.end();
  return refusal ? { status: "conflict", ...refusal } : { status: "applied", transaction: applier.transactionNumber() };
}

/** Within the lock, so nobody can migrate the schema afterwards. */
async function refuseNewer(db: Database): Promise<void> {
  const version = await db.prepareColumn<number>(`select version from schema_version where one = 1`).get();
  if ((version ?? 0) <= newestSchema()) return;
  throw new Failure(
    "unavailable",
    "Nothing was stored: a newer version of Stele has changed the database.",
    "Update Stele, or restart it.",
  );
}
