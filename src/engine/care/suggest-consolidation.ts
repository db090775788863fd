/** Suggests `consolidate` when a store probably has near-duplicates. */
import { reasonToConsolidate } from "../../logic/care/near-duplicates.ts";
import type { Store } from "../../ports/store.ts";
import type { Stores } from "../../ports/world.ts";

/** One line for each scope, or none. */
export async function suggestConsolidation({ project, global }: Stores): Promise<string[]> {
  const lines: string[] = [];
  for (const [scope, store] of Object.entries({ project, global })) {
    const reason = reasonToConsolidate({
      extractions: await store.callsSince("extract", "merge"),
      active: await activeMemories(store),
    });
    const flag = scope === "global" ? " --scope global" : "";
    if (reason !== null)
      lines.push(`There may be duplicates (${reason}): \`stele consolidate${flag}\` looks for them.`);
  }
  return lines;
}

async function activeMemories(store: Store): Promise<number> {
  const { counts } = await store.report();
  return counts
    .filter(({ shelf, scope, status }) => shelf === "memory" && scope !== "working" && status === "active")
    .reduce((sum, { count }) => sum + count, 0);
}
