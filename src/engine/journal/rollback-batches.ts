/** Divides the steps of a rollback into transactions. */
import type { Step } from "../../logic/journal/plan-rollback.ts";
import type { EdgeGoal } from "../../logic/journal/plan-rollback-edges.ts";

const BATCH_CHANGES = 200;
const BATCH_CHARACTERS = 4_000_000;

/** Changes for one transaction. */
export interface Batch extends Step {
  edges: EdgeGoal[];
}

/** Groups steps up to the size of a transaction. */
export function batchesOf(steps: readonly Batch[]): Batch[] {
  const batches: Batch[] = [];
  let characters = Infinity;
  for (const { goals, edges, changes } of steps) {
    const length = goals.reduce(
      (sum, { from, to }) => sum + (from?.content ?? "").length + (to?.content ?? "").length,
      0,
    );
    const last = batches.at(-1);
    if (last && last.changes.length + changes.length <= BATCH_CHANGES && characters + length <= BATCH_CHARACTERS) {
      last.goals.push(...goals);
      last.edges.push(...edges);
      last.changes.push(...changes);
      characters += length;
    } else {
      batches.push({ goals: [...goals], edges: [...edges], changes: [...changes] });
      characters = length;
    }
  }
  return batches;
}
