/** What comparing adds to `remember`, in a store of many memories. */
import { createHashEmbedder } from "../../src/providers/embed/hash-embedder.ts";
import { memoryText, seeded, sentence } from "../speed/corpus.ts";
import { freshPlace } from "./place.ts";

const MEASURED = 200;
const FILLED_AT_ONCE = 500;

export interface Latency {
  memories: number;
  compared: boolean;
  p50: number;
  p95: number;
}

/** Filled with made-up memories and their vectors; then sentences are remembered, compared and not, in turn. */
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
    const times = { true: [] as number[], false: [] as number[] };
    for (let index = 0; index < 2 * MEASURED; index += 1) {
      const compared = index % 2 === 0;
      const text = sentence(memories + index, random);
      const started = performance.now();
      await place.remember(text, "fact", compared);
      times[`${compared}`].push(performance.now() - started);
    }
    return [true, false].map((compared) => {
      const sorted = times[`${compared}`].toSorted((one, two) => one - two);
      const at = (part: number) => sorted[Math.floor(sorted.length * part)]!;
      return { memories, compared, p50: at(0.5), p95: at(0.95) };
    });
  } finally {
    await place.close();
  }
}
