/** What comparing adds to `remember`, in a store of many memories. */
import { createHashEmbedder, createNoEmbedder } from "../../src/embed/embedders.ts";
import { remember } from "../../src/memory/remember.ts";
import { memoryText, seeded, sentence } from "../speed/corpus.ts";
import { freshPlace } from "./place.ts";

const MEASURED = 200;
const FILLED_AT_ONCE = 500;

export const WAYS = ["not compared", "compared by wordpieces", "compared by vectors"] as const;

export interface Latency {
  way: (typeof WAYS)[number];
  p50: number;
  p95: number;
}

/** Filled with made-up memories and their vectors; then sentences are remembered in each way in turn. */
export async function runLatency(memories: number): Promise<Latency[]> {
  const place = await freshPlace(createHashEmbedder());
  const random = seeded(11);
  try {
    for (let done = 0; done < memories; done += FILLED_AT_ONCE) {
      const texts = Array.from({ length: Math.min(FILLED_AT_ONCE, memories - done) }, (_, index) =>
        (done + index) % 2 === 0 ? memoryText(done + index, random) : sentence(done + index, random),
      );
      await Promise.all(texts.map((text) => place.remember(text, "fact", false)));
    }
    await place.embed();
    const plain = { ...place.world, embedder: createNoEmbedder() };
    const times = WAYS.map((): number[] => []);
    for (let index = 0; index < WAYS.length * MEASURED; index += 1) {
      const way = index % WAYS.length;
      const content = sentence(memories + index, random);
      const request = { content, type: "fact", scope: "project", context: {}, compare: way > 0 } as const;
      const started = performance.now();
      await remember(request, way === 2 ? place.world : plain);
      times[way]!.push(performance.now() - started);
    }
    return WAYS.map((way, index) => {
      const sorted = times[index]!.toSorted((one, two) => one - two);
      const at = (part: number) => sorted[Math.floor(sorted.length * part)]!;
      return { way, p50: at(0.5), p95: at(0.95) };
    });
  } finally {
    await place.close();
  }
}
