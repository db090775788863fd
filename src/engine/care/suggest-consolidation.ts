/** Suggests `consolidate` when a store probably has near-duplicates. */
import { reasonToConsolidate } from "../../logic/care/near-duplicates.ts";
import type { StoreReport } from "../../ports/store/store.ts";
import type { Stores } from "../../ports/world.ts";

/** One line for each scope, or none. `reports`: what the stores reported, if they were asked already. */
export async function suggestConsolidation(
  stores: Stores,
  reports?: { project: StoreReport; global: StoreReport },
): Promise<string[]> {
  const lines: string[] = [];
  for (const scope of ["project", "global"] as const) {
    const store = stores[scope];
    const extractions = await store.callsSince("extract", "merge");
    const active = activeMemories(reports?.[scope] ?? (await store.report()));
    const reason = reasonToConsolidate({ extractions, active });
    const command = `stele consolidate${scope === "global" ? " --scope global" : ""}`;
    if (reason !== null) lines.push(`There may be duplicates (${reason}): \`${command}\` looks for them.`);
  }
  return lines;
}

const activeMemories = ({ counts }: StoreReport): number =>
  counts
    .filter(({ shelf, scope, status }) => shelf === "memory" && scope !== "working" && status === "active")
    .reduce((sum, { count }) => sum + count, 0);
