/** Contradictions between turns of long conversations: how many are announced as what. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../src/ports/embedder.ts";
import { freshPlace } from "./place.ts";

export async function runBeam(data: string, embedder: Embedder | null): Promise<Record<string, number> | null> {
  const path = join(data, "beam-dev", "contradictions.jsonl");
  if (!existsSync(path)) return null;
  const counts: Record<string, number> = {};
  for (const line of readFileSync(path, "utf8").split("\n").filter(Boolean)) {
    const { texts } = JSON.parse(line) as { texts: string[] };
    const [older, newer] = texts;
    if (older === undefined || newer === undefined) {
      counts["both in one turn"] = (counts["both in one turn"] ?? 0) + 1;
      continue;
    }
    const place = await freshPlace(embedder);
    try {
      await place.remember(older, "fact", false);
      await place.embed();
      const [first] = (await place.remember(newer)).similar;
      const kind = first?.kind ?? "nothing";
      counts[kind] = (counts[kind] ?? 0) + 1;
    } finally {
      await place.close();
    }
  }
  return counts;
}
