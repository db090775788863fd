/** Plans changes and applies them; if another process was faster, plans again from the current state. */
import { setImmediate as immediate } from "node:timers/promises";
import { Failure } from "../errors.ts";
import type { JournalQuery, JournalReads, Writes } from "../store/store.ts";
import type { World } from "../world.ts";
import type { Change } from "./change.ts";
import type { ChangeRecord } from "./journal.ts";

const ATTEMPTS = 3;

export async function commit<T>(
  store: Writes,
  plan: (attempt: number) => Promise<{ changes: readonly Change[]; answer: T }>,
  world: Pick<World, "origin">,
): Promise<T> {
  let reason = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { changes, answer } = await plan(attempt);
    if (changes.length === 0) return answer;
    const outcome = await store.apply(changes, world.origin);
    if (outcome.status === "applied") return answer;
    reason = outcome.reason;
  }
  throw new Failure(
    "conflict",
    `Another process keeps changing this: ${reason}.`,
    "Check the current state, then try again.",
  );
}

/** Reads all changes that match a query from the journal. */
export const PORTION = 500;

/** Newest first, in portions: the store works synchronously, and other work must get its turn. */
export async function* recordsOf(store: JournalReads, query: JournalQuery): AsyncGenerator<ChangeRecord> {
  for (let through = Number.MAX_SAFE_INTEGER; ; ) {
    const { records } = await store.journal({ ...query, through }, { limit: PORTION, offset: 0 });
    yield* records;
    if (records.length < PORTION) return;
    through = records.at(-1)!.seq - 1;
    await immediate();
  }
}
