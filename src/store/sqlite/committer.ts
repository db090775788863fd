/**
 * Commits transactions, several at once when several are pending.
 *
 * Transactions that arrive in the same turn share one commit, at first without savepoints,
 * because each savepoint makes the keyword index flush. Only when a single transaction must
 * be rolled back does the group start over, each in its own savepoint. No caller gets an
 * answer before the shared commit has succeeded.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { Applied, Change, Origin } from "../../journal/change.ts";
import type { Clock } from "../../world.ts";
import type { Random, TransactionOrigin } from "../journal-link.ts";
import type { ApplyOptions } from "../store.ts";
import { type Applier, createApplier } from "./appliers.ts";
import { type Database, translate, type WhenFree } from "./database.ts";
import type { FileGuard } from "./file-guard.ts";
import type { RightOfWay } from "./right-of-way.ts";

/** Bounded, so that one turn of the event loop stays short. */
const TRANSACTIONS_AT_ONCE = 256;

interface Pending extends ApplyOptions {
  changes: readonly Change[];
  origin: Origin;
  resolve(applied: Applied): void;
  reject(thrown: unknown): void;
}

type Outcome = { applied: Applied } | { thrown: unknown };

export interface Committer {
  commit(changes: readonly Change[], origin: Origin, options: ApplyOptions): Promise<Applied>;
  /** Resolves when nothing is pending. */
  settle(): Promise<void>;
}

interface CommitterOptions {
  clock: Clock;
  whenFree: WhenFree;
  giveWay: RightOfWay["giveWay"];
  guard: Pick<FileGuard, "refuse">;
  random?: Random | undefined;
}

export function committer(db: Database, { clock, whenFree, giveWay, guard, random }: CommitterOptions): Committer {
  const queue: Pending[] = [];
  const [applier, savepoint, written] = [createApplier(db, random), savepoints(db), changeCounter(db)];
  const tools: Tools = { applier, savepoint, written, guard };
  let running: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // One turn of the event loop before each group lets more callers join and lets answers be delivered.
      await immediate();
      if (queue.some((waiting) => !waiting.impatient)) await giveWay();
      const group = queue.splice(0, TRANSACTIONS_AT_ONCE);
      const impatient = group.every((waiting) => waiting.impatient);
      const work = () => commitTogether(db, tools, group, clock.now()) ?? commitApart(db, tools, group, clock.now());
      const outcomes = await whenFree(work, { impatient }).catch((thrown: unknown) =>
        group.map((): Outcome => ({ thrown })),
      );
      for (const [index, outcome] of outcomes.entries()) {
        if ("applied" in outcome) group[index]!.resolve(outcome.applied);
        else group[index]!.reject(outcome.thrown);
      }
    }
    running = null;
  }

  return {
    commit: (changes, origin, options) =>
      new Promise((resolve, reject) => {
        queue.push({ changes, origin, ...options, resolve, reject });
        running ??= drain();
      }),
    async settle() {
      while (running) await running;
    },
  };
}

interface Tools {
  applier: Applier;
  savepoint: Savepoints;
  /** The number of rows this connection has changed so far. */
  written(): number;
  guard: Pick<FileGuard, "refuse">;
}

/** The common case; null, with everything rolled back, when only some of the transactions must be rolled back. */
function commitTogether(db: Database, tools: Tools, group: readonly Pending[], now: number): Outcome[] | null {
  if (group.some(({ dryRun }) => dryRun)) return null;
  const { applier, written } = tools;
  const outcomes: Outcome[] = [];
  return inSharedCommit(db, tools, () => {
    for (const { changes, origin } of group) {
      const before = written();
      const applied = attempt(db, () => applyAll(applier, changes, { at: now, origin }));
      // A transaction refused before its first write has nothing to roll back.
      if (!applied || (applied.status === "conflict" && written() !== before)) return null;
      outcomes.push({ applied });
    }
    return outcomes;
  });
}

/** Null for an error that may concern one transaction only; an error that ended the commit concerns all. */
function attempt<T>(db: Database, work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (!db.inTransaction) throw thrown;
    return null;
  }
}

function commitApart(db: Database, tools: Tools, group: readonly Pending[], now: number): Outcome[] {
  return inSharedCommit(db, tools, () => group.map((waiting) => applyOne(db, tools, waiting, now)))!;
}

/** Commits unless `work` returns null; then rolls everything back. */
function inSharedCommit(
  db: Database,
  { applier, guard }: Pick<Tools, "applier" | "guard">,
  work: () => Outcome[] | null,
): Outcome[] | null {
  db.exec("begin immediate");
  try {
    guard.refuse();
    const outcomes = work();
    if (outcomes !== null) applier.flush();
    db.exec(outcomes === null ? "rollback" : "commit");
    return outcomes;
  } catch (thrown) {
    // A full disk may have ended the transaction already.
    if (db.inTransaction) db.exec("rollback");
    throw thrown;
  } finally {
    applier.reset();
  }
}

function applyOne(db: Database, { applier, savepoint }: Tools, waiting: Pending, now: number): Outcome {
  const { changes, origin, dryRun } = waiting;
  savepoint.set.run();
  try {
    const applied = applyAll(applier, changes, { at: now, origin });
    if (dryRun || applied.status === "conflict") rollBack(savepoint, applier);
    savepoint.release.run();
    return { applied };
  } catch (thrown) {
    // When the whole commit was rolled back, so were the transactions before this one.
    if (!db.inTransaction) throw thrown;
    rollBack(savepoint, applier);
    savepoint.release.run();
    return { thrown: translate(thrown, db.name) };
  }
}

function applyAll(applier: Applier, changes: readonly Change[], transaction: TransactionOrigin): Applied {
  applier.beginTransaction();
  for (const change of changes) {
    const reason = applier.apply(change, transaction);
    if (reason !== null) return { status: "conflict", kind: change.kind, reason };
  }
  const refusal = applier.endTransaction();
  return refusal ? { status: "conflict", ...refusal } : { status: "applied", transaction: applier.transactionNumber() };
}

function rollBack(savepoint: Savepoints, applier: Applier): void {
  applier.discard();
  savepoint.rollback.run();
}

type Savepoints = ReturnType<typeof savepoints>;

/** Prepared once, because they run for every transaction. */
function savepoints(db: Database) {
  return {
    set: db.prepare("savepoint one_transaction"),
    release: db.prepare("release one_transaction"),
    rollback: db.prepare("rollback to one_transaction"),
  };
}

function changeCounter(db: Database): () => number {
  const count = db.prepare<[], number>("select total_changes()").pluck();
  return () => count.get() ?? 0;
}
