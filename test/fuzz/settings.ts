/** Settings of every run: no model, and so little room that working memories have to leave. */
import { environment as environmentOf } from "../mcp.ts";

export const SETTINGS = { embedder: { provider: "hash" }, working: { capacity: 20 }, backup: { keep: 2 } };

/** The same for a process of its own. */
export function environment(home: string): Record<string, string> {
  return environmentOf(home, { STELE_WORKING_CAPACITY: "20", STELE_BACKUP_KEEP: "2", STELE_SESSION: "fuzz" });
}
