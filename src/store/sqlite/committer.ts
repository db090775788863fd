/**
 * Commits change sets, several at once where several wait.
 *
 * A commit costs more than a small change, so sets that arrive in the same turn share one
 * transaction. Each stands in its own savepoint: a conflict or fault takes back that set
 * alone. Nobody hears of success before the shared commit has succeeded.
 */
import { setImmediate as immediate } from "node:timers/promises";
import type { Applied, Change, Origin } from "../../model/change.ts";
import type { ApplyOptions, Clock } from "../../ports.ts";
import { type Applier, createApplier } from "./appliers.ts";
import { type Database, type WhenFree, translate } from "./database.ts";

/** A bound, so that one turn of the event loop stays short. */
const SETS_AT_ONCE = 128;

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
        tools ??= { applier: createApplier(db), savepoint: savepoints(db) };
        return commitGroup(db, tools, group, clock.now());
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
}

function commitGroup(db: Database, tools: Tools, group: readonly Waiting[], now: number): Outcome[] {
  const { applier } = tools;
  db.exec("begin immediate");
  try {
    const outcomes = group.map((waiting) => applySet(db, tools, waiting, now));
    db.exec("commit");
    return outcomes;
  } catch (thrown) {
    applier.discard();
    // A full disk may have ended the transaction already.
    if (db.inTransaction) db.exec("rollback");
    throw thrown;
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
  for (const change of changes) {
    const reason = applier.apply(change, set);
    if (reason !== null) return { status: "conflict", kind: change.kind, reason };
  }
  return { status: "applied", changeSet: applier.flush() };
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
