/**
 * Commits transactions: begin, lock the space, check what each change expects, write, commit.
 *
 * Writes are sent without waiting; what they rely on is checked before the commit, in the order of the changes.
 *
 * Those of one process take turns before they ask the server for the lock, so that they do not occupy a connection each.
 */
import { Failure } from "../../errors.ts";
import type { Applied, Change, Origin } from "../../journal/change.ts";
import type { Clock } from "../../world.ts";
import type { Random, Tip, TransactionOrigin } from "../journal-link.ts";
import type { ApplyOptions } from "../store.ts";
import { type Applier, createApplier, type Refusal } from "./appliers.ts";
import type { Database, OpenDatabase } from "./database.ts";
import { newestSchema } from "./migrate.ts";

interface Committer {
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
      const tip = tipOf(within);
      try {
        applied = await applyAll(createApplier(within, tip, random), changes, { at: clock.now(), origin });
      } finally {
        // Whatever happened in a schema that a newer version has changed, that is what counts.
        await tip;
      }
      return applied.status === "applied";
    };
    await db.transact(work, { impatient: options.impatient ?? false, dryRun: options.dryRun, isFirst: isFirst() });
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
  applier: Applier,
  changes: readonly Change[],
  transaction: TransactionOrigin,
): Promise<Applied> {
  try {
    for (const change of changes) {
      const reason = await applier.apply(change, transaction);
      if (reason !== null) return conflict((await applier.doubted()) ?? { kind: change.kind, reason });
    }
    const refusal = await applier.end();
    return refusal ? conflict(refusal) : { status: "applied", transaction: applier.transactionNumber() };
  } catch (thrown) {
    // What failed may have relied on a change that was refused.
    const refusal = await applier.doubted().catch(() => null);
    if (refusal) return conflict(refusal);
    throw thrown;
  }
}

const conflict = (refusal: Refusal): Applied => ({ status: "conflict", ...refusal });

/** The end of the journal's chain. Within the lock, so nobody can migrate the schema afterwards. */
function tipOf(db: Database): Promise<Tip> {
  const read = db.prepare<Tip & { version: number }>(`
    select version, length, encode(hash, 'hex') as hash from schema_version, journal_head
    where schema_version.one = 1 and journal_head.one = 1`);
  const tip = read.get().then((found) => {
    const { version, ...rest } = found!;
    if (version <= newestSchema()) return rest;
    throw new Failure(
      "unavailable",
      "Nothing was stored: a newer version of Stele has changed the database.",
      "Update Stele, or restart it.",
    );
  });
  // Whoever needs it waits for it later.
  tip.catch(() => undefined);
  return tip;
}
