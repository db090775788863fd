/**
 * Commits change sets, several at once where several wait.
 *
 * Sets that arrive in the same turn share one transaction. At first without savepoints,
 * because each would make the keyword index write itself out; only when one set must be
 * taken back alone is the group begun anew, each set in a savepoint of its own. Nobody
 * hears of success before the shared commit has succeeded.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { Applied, Change, Origin } from "../../model/journal/change.ts";
import type { ApplyOptions, Clock } from "../../ports.ts";
import { type Applier, createApplier } from "./appliers.ts";
import { type Database, type WhenFree, translate } from "./connection/database.ts";

/** A bound, so that one turn of the event loop stays short. */
const SETS_AT_ONCE = 256;

interface Waiting extends ApplyOptions {
  changes: readonly Change[];
  origin: Origin;
  resolve(applied: Applied): void;
  reject(thrown: unknown): void;
}

type Outcome = { applied: Applied } | { thrown: unknown };

export interface Committer {
  commit(changes: readonly Change[], origin: Origin, options: ApplyOptions): Promise<Applied>;
  /** Resolves when nothing waits any more. */
  settle(): Promise<void>;
}

export function committer(db: Database, clock: Clock, whenFree: WhenFree): Committer {
  const queue: Waiting[] = [];
  let tools: Tools | null = null;
  let running: Promise<void> | null = null;

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      // A turn of the event loop before each group: callers get in, and answers get out.
      await immediate();
      const group = queue.splice(0, SETS_AT_ONCE);
      const impatient = group.every((waiting) => waiting.impatient);
      const work = () => {
        // Preparing reads the schema, which may be busy as well.
        tools ??= { applier: createApplier(db), savepoint: savepoints(db), written: changeCounter(db) };
        return commitTogether(db, tools, group, clock.now()) ?? commitApart(db, tools, group, clock.now());
      };
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
  /** How many rows this connection has changed so far. */
  written(): number;
}

/** The common case; null, with everything taken back, when one set must be taken back and others not. */
function commitTogether(
  db: Database,
  { applier, written }: Tools,
  group: readonly Waiting[],
  now: number,
): Outcome[] | null {
  if (group.some(({ rehearse }) => rehearse)) return null;
  const outcomes: Outcome[] = [];
  return inTransaction(db, applier, () => {
    for (const { changes, origin } of group) {
      const before = written();
      const applied = attempt(db, () => applyAll(applier, changes, { at: now, origin }));
      // A set that was refused before it wrote anything has left nothing to take back.
      if (!applied || (applied.status === "conflict" && written() !== before)) return null;
      outcomes.push({ applied });
    }
    return outcomes;
  });
}

/** Null for a fault that may be one set's own; one that ended the transaction concerns them all. */
function attempt<T>(db: Database, work: () => T): T | null {
  try {
    return work();
  } catch (thrown) {
    if (!db.inTransaction) throw thrown;
    return null;
  }
}

function commitApart(db: Database, tools: Tools, group: readonly Waiting[], now: number): Outcome[] {
  return inTransaction(db, tools.applier, () => group.map((waiting) => applySet(db, tools, waiting, now)))!;
}

/** Commits what `work` gives; takes everything back when it gives null. */
function inTransaction(db: Database, applier: Applier, work: () => Outcome[] | null): Outcome[] | null {
  db.exec("begin immediate");
  try {
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

function applySet(db: Database, { applier, savepoint }: Tools, waiting: Waiting, now: number): Outcome {
  const { changes, origin, rehearse } = waiting;
  savepoint.set.run();
  try {
    const applied = applyAll(applier, changes, { at: now, origin });
    if (rehearse || applied.status === "conflict") takeBack(savepoint, applier);
    savepoint.release.run();
    return { applied };
  } catch (thrown) {
    // When the whole transaction is gone, so are the sets before this one.
    if (!db.inTransaction) throw thrown;
    takeBack(savepoint, applier);
    savepoint.release.run();
    return { thrown: translate(thrown, db.name) };
  }
}

function applyAll(applier: Applier, changes: readonly Change[], set: { at: number; origin: Origin }): Applied {
  applier.beginSet();
  for (const change of changes) {
    const reason = applier.apply(change, set);
    if (reason !== null) return { status: "conflict", kind: change.kind, reason };
  }
  return { status: "applied", changeSet: applier.setNumber() };
}

function takeBack(savepoint: Savepoints, applier: Applier): void {
  applier.discard();
  savepoint.rollback.run();
}

type Savepoints = ReturnType<typeof savepoints>;

/** Prepared, because they run once for every change set. */
function savepoints(db: Database) {
  return {
    set: db.prepare("savepoint one_set"),
    release: db.prepare("release one_set"),
    rollback: db.prepare("rollback to one_set"),
  };
}

function changeCounter(db: Database): () => number {
  const count = db.prepare<[], number>("select total_changes()").pluck();
  return () => count.get() ?? 0;
}
