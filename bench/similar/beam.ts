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
    const { texts } = JSON.parse(line) as { texts: [string, string] };
    const place = await freshPlace(embedder);
    try {
      await place.remember(texts[0], "fact", false);
      await place.embed();
      const [first] = (await place.remember(texts[1])).similar;
      const kind = first?.kind ?? "nothing";
      counts[kind] = (counts[kind] ?? 0) + 1;
    } finally {
      await place.close();
    }
  }
  return counts;
}
