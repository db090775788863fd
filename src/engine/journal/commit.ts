/** Plans changes and applies them; if another process was faster, plans again from the current state. */
import { Failure } from "../../errors.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Writes } from "../../ports/store/store.ts";
import type { World } from "../../ports/world.ts";

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
